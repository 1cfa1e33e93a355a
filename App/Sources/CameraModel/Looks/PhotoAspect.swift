import Foundation

/// The shape of photos: a camera's picture is cut down to it, as large as fits and around its middle.
package enum PhotoAspect: String, Sendable, Hashable, CaseIterable, Codable {
  /// The whole picture, whatever its shape.
  case sensor
  case fourThirds = "4:3"
  case sixteenNinths = "16:9"
  case square = "1:1"

  /// The longer side by the shorter one; `nil` for the sensor's own.
  var ratio: Double? {
    switch self {
    case .sensor: nil
    case .fourThirds: 4.0 / 3
    case .sixteenNinths: 16.0 / 9
    case .square: 1
    }
  }

  /// Sensors of nominal shapes miss them by a few pixels, which are worth no cut.
  private static let tolerance = 0.005

  /// The part of a picture that is kept, in pixels from its top left corner; its sides are even, unless it is the whole
  /// picture.
  ///
  /// Its longer side lies along the picture's longer side, so that an upright picture gives an upright part. Along the width
  /// in a square picture.
  func part(ofWidth width: Int, height: Int) -> (x: Int, y: Int, width: Int, height: Int) {
    let whole = (x: 0, y: 0, width: width, height: height)
    let (long, short) = (Double(max(width, height)), Double(min(width, height)))
    guard let ratio, short >= 4, abs(long / short / ratio - 1) > Self.tolerance else { return whole }
    let isTooLong = long / short > ratio
    let sides = (Self.even(isTooLong ? short * ratio : long), Self.even(isTooLong ? short : long / ratio))
    let size = width >= height ? sides : (sides.1, sides.0)
    return (x: (width - size.0) / 2, y: (height - size.1) / 2, width: size.0, height: size.1)
  }

  /// The same in fractions of the picture.
  func share(ofWidth width: Int, height: Int) -> CGRect {
    guard width > 0, height > 0 else { return Self.whole }
    let part = part(ofWidth: width, height: height)
    let (across, down) = (Double(width), Double(height))
    return CGRect(
      x: Double(part.x) / across, y: Double(part.y) / down, width: Double(part.width) / across,
      height: Double(part.height) / down)
  }

  /// All of a picture.
  static let whole = CGRect(x: 0, y: 0, width: 1, height: 1)

  /// Codecs halve the resolution of colours, so that an odd side would lose half a pixel of it.
  private static func even(_ side: Double) -> Int { Int((side / 2 + 0.001).rounded(.down)) * 2 }
}
