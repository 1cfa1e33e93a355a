import ImageIO
import AVFoundation
import Testing

@Suite("Photo orientation")
struct PhotoOrientationTests {
  /// Where the pixel at column `x`, row `y` of a 3×2 picture is shown by a viewer that honours `orientation` (EXIF 2.32,
  /// 4.6.4: which side of the scene row 0 and column 0 are).
  private func shown(_ x: Int, _ y: Int, by orientation: CGImagePropertyOrientation) -> [Int] {
    let right = 2, bottom = 1
    return switch orientation {
    case .up: [x, y]
    case .upMirrored: [right - x, y]
    case .down: [right - x, bottom - y]
    case .downMirrored: [x, bottom - y]
    case .leftMirrored: [y, x]
    case .right: [bottom - y, x]
    case .rightMirrored: [bottom - y, right - x]
    case .left: [y, right - x]
    }
  }

  /// Turns clockwise by quarter turns, then mirrors, as `AVCaptureConnection` defines it.
  private func turned(_ x: Int, _ y: Int, angle: Int, isMirrored: Bool) -> [Int] {
    var (x, y, width, height) = (x, y, 3, 2)
    for _ in 0..<(angle / 90) {
      (x, y) = (height - 1 - y, x)
      (width, height) = (height, width)
    }
    return [isMirrored ? width - 1 - x : x, y]
  }

  @Test(arguments: [0, 90, 180, 270], [false, true])
  func `the number in the file turns the picture as the connection would`(angle: Int, isMirrored: Bool) {
    let orientation = CGImagePropertyOrientation(rotationAngle: angle, isMirrored: isMirrored)
    for y in 0..<2 {
      for x in 0..<3 {
        #expect(shown(x, y, by: orientation) == turned(x, y, angle: angle, isMirrored: isMirrored))
      }
    }
  }

  @Test func `angles below zero and above a full turn count`() {
    #expect(CGImagePropertyOrientation(rotationAngle: -90, isMirrored: false) == .left)
    #expect(CGImagePropertyOrientation(rotationAngle: 450, isMirrored: false) == .right)
  }
}
