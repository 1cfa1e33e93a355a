import Foundation
import GraphicsCore
import ImageCore
import Testing

/// The functions make the filters that `CIFilter(name:)` makes, whose pictures other suites check; what differs is how inputs
/// are set.
@Suite("CIFilter: functions")
struct FilterFunctionTests {
  private let size = CGRect(x: 0, y: 0, width: 24, height: 20)
  private var image: CIImage { get throws { try Grid.asymmetric(24, 20).image } }

  private func seen(_ image: CIImage?) throws -> Grid { try Grid(rendering: try #require(image), from: size) }

  /// That a filter draws as the one of that name with these parameters does, and not as with its defaults.
  private func expect(
    _ filter: any CIFilterProtocol, _ name: String, _ parameters: [String: Any] = [:],
    at place: SourceLocation = #_sourceLocation
  ) throws {
    let own = try seen(filter.outputImage)
    let image = try image
    #expect(try own == seen(image.applyingFilter(name, parameters: parameters)), sourceLocation: place)
    let changed = parameters.isEmpty ? image : image.applyingFilter(name)
    #expect(try own != seen(changed), "what was set changes the picture", sourceLocation: place)
  }

  @Test func `colours are set by properties`() throws {
    let matrix = CIFilter.colorMatrix()
    matrix.inputImage = try image
    matrix.rVector = CIVector(x: 0, y: 1, z: 0, w: 0)
    try expect(matrix, "CIColorMatrix", ["inputRVector": CIVector(x: 0, y: 1, z: 0, w: 0)])
    let vibrance = CIFilter.vibrance()
    vibrance.inputImage = try image
    vibrance.amount = 0.8
    try expect(vibrance, "CIVibrance", [kCIInputAmountKey: 0.8])
    let levels = CIFilter.colorPosterize()
    levels.inputImage = try image
    levels.levels = 3
    try expect(levels, "CIColorPosterize", ["inputLevels": 3])
    let toned = CIFilter.falseColor()
    toned.inputImage = try image
    toned.color0 = .blue
    toned.color1 = .yellow
    try expect(toned, "CIFalseColor", ["inputColor0": CIColor.blue, "inputColor1": CIColor.yellow])
    let inverted = CIFilter.colorInvert()
    inverted.inputImage = try image
    try expect(inverted, "CIColorInvert")
    let mono = CIFilter.photoEffectMono()
    mono.inputImage = try image
    try expect(mono, "CIPhotoEffectMono")
    let noir = CIFilter.photoEffectNoir()
    noir.inputImage = try image
    try expect(noir, "CIPhotoEffectNoir")
    #expect(try seen(mono.outputImage) != seen(noir.outputImage))
  }

  @Test func `brightness, contrast and scale are set by their keys`() throws {
    let controls = CIFilter.colorControls()
    controls.inputImage = try image
    controls.brightness = 0.2
    controls.contrast = 0.5
    try expect(controls, "CIColorControls", [kCIInputBrightnessKey: 0.2, kCIInputContrastKey: 0.5])
    let half = try image.applyingFilter("CILanczosScaleTransform", parameters: [kCIInputScaleKey: 0.5])
    #expect(half.extent == CGRect(x: 0, y: 0, width: 12, height: 10))
  }

  @Test func `edges, glow, rims and bends are set by properties`() throws {
    let bloom = CIFilter.bloom()
    bloom.inputImage = try image
    bloom.radius = 3
    bloom.intensity = 1
    try expect(bloom, "CIBloom", [kCIInputRadiusKey: 3, kCIInputIntensityKey: 1])
    let edges = CIFilter.edges()
    edges.inputImage = try image
    edges.intensity = 0.2
    try expect(edges, "CIEdges", [kCIInputIntensityKey: 0.2])
    let vignette = CIFilter.vignette()
    vignette.inputImage = try image
    vignette.intensity = 1
    try expect(vignette, "CIVignette", [kCIInputIntensityKey: 1])
    let center = CIVector(x: 12, y: 10)
    let twirl = CIFilter.twirlDistortion()
    twirl.inputImage = try image
    twirl.center = CGPoint(x: 12, y: 10)
    twirl.radius = 8
    try expect(twirl, "CITwirlDistortion", [kCIInputCenterKey: center, kCIInputRadiusKey: 8])
    let bump = CIFilter.bumpDistortion()
    bump.inputImage = try image
    bump.center = CGPoint(x: 12, y: 10)
    bump.radius = 8
    try expect(bump, "CIBumpDistortion", [kCIInputCenterKey: center, kCIInputRadiusKey: 8])
  }

  @Test func `two images are mixed by each function's own rule`() throws {
    let back = CIImage(color: CIColor(red: 0.2, green: 0.6, blue: 0.4, alpha: 1)).cropped(to: size)
    let functions: [(String, any CIFilter & CICompositeOperation)] = [
      ("CIAdditionCompositing", CIFilter.additionCompositing()),
      ("CIMultiplyCompositing", CIFilter.multiplyCompositing()),
      ("CIScreenBlendMode", CIFilter.screenBlendMode()),
      ("CISoftLightBlendMode", CIFilter.softLightBlendMode()),
    ]
    var pictures: [Grid] = []
    for (name, made) in functions {
      let filter = made
      filter.inputImage = try image
      filter.backgroundImage = back
      try expect(filter, name, [kCIInputBackgroundImageKey: back])
      pictures.append(try seen(filter.outputImage))
    }
    for (index, picture) in pictures.enumerated() {
      #expect(!pictures[..<index].contains(picture), "\(functions[index].0)")
    }
    let over = CIFilter.sourceOverCompositing()
    over.inputImage = try image.cropped(to: CGRect(x: 0, y: 0, width: 12, height: 20))
    over.backgroundImage = back
    let out = try seen(over.outputImage)
    #expect(try out[3, 3] == seen(image)[3, 3] && out[20, 3] == seen(back)[20, 3])
  }
}
