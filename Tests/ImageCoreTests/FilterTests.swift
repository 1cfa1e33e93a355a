import Foundation
import FoundationExtras
import GraphicsCore
import ImageCore
import Testing

/// One pixel of `color` through a filter.
private func seen(_ name: String, _ color: Pixel, _ parameters: [String: Any] = [:]) throws -> Pixel {
  let grid = Grid(width: 2, height: 2) { _, _ in color }
  return try Grid(rendering: try grid.image.applyingFilter(name, parameters: parameters))[0, 0]
}

@Suite("CIFilter")
struct FilterTests {
  private let gray = Pixel(red: 128, green: 128, blue: 128)
  private let brick = Pixel(red: 180, green: 90, blue: 60)

  @Test func `an exposure of one stop doubles light`() throws {
    let filter = try #require(CIFilter(name: "CIExposureAdjust"))
    filter.setValue(try Grid(width: 1, height: 1) { _, _ in brick }.image, forKey: kCIInputImageKey)
    filter.setValue(0.5, forKey: kCIInputEVKey)
    filter.setValue(NSNumber(value: 1), forKey: kCIInputEVKey)
    let out = try Grid(rendering: try #require(filter.outputImage))[0, 0]
    let wanted = Pixel(
      red: level(2 * light(180)), green: level(2 * light(90)), blue: level(2 * light(60)))
    #expect(out.isClose(to: wanted))
  }

  @Test func `colour controls change saturation, brightness and contrast`() throws {
    let luminance = 0.2126 * light(180) + 0.7152 * light(90) + 0.0722 * light(60)
    let pale = try seen("CIColorControls", brick, [kCIInputSaturationKey: 0])
    #expect(pale.isClose(to: Pixel(red: level(luminance), green: level(luminance), blue: level(luminance))))
    #expect(try seen("CIColorControls", brick).isClose(to: brick), "unless set, nothing changes")
    let controls = CIFilter.colorControls()
    #expect(controls.saturation == 1 && controls.contrast == 1 && controls.brightness == 0)
    controls.inputImage = try Grid(width: 1, height: 1) { _, _ in brick }.image
    controls.brightness = 0.1
    controls.contrast = 1.5
    let out = try Grid(rendering: try #require(controls.outputImage))[0, 0]
    func wanted(_ value: Int) -> Int { level((light(value) + 0.1 - 0.5) * 1.5 + 0.5) }
    #expect(out.isClose(to: Pixel(red: wanted(180), green: wanted(90), blue: wanted(60))))
  }

  @Test func `colours are inverted, mixed by a matrix, turned and clamped`() throws {
    #expect(
      try seen("CIColorInvert", gray).isClose(
        to: Pixel(red: level(1 - light(128)), green: level(1 - light(128)), blue: level(1 - light(128)))))
    let swapped = try seen(
      "CIColorMatrix", brick,
      ["inputRVector": CIVector(x: 0, y: 0, z: 1, w: 0), "inputBVector": CIVector(x: 1, y: 0, z: 0, w: 0)])
    #expect(swapped.isClose(to: Pixel(red: 60, green: 90, blue: 180)))
    // A third of a turn takes red to green, green to blue.
    let turned = try seen("CIHueAdjust", brick, [kCIInputAngleKey: 2 * Double.pi / 3])
    #expect(turned.isClose(to: Pixel(red: 60, green: 180, blue: 90), by: 2))
    let clamped = try seen(
      "CIColorClamp", Pixel(red: 255, green: 0, blue: 128),
      [
        "inputMinComponents": CIVector(x: 0.25, y: 0.25, z: 0, w: 0),
        "inputMaxComponents": CIVector(x: 0.5, y: 1, z: 1, w: 1),
      ])
    #expect(clamped.isClose(to: Pixel(red: level(0.5), green: level(0.25), blue: 128)))
    #expect(try seen("CIMaximumComponent", brick).isClose(to: Pixel(red: 180, green: 180, blue: 180)))
    #expect(try seen("CIMinimumComponent", brick).isClose(to: Pixel(red: 60, green: 60, blue: 60)))
    let gamma = try seen("CIGammaAdjust", gray, ["inputPower": 2])
    #expect(
      gamma.isClose(
        to: Pixel(
          red: level(pow(light(128), 2)), green: level(pow(light(128), 2)), blue: level(pow(light(128), 2)))))
  }

  @Test func `single colours are made of brightness`() throws {
    let mono = CIFilter.colorMonochrome()
    mono.color = CIColor(red: 1, green: 0, blue: 0)
    mono.inputImage = try Grid(width: 1, height: 1) { _, _ in gray }.image
    #expect(
      try Grid(rendering: try #require(mono.outputImage))[0, 0].isClose(
        to: Pixel(red: 128, green: 0, blue: 0)))
    let ends: [String: Any] = ["inputColor0": CIColor.blue, "inputColor1": CIColor.yellow]
    #expect(
      try seen("CIFalseColor", Pixel(red: 0, green: 0, blue: 0), ends).isClose(
        to: Pixel(red: 0, green: 0, blue: 255)))
    #expect(
      try seen("CIFalseColor", Pixel(red: 255, green: 255, blue: 255), ends).isClose(
        to: Pixel(red: 255, green: 255, blue: 0)))
    #expect(
      try seen("CIColorPosterize", brick, ["inputLevels": 2]).isClose(to: Pixel(red: 255, green: 0, blue: 0)))
    let sepia = try seen("CISepiaTone", gray)
    #expect(sepia.red > sepia.green && sepia.green > sepia.blue)
    #expect(try seen("CISepiaTone", brick, [kCIInputIntensityKey: 0]).isClose(to: brick))
    for name in ["Mono", "Tonal", "Noir"] {
      let out = try seen("CIPhotoEffect\(name)", brick)
      #expect(abs(out.red - out.green) <= 1 && abs(out.green - out.blue) <= 1, "\(name) has no colour")
    }
    let dark = Pixel(red: 20, green: 20, blue: 20)
    #expect(try seen("CIPhotoEffectNoir", dark).red < seen("CIPhotoEffectTonal", dark).red)
    #expect(try seen("CIPhotoEffectFade", dark).red > 20, "faded blacks are gray")
    let instant = try seen("CIPhotoEffectInstant", Pixel(red: 255, green: 255, blue: 255))
    #expect(instant.red > instant.blue + 20, "white paper has yellowed")
  }

  @Test func `white moves with temperature, and curves go through their points`() throws {
    #expect(try seen("CITemperatureAndTint", gray).isClose(to: gray))
    let warm = try seen("CITemperatureAndTint", gray, ["inputTargetNeutral": CIVector(x: 4000, y: 0)])
    #expect(warm.red > gray.red + 5 && warm.blue < gray.blue - 10)
    let balanced = CIFilter.temperatureAndTint()
    balanced.inputImage = try Grid(width: 1, height: 1) { _, _ in warm }.image
    balanced.neutral = CIVector(x: 4000, y: 0)
    #expect(try Grid(rendering: try #require(balanced.outputImage))[0, 0].isClose(to: gray, by: 2))
    let curve = CIFilter.toneCurve()
    curve.inputImage = try Grid(width: 1, height: 1) { _, _ in Pixel(red: 64, green: 128, blue: 255) }.image
    #expect(curve.point2 == CGPoint(x: 0.5, y: 0.5))
    // Points are those of a gamma of 2: roots of light.
    curve.point1 = CGPoint(x: light(64).squareRoot(), y: light(100).squareRoot())
    curve.point2 = CGPoint(x: light(128).squareRoot(), y: light(180).squareRoot())
    #expect(
      try Grid(rendering: try #require(curve.outputImage))[0, 0].isClose(
        to: Pixel(red: 100, green: 180, blue: 255)))
    let vivid = try seen("CIVibrance", brick, ["inputAmount": 1])
    #expect(vivid.red - vivid.blue > brick.red - brick.blue)
    #expect(
      try seen(
        "CIWhitePointAdjust", Pixel(red: 255, green: 255, blue: 255),
        ["inputColor": CIColor(red: 1, green: 0.5, blue: 0)]
      ).isClose(to: Pixel(red: 255, green: 128, blue: 0)))
  }

  @Test func `white is adapted as eyes are, by Bradford's cones`() throws {
    // sRGB to XYZ and Bradford's matrix by their rows, and white at two places of Krystek's locus.
    typealias Rows = [[Double]]
    func product(_ left: Rows, _ right: Rows) -> Rows {
      left.map { row in
        right[0].indices.map { column in zip(row, right).map { $0 * $1[column] }.reduce(0, +) }
      }
    }
    func inverse(_ m: Rows) -> Rows {
      func minor(_ r: Int, _ c: Int) -> Double {
        let (r0, r1, c0, c1) = ((r + 1) % 3, (r + 2) % 3, (c + 1) % 3, (c + 2) % 3)
        return m[r0][c0] * m[r1][c1] - m[r0][c1] * m[r1][c0]
      }
      let determinant = (0..<3).map { m[0][$0] * minor(0, $0) }.reduce(0, +)
      return (0..<3).map { r in (0..<3).map { c in minor(c, r) / determinant } }
    }
    func white(_ kelvin: Double, _ tint: Double) -> [Double] {
      let (t, t2) = (kelvin, kelvin * kelvin)
      let u =
        (0.860117757 + 1.54118254e-4 * t + 1.28641212e-7 * t2) / (1 + 8.42420235e-4 * t + 7.08145163e-7 * t2)
      let v =
        (0.317398726 + 4.22806245e-5 * t + 4.20481691e-8 * t2) / (1 - 2.89741816e-5 * t + 1.61456053e-7 * t2)
        - tint / 10_000
      let (x, y) = (3 * u / (2 * u - 8 * v + 4), 2 * v / (2 * u - 8 * v + 4))
      return [x / y, 1, (1 - x - y) / y]
    }
    let toXYZ: Rows = [
      [0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
      [0.0193339, 0.1191920, 0.9503041],
    ]
    let cones: Rows = [[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]]
    for (target, tint) in [(3000.0, 0.0), (4000, 0), (9000, 0), (6500, 80), (5000, -60)] {
      let (from, to) = (
        product(cones, white(6500, 0).map { [$0] }), product(cones, white(target, tint).map { [$0] })
      )
      let gains: Rows = (0..<3).map { r in (0..<3).map { $0 == r ? to[r][0] / from[r][0] : 0 } }
      let matrix = product(
        inverse(toXYZ), product(inverse(cones), product(gains, product(cones, toXYZ))))
      for color in [gray, brick, Pixel(red: 40, green: 90, blue: 160)] {
        let out = product(matrix, [color.red, color.green, color.blue].map { [light($0)] }).map {
          level($0[0])
        }
        let seen = try seen(
          "CITemperatureAndTint", color, ["inputTargetNeutral": CIVector(x: target, y: tint)])
        #expect(
          seen.isClose(to: Pixel(red: out[0], green: out[1], blue: out[2]), by: 2),
          "\(target) \(tint) \(color)")
      }
    }
  }

  @Test func `inputs are set by key, and a wrong key or kind is a mistake`() throws {
    let filter = try #require(CIFilter(name: "CIGaussianBlur", parameters: [kCIInputRadiusKey: 3]))
    #expect(filter.value(forKey: kCIInputRadiusKey) as? Double == 3)
    filter.setValue(4, forKeyPath: kCIInputRadiusKey)
    #expect(filter.value(forKey: kCIInputRadiusKey) as? Double == 4)
    filter.setValue(3, forKeyPath: kCIInputRadiusKey)
    #expect(filter.value(forKey: kCIInputImageKey) == nil && filter.outputImage == nil)
    let mistakes = ProgrammingMistake.collect {
      filter.setValue(1, forKey: "inputWhistle")
      filter.setValue("far", forKey: kCIInputRadiusKey)
      _ = filter.value(forKey: "whistle")
    }
    #expect(mistakes.count == 3 && mistakes.allSatisfy { $0.rule.contains("CIGaussianBlur") })
    #expect(filter.value(forKey: kCIInputRadiusKey) as? Double == 3, "a mistake changes nothing")
    let copy = try #require(filter.copy() as? CIFilter)
    filter.setDefaults()
    #expect(filter.value(forKey: kCIInputRadiusKey) as? Double == 10)
    #expect(copy.value(forKey: kCIInputRadiusKey) as? Double == 3 && copy.name == "CIGaussianBlur")
    filter.setValue(CIImage.red, forKey: kCIInputImageKey)
    #expect((filter.value(forKey: kCIOutputImageKey) as? CIImage)?.extent.isInfinite == true)
    #expect(CIFilter(name: "CIWhistle") == nil)
    #expect(CIImage.red.applyingFilter("CIWhistle").extent.isNull)
  }

  @Test func `a filter says what it takes`() throws {
    let filter = try #require(CIFilter(name: "CISepiaTone"))
    #expect(
      filter.inputKeys == [kCIInputImageKey, kCIInputIntensityKey] && filter.outputKeys == [kCIOutputImageKey]
    )
    let attributes = filter.attributes
    #expect(attributes[kCIAttributeFilterName] as? String == "CISepiaTone")
    #expect(attributes[kCIAttributeFilterDisplayName] as? String == "Sepia Tone")
    #expect((attributes[kCIAttributeFilterCategories] as? [String])?.contains(kCICategoryColorEffect) == true)
    let intensity = try #require(attributes[kCIInputIntensityKey] as? [String: Any])
    #expect(intensity[kCIAttributeClass] as? String == "NSNumber")
    #expect(intensity[kCIAttributeType] as? String == kCIAttributeTypeScalar)
    #expect(intensity[kCIAttributeDefault] as? Double == 1 && intensity[kCIAttributeIdentity] as? Double == 0)
    #expect(
      intensity[kCIAttributeSliderMin] as? Double == 0 && intensity[kCIAttributeSliderMax] as? Double == 1)
    let mix = try #require(
      CIFilter(name: "CIDissolveTransition")?.attributes[kCIInputTimeKey] as? [String: Any])
    #expect(mix[kCIAttributeMin] as? Double == 0 && mix[kCIAttributeMax] as? Double == 1)
    #expect(CIFilter.filterNames(inCategory: kCICategoryBlur) == ["CIBoxBlur", "CIGaussianBlur"])
    #expect(CIFilter.filterNames(inCategories: nil).count > 70)
    #expect(CIFilter.localizedName(forFilterName: "CIQRCodeGenerator") == "QR Code Generator")
  }

  @Test func `a client's own filter is made of others`() throws {
    final class Poster: CIFilter {
      var inputImage: CIImage?
      override var outputImage: CIImage? {
        inputImage?.applyingFilter("CIColorPosterize", parameters: ["inputLevels": 2]).applyingFilter(
          "CIColorInvert")
      }
    }
    let poster = Poster()
    #expect(poster.outputImage == nil)
    poster.inputImage = try Grid(width: 1, height: 1) { _, _ in brick }.image
    #expect(
      try Grid(rendering: try #require(poster.outputImage))[0, 0].isClose(
        to: Pixel(red: 0, green: 255, blue: 255)))
  }
}
