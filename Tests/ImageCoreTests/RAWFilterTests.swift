import CoreVideo
import Foundation
import FoundationExtras
import GraphicsCore
import ImageCore
import ImageIO
import RawPictures
import SeededNumbers
import StillCodecs
import Testing

@Suite("CIRAWFilter", .serialized)
struct RAWFilterTests {
  private static let colors = [0.80, -0.25, -0.08, -0.45, 1.25, 0.22, -0.08, 0.20, 0.55]
  /// What the sensor sees of D65, the largest 1.
  private static let neutral: [Double] = {
    let white = [0.95047, 1, 1.08883]
    let seen = (0..<3).map { row in (0..<3).reduce(0) { $0 + colors[3 * row + $1] * white[$1] } }
    return seen.map { $0 / (seen.max() ?? 1) }
  }()

  /// The numbers of a sensor of 12 bits that sees a linear scene in daylight.
  private func mosaic(
    _ width: Int, _ height: Int, noise: Double = 0, _ scene: (Int, Int) -> SIMD3<Double>
  ) throws -> CVPixelBuffer {
    let matrix = try #require(RawFacts.matrix(fromXYZ: Self.colors))
    let back = try #require(RawFacts.inverse(matrix))
    var dice = SeededGenerator(seed: 5)
    let buffer = try CVPixelBuffer(format: kCVPixelFormatType_14Bayer_GRBG, width: width, height: height)
    for y in 0..<height {
      for x in 0..<width {
        let color = [1, 0, 2, 1][y % 2 * 2 + x % 2]
        let seen = scene(x, y)
        let light = (back[3 * color] * seen.x + back[3 * color + 1] * seen.y + back[3 * color + 2] * seen.z)
        let chance = noise == 0 ? 0 : noise * Double.random(in: -1...1, using: &dice)
        let number = 200 + (4095 - 200) * (light * Self.neutral[color] + chance)
        buffer.planes[0].row(y).storeBytes(
          of: UInt16(min(max(number.rounded(), 0), 4095)), toByteOffset: 2 * x, as: UInt16.self)
      }
    }
    return buffer
  }

  private func file(
    _ mosaic: CVPixelBuffer, _ change: (inout DNGEncoder.Options) -> Void = { _ in }
  ) throws -> Data {
    var options = DNGEncoder.Options()
    options.bits = 12
    options.blackLevels = [200]
    options.colors = [DNGEncoder.Colors(matrix: Self.colors)]
    options.neutral = Self.neutral
    options.cameraModel = "Obscura Test"
    options.crop = (0, 0, mosaic.width, mosaic.height)
    change(&options)
    return try DNGEncoder.encode(mosaic, options: options)
  }

  /// Linear red, green and blue at a place, counted from the upper left.
  private func light(_ image: CIImage?, _ x: Int, _ y: Int) throws -> SIMD3<Double> {
    let image = try #require(image)
    var pixel = [Float](repeating: 0, count: 4)
    let place = CGRect(
      x: image.extent.minX + CGFloat(x), y: image.extent.maxY - 1 - CGFloat(y), width: 1, height: 1)
    pixel.withUnsafeMutableBytes { bytes in
      if let base = bytes.baseAddress {
        CIContext().render(
          image, toBitmap: base, rowBytes: 16, bounds: place, format: .RGBAf,
          colorSpace: CGColorSpace(name: CGColorSpace.extendedLinearSRGB))
      }
    }
    return SIMD3(Double(pixel[0]), Double(pixel[1]), Double(pixel[2]))
  }

  private func isNear(_ left: SIMD3<Double>, _ right: SIMD3<Double>, _ most: Double = 0.012) -> Bool {
    let difference = left - right
    return max(abs(difference.x), abs(difference.y), abs(difference.z)) < most
  }

  /// Four quarters: grey, red, green, blue, from the upper left.
  private static let quarters: [SIMD3<Double>] = [
    [0.4, 0.4, 0.4], [0.4, 0.12, 0.1], [0.12, 0.35, 0.1], [0.12, 0.15, 0.4],
  ]

  private func quartered(_ width: Int = 64, _ height: Int = 48) throws -> CVPixelBuffer {
    try mosaic(width, height) { x, y in Self.quarters[(y < height / 2 ? 0 : 2) + (x < width / 2 ? 0 : 1)] }
  }

  @Test func `a file is developed to the colours that were seen`() throws {
    let data = try file(quartered())
    let filter = try #require(CIRAWFilter(imageData: data, identifierHint: nil))
    #expect(filter.nativeSize == CGSize(width: 64, height: 48) && filter.orientation == .up)
    #expect(filter.exposure == 0 && filter.baselineExposure == 0 && filter.boostAmount == 1)
    #expect(filter.scaleFactor == 1 && !filter.isDraftModeEnabled && filter.extendedDynamicRangeAmount == 0)
    #expect(abs(filter.neutralTemperature - 6504) < 40 && abs(filter.neutralTint) < 15)
    filter.boostAmount = 0
    let image = filter.outputImage
    #expect(image?.extent == CGRect(x: 0, y: 0, width: 64, height: 48))
    for (index, color) in Self.quarters.enumerated() {
      let found = try light(image, index % 2 == 0 ? 16 : 48, index < 2 ? 12 : 36)
      #expect(isNear(found, color), "\(index): \(found)")
    }
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("raw-\(UUID()).dng")
    try data.write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    let other = try #require(CIRAWFilter(imageURL: url))
    other.boostAmount = 0
    #expect(isNear(try light(other.outputImage, 48, 12), Self.quarters[1]))
  }

  @Test func `what is no raw picture gives no filter`() throws {
    #expect(CIRAWFilter(imageData: Data("no picture".utf8), identifierHint: "com.adobe.raw-image") == nil)
    let picture = try CVPixelBuffer(format: kCVPixelFormatType_32BGRA, width: 8, height: 8)
    #expect(CIRAWFilter(cvPixelBuffer: picture, properties: [:]) == nil)
    #expect(CIRAWFilter(imageURL: URL(fileURLWithPath: "/nowhere/raw.dng")) == nil)
    let jpeg = try JPEGEncoder.encode(
      CVPixelBuffer(format: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, width: 16, height: 16))
    #expect(CIRAWFilter(imageData: jpeg, identifierHint: nil) == nil)
  }

  @Test func `numbers in a buffer mean what their properties say`() throws {
    let properties: [String: Any] = [
      kCGImagePropertyDNGDictionary as String: [
        kCGImagePropertyDNGBlackLevel as String: [200.0], kCGImagePropertyDNGWhiteLevel as String: 4095,
        kCGImagePropertyDNGAsShotNeutral as String: Self.neutral,
        kCGImagePropertyDNGColorMatrix1 as String: Self.colors,
        kCGImagePropertyDNGCalibrationIlluminant1 as String: 21,
        kCGImagePropertyDNGBaselineExposure as String: 0.5,
      ], kCGImagePropertyOrientation as String: 3,
    ]
    let filter = try #require(CIRAWFilter(cvPixelBuffer: quartered(), properties: properties))
    #expect(filter.orientation == .down && filter.baselineExposure == 0.5 && filter.previewImage == nil)
    filter.boostAmount = 0
    filter.baselineExposure = 0
    // Upside down the first quarter is the last.
    #expect(isNear(try light(filter.outputImage, 48, 36), Self.quarters[0]))
    #expect(isNear(try light(filter.outputImage, 16, 12), Self.quarters[3]))
  }

  @Test func `exposure, curve and range bend light as they say`() throws {
    let grey = SIMD3(repeating: 0.3)
    let filter = try #require(
      CIRAWFilter(imageData: file(mosaic(32, 32) { _, _ in grey }), identifierHint: nil))
    filter.boostAmount = 0
    filter.exposure = 1
    #expect(isNear(try light(filter.outputImage, 16, 16), grey * 2))
    filter.baselineExposure = 1
    #expect(isNear(try light(filter.outputImage, 16, 16), SIMD3(repeating: 1)))
    filter.extendedDynamicRangeAmount = 1
    #expect(isNear(try light(filter.outputImage, 16, 16), grey * 4, 0.03))
    (filter.exposure, filter.baselineExposure, filter.extendedDynamicRangeAmount) = (0, 0, 0)
    filter.boostAmount = 1
    // Above middle grey the curve is brighter, below it darker.
    #expect(try light(filter.outputImage, 16, 16).x > 0.31)
    filter.exposure = -3
    #expect(try light(filter.outputImage, 16, 16).x < 0.036)
  }

  @Test func `another light changes what looks neutral`() throws {
    let filter = try #require(
      CIRAWFilter(imageData: file(mosaic(32, 32) { _, _ in [0.3, 0.3, 0.3] }), identifierHint: nil))
    filter.boostAmount = 0
    filter.neutralTemperature = 3000
    // In the light of a lamp that would be blue.
    let cool = try light(filter.outputImage, 16, 16)
    #expect(cool.z > cool.y * 1.3 && cool.x < cool.y)
    filter.neutralTemperature = 12_000
    let warm = try light(filter.outputImage, 16, 16)
    #expect(warm.x > warm.z * 1.2)
    filter.neutralTemperature = 6504
    filter.neutralTint = 60
    let magenta = try light(filter.outputImage, 16, 16)
    #expect(magenta.y < magenta.x && magenta.y < magenta.z)
    filter.neutralChromaticity = CGPoint(x: 0.3127, y: 0.329)
    #expect(abs(filter.neutralTemperature - 6504) < 40)
    #expect(isNear(try light(filter.outputImage, 16, 16), [0.3, 0.3, 0.3]))
  }

  @Test func `orientation, scale and draft change the size or the work, not the picture`() throws {
    let preview = try CVPixelBuffer(
      format: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, width: 32, height: 24)
    let data = try file(quartered()) {
      $0.orientation = 6
      $0.preview = try? JPEGEncoder.encode(preview)
    }
    let filter = try #require(CIRAWFilter(imageData: data, identifierHint: nil))
    filter.boostAmount = 0
    #expect(filter.orientation == .right && filter.nativeSize == CGSize(width: 64, height: 48))
    #expect(filter.previewImage?.extent.size == CGSize(width: 24, height: 32))
    #expect(filter.outputImage?.extent == CGRect(x: 0, y: 0, width: 48, height: 64))
    // Turned clockwise the lower left quarter comes to the upper left.
    #expect(isNear(try light(filter.outputImage, 12, 16), Self.quarters[2]))
    filter.isDraftModeEnabled = true
    #expect(filter.outputImage?.extent == CGRect(x: 0, y: 0, width: 48, height: 64))
    #expect(isNear(try light(filter.outputImage, 12, 16), Self.quarters[2]))
    filter.isDraftModeEnabled = false
    filter.scaleFactor = 0.5
    #expect(filter.outputImage?.extent == CGRect(x: 0, y: 0, width: 24, height: 32))
    #expect(isNear(try light(filter.outputImage, 6, 8), Self.quarters[2]))
    filter.orientation = .up
    #expect(filter.outputImage?.extent == CGRect(x: 0, y: 0, width: 32, height: 24))
    let copy = try #require(filter.copy() as? CIRAWFilter)
    #expect(copy.scaleFactor == 0.5 && copy.orientation == .up && copy.boostAmount == 0)
    copy.exposure = 1
    #expect(filter.exposure == 0)
  }

  @Test func `sharpening raises edges, and smoothing of colours leaves brightness alone`() throws {
    #expect(CIRAWFilter(imageData: Data(), identifierHint: nil) == nil)
    let edge = try #require(
      CIRAWFilter(
        imageData: file(mosaic(32, 32) { x, _ in SIMD3(repeating: x < 16 ? 0.2 : 0.5) }), identifierHint: nil)
    )
    edge.boostAmount = 0
    let plain = try light(edge.outputImage, 17, 16)
    #expect(edge.isSharpnessSupported)
    edge.sharpnessAmount = 1
    #expect(try light(edge.outputImage, 17, 16).y > plain.y + 0.03)
    #expect(isNear(try light(edge.outputImage, 4, 16), SIMD3(repeating: 0.2), 0.02))
    let noisy = try #require(
      CIRAWFilter(
        imageData: file(mosaic(48, 48, noise: 0.06) { _, _ in SIMD3(repeating: 0.3) }), identifierHint: nil))
    noisy.boostAmount = 0
    func spread(_ image: CIImage?) throws -> (colors: Double, lights: [Double]) {
      var (colors, lights) = (0.0, [Double]())
      for y in stride(from: 14, to: 34, by: 3) {
        for x in stride(from: 14, to: 34, by: 3) {
          let found = try light(image, x, y)
          colors += abs(found.x - found.y) + abs(found.z - found.y)
          lights.append(0.2126 * found.x + 0.7152 * found.y + 0.0722 * found.z)
        }
      }
      return (colors, lights)
    }
    #expect(noisy.isColorNoiseReductionSupported && !noisy.isLuminanceNoiseReductionSupported)
    noisy.luminanceNoiseReductionAmount = 1
    #expect(noisy.luminanceNoiseReductionAmount == 0)
    let before = try spread(noisy.outputImage)
    noisy.colorNoiseReductionAmount = 1
    let after = try spread(noisy.outputImage)
    #expect(after.colors * 2.5 < before.colors)
    #expect(zip(before.lights, after.lights).allSatisfy { abs($0 - $1) < 0.01 })
  }

  @Test func `properties are the file's`() throws {
    let data = try file(quartered()) {
      $0.orientation = 8
      $0.exif[ExifTag(.image, 0x010F)] = .text("Maker")
      $0.exif[ExifTag(.exif, 0x8827)] = .shorts([400])
      $0.noise = Array(repeating: DNGEncoder.Noise(shot: 0.001, read: 0.000_002), count: 3)
    }
    let filter = try #require(CIRAWFilter(imageData: data, identifierHint: nil))
    let properties = filter.properties
    #expect(properties[kCGImagePropertyOrientation as String] as? Int == 8)
    #expect(properties[kCGImagePropertyPixelWidth as String] as? Int == 64)
    let tiff = properties[kCGImagePropertyTIFFDictionary as String] as? [String: Any]
    #expect(tiff?[kCGImagePropertyTIFFMake as String] as? String == "Maker")
    let exif = properties[kCGImagePropertyExifDictionary as String] as? [String: Any]
    #expect((exif?[kCGImagePropertyExifISOSpeedRatings as String] as? [Any])?.count == 1)
    let own = properties[kCGImagePropertyDNGDictionary as String] as? [String: Any]
    #expect(own?[kCGImagePropertyDNGUniqueCameraModel as String] as? String == "Obscura Test")
    #expect((own?[kCGImagePropertyDNGNoiseProfile as String] as? [Any])?.count == 6)
    #expect((own?[kCGImagePropertyDNGColorMatrix1 as String] as? [Any])?.count == 9)
    #expect(own?[kCGImagePropertyDNGColorMatrix2 as String] == nil)
    #expect(own?[kCGImagePropertyDNGCalibrationIlluminant1 as String] as? Int == 21)
    #expect(own?[kCGImagePropertyDNGCalibrationIlluminant2 as String] == nil)
  }
}
