internal import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import GraphicsCore
internal import ImageIO
internal import PixelTransforms
internal import RawPictures
internal import StillCodecs

/// A raw picture with what its file says: what a `CIRAWFilter` develops.
final class RawSource: Sendable {
  let mosaic: CVPixelBuffer
  let facts: DNGEncoder.Options
  let baselineExposure: Double
  let preview: Data?
  let exif: ExifBlock

  /// The picture of a DNG file; `nil` for other data.
  init?(_ data: Data) {
    guard DNGDecoder.mayRead(data), let picture = try? DNGDecoder.decode(data) else { return nil }
    mosaic = picture.mosaic
    facts = picture.facts
    baselineExposure = picture.baselineExposure
    preview = picture.preview
    exif = picture.exif
  }

  /// A sensor's numbers with their meaning, in ImageIO's dictionaries; `nil` for other pixel formats.
  init?(_ buffer: CVPixelBuffer, _ properties: [AnyHashable: Any]) {
    guard MosaicPattern(buffer.format) != nil, buffer.width >= 2, buffer.height >= 2 else { return nil }
    var known: CFDictionary = [:]
    for (key, value) in properties {
      if let key = key as? String { known[key as CFString] = value }
    }
    let own = known[kCGImagePropertyDNGDictionary] as? CFDictionary ?? [:]
    var facts = DNGEncoder.Options()
    facts.take(dngProperties: own)
    let orientation = LooseNumber.integer(known[kCGImagePropertyOrientation]) ?? 1
    facts.orientation = (1...8).contains(orientation) ? orientation : 1
    mosaic = buffer
    self.facts = facts
    baselineExposure = LooseNumber.double(own[kCGImagePropertyDNGBaselineExposure]) ?? 0
    preview = nil
    exif = ExifBlock(properties: known)
  }

  /// The part of the numbers that is shown.
  var crop: (x: Int, y: Int, width: Int, height: Int) {
    facts.crop ?? (0, 0, mosaic.width, mosaic.height)
  }

  // MARK: Colours

  /// Kelvins of the lights that EXIF numbers; others count as daylight.
  private static let temperatures: [UInt16: Double] = [
    1: 5500, 2: 4150, 3: 2856, 4: 5500, 9: 5500, 10: 6500, 11: 7500, 12: 6430, 13: 5000, 14: 4150, 15: 3450,
    17: 2856, 18: 4874, 19: 6774, 20: 5503, 21: 6504, 22: 7504, 23: 5003, 24: 3200,
  ]

  /// From CIE XYZ to the sensor's colours in a light of that many kelvin: between two lights by reciprocal temperatures, as DNG has it.
  func colors(at kelvin: Double) -> [Double] {
    let known = facts.colors.map { (kelvin: Self.temperatures[$0.illuminant] ?? 5500, matrix: $0.matrix) }
      .sorted { $0.kelvin < $1.kelvin }
    guard let warm = known.first, let cool = known.last else { return Self.plain }
    guard cool.kelvin > warm.kelvin else { return cool.matrix }
    let share = (1 / kelvin - 1 / cool.kelvin) / (1 / warm.kelvin - 1 / cool.kelvin)
    let bound = min(max(share, 0), 1)
    return zip(warm.matrix, cool.matrix).map { $0 * bound + $1 * (1 - bound) }
  }

  /// A sensor of which nothing is known sees as sRGB does.
  private static let plain = [
    3.240_969_942, -1.537_383_178, -0.498_610_760, -0.969_243_636, 1.875_967_502, 0.041_555_057,
    0.055_630_080, -0.203_976_959, 1.056_971_514,
  ]

  /// The light that the camera took for neutral; where it says nothing, the one that makes the picture's mean grey.
  var light: LightColor {
    let seen: [Double]
    if let neutral = facts.neutral {
      seen = neutral
    } else {
      let gains = MosaicStatistics.greyGains(of: mosaic, rawFacts(gains: .one, matrix: RawFacts.identity))
      seen = [1 / gains.x, 1 / gains.y, 1 / gains.z]
    }
    var light = LightColor(temperature: 5500, tint: 0)
    // Which matrix serves depends on the light that it finds.
    for _ in 0..<(facts.colors.count > 1 ? 6 : 1) {
      guard let back = RawFacts.inverse(colors(at: light.temperature)) else { break }
      let xyz = (0..<3).map { row in (0..<3).reduce(0) { $0 + back[3 * row + $1] * seen[$1] } }
      let sum = xyz.reduce(0, +)
      guard sum > 0, xyz[1] > 0 else { break }
      light = LightColor((xyz[0] / sum, xyz[1] / sum))
    }
    return light
  }

  /// The gains that make a light neutral.
  func gains(for light: LightColor) -> SIMD3<Double> {
    let (x, y) = light.chromaticity
    let xyz = [x / y, 1, (1 - x - y) / y]
    let matrix = colors(at: light.temperature)
    let seen = (0..<3).map { row in
      max((0..<3).reduce(0) { $0 + matrix[3 * row + $1] * xyz[$1] }, 1e-4)
    }
    return SIMD3(1 / seen[0], 1 / seen[1], 1 / seen[2])
  }

  /// The meaning of the numbers for a developer.
  func rawFacts(gains: SIMD3<Double>, matrix: [Double]) -> RawFacts {
    var raw = RawFacts()
    raw.blackLevels = facts.blackLevels
    raw.whiteLevel = facts.whiteLevel ?? (1 << facts.bits) - 1
    raw.gains = gains
    raw.matrix = matrix
    return raw
  }

  // MARK: Developing

  /// The developed picture: linear, its origin the lower left corner of what is shown; pixels are made when they are first needed.
  ///
  /// - Parameter isDraft: Whether a pixel for each four of the sensor's is enough.
  func image(
    _ raw: RawFacts, _ rendering: RawDeveloper.LinearRendering, isDraft: Bool, properties: [String: Any]
  ) -> CIImage {
    let factor = isDraft ? 2 : 1
    let size = PixelSize(width: mosaic.width / factor, height: mosaic.height / factor)
    let space = CGColorSpace(name: CGColorSpace.extendedLinearSRGB) ?? .standardRGB
    let picture = Picture(
      .coded(scales: []) { [self] _ in
        let target = try CVPixelBuffer(
          format: kCVPixelFormatType_128RGBAFloat, width: size.width, height: size.height)
        if isDraft {
          try RawDeveloper.developHalf(mosaic, raw, rendering, into: target)
        } else {
          try RawDeveloper.developLinear(mosaic, raw, rendering, into: target)
        }
        return FloatPixels(target).map { .floats($0) } ?? .nothing
      }, size: size, colorSpace: space, isOpaque: true)
    var facts = ImageFacts(colorSpace: space)
    facts.setProperties(properties)
    let (x, y, width, height) = crop
    var image = CIImage(.picture(picture), facts: facts)
    if isDraft { image = image.transformed(by: CGAffineTransform(scaleX: 2, y: 2)) }
    // Rows count from the top there, from the bottom here; a draft leaves out an odd row below.
    let below = size.height * factor - y - height
    return image.cropped(to: CGRect(x: x, y: max(below, 0), width: width, height: height))
      .transformed(by: CGAffineTransform(translationX: CGFloat(-x), y: CGFloat(-max(below, 0))))
  }
}
