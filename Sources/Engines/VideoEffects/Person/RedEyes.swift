package import CoreVideo
package import Foundation
internal import FoundationExtras

/// Makes red eyes dark: pupils that a flash has lit from behind.
///
/// Within a disc about each eye, places that are far redder than skin, and as green as blue, lose their colour and get as dark as their
/// green and blue are; places of doubt do so in part. A disc that is mostly red is no eye. Stateless and thread-safe.
package enum RedEyes {
  /// An eye of a picture, in its pixels.
  package struct Eye: Sendable, Hashable {
    package var center: CGPoint
    /// The iris's radius, and as much again for what the finder is off.
    package var radius: Double

    /// An eye of a face whose eyes are `distance` apart.
    package init(center: CGPoint, distance: Double) {
      self.center = center
      // An iris is 12 mm wide, and eyes are 63 mm apart.
      radius = distance * 0.19
    }

    /// The same eye in a picture of other size.
    package func scaled(by factor: Double) -> Eye {
      var eye = self
      eye.center = CGPoint(x: center.x * factor, y: center.y * factor)
      eye.radius = radius * factor
      return eye
    }
  }

  /// The pixel formats that can be changed.
  package static let formats: Set<OSType> = [
    kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
    kCVPixelFormatType_32BGRA,
  ]

  /// A share of a disc's places beyond which the red is no pupil's.
  private static let most = 0.6

  /// Changes a picture of ``formats``, which must not be seen by others; how many of the eyes were red.
  package static func mend(_ picture: CVPixelBuffer, _ eyes: [Eye]) -> Int {
    guard formats.contains(picture.format),
      CVPixelBufferLockBaseAddress(picture, []) == kCVReturnSuccess
    else { return 0 }
    defer { CVPixelBufferUnlockBaseAddress(picture, []) }
    return eyes.count { mend(picture, $0) }
  }

  private struct Place {
    let x: Int
    let y: Int
    let share: Float
    /// What is left of its brightness.
    let dark: Float
  }

  private static func mend(_ picture: CVPixelBuffer, _ eye: Eye) -> Bool {
    let isColored = picture.format == kCVPixelFormatType_32BGRA
    // In planes a colour is of four pixels.
    let step = isColored ? 1 : 2
    let (width, height) = (picture.width / step, picture.height / step)
    let (centerX, centerY) = (eye.center.x / Double(step), eye.center.y / Double(step))
    let radius = max(eye.radius / Double(step), 1)
    guard centerX.isFinite, centerY.isFinite, radius.isFinite, radius < 1e5, abs(centerX) < 1e6,
      abs(centerY) < 1e6
    else { return false }
    var places: [Place] = []
    var seen = 0
    for y in max(
      0, Int(centerY - radius))..<max(min(height, Int(centerY + radius) + 1), max(0, Int(centerY - radius)))
    {
      for x in max(
        0, Int(centerX - radius))..<max(
          min(width, Int(centerX + radius) + 1), max(0, Int(centerX - radius)))
      {
        let (right, down) = (Double(x) + 0.5 - centerX, Double(y) + 0.5 - centerY)
        guard right * right + down * down <= radius * radius else { continue }
        seen += 1
        let (red, green, blue) = isColored ? colors(picture, x, y) : planarColors(picture, x, y)
        let share = redness(red, green, blue)
        if share > 0 { places.append(Place(x: x, y: y, share: share, dark: (green + blue) / 2)) }
      }
    }
    let certain = places.count { $0.share > 0.5 }
    guard certain >= 2, Double(certain) <= most * Double(seen) else { return false }
    for place in places { isColored ? darken(picture, place) : darkenPlanes(picture, place) }
    return true
  }

  /// How surely a colour is a lit pupil's, 0 to 1.
  private static func redness(_ red: Float, _ green: Float, _ blue: Float) -> Float {
    // A brown iris is darker, and far greener than blue.
    guard red > 90, green < 1.7 * max(blue, 16) else { return 0 }
    let ratio = red / max((green + blue) / 2, 8)
    let place = min(max((ratio - 2) / 0.8, 0), 1)
    return place * place * (3 - 2 * place)
  }

  private static func colors(_ picture: CVPixelBuffer, _ x: Int, _ y: Int) -> (Float, Float, Float) {
    let row = picture.planes[0].row(y)
    return (Float(row[4 * x + 2]), Float(row[4 * x + 1]), Float(row[4 * x]))
  }

  private static func darken(_ picture: CVPixelBuffer, _ place: Place) {
    let row = picture.planes[0].row(place.y)
    for index in 4 * place.x..<4 * place.x + 3 {
      row[index] = UInt8(min(max(Float(row[index]) + (place.dark - Float(row[index])) * place.share, 0), 255))
    }
  }

  private static func isVideoRange(_ picture: CVPixelBuffer) -> Bool {
    picture.format == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
  }

  private static func planarColors(_ picture: CVPixelBuffer, _ x: Int, _ y: Int) -> (Float, Float, Float) {
    let isVideo = isVideoRange(picture)
    var luma: Float = 0
    for row in 2 * y..<2 * y + 2 {
      for column in 2 * x..<2 * x + 2 { luma += Float(picture.planes[0].row(row)[column]) / 4 }
    }
    let chroma = picture.planes[1].row(y)
    var (blue, red) = (Float(chroma[2 * x]) - 128, Float(chroma[2 * x + 1]) - 128)
    if isVideo {
      luma = (luma - 16) * 255 / 219
      (blue, red) = (blue * 255 / 224, red * 255 / 224)
    }
    // BT.601; what another matrix changes is less than what skin does.
    return (
      min(max(luma + 1.402 * red, 0), 255), min(max(luma - 0.344 * blue - 0.714 * red, 0), 255),
      min(max(luma + 1.772 * blue, 0), 255)
    )
  }

  private static func darkenPlanes(_ picture: CVPixelBuffer, _ place: Place) {
    let dark = isVideoRange(picture) ? place.dark * 219 / 255 + 16 : place.dark
    for row in 2 * place.y..<2 * place.y + 2 {
      let luma = picture.planes[0].row(row)
      for column in 2 * place.x..<2 * place.x + 2 {
        luma[column] = UInt8(
          min(max(Float(luma[column]) + (dark - Float(luma[column])) * place.share, 0), 255))
      }
    }
    let chroma = picture.planes[1].row(place.y)
    for index in 2 * place.x..<2 * place.x + 2 {
      chroma[index] = UInt8(Float(chroma[index]) + (128 - Float(chroma[index])) * place.share)
    }
  }
}
