package import CoreVideo
package import Foundation
internal import FoundationExtras
internal import PixelTransforms

/// A drawn hand in a picture of 480 × 480, marked by hand: the smallest rectangle around it, and the fingertips that can be seen.
package struct DrawnHand: Sendable, CustomStringConvertible {
  /// The file's name without its end.
  package let name: String
  /// The hand with its flesh, in pixels.
  package let outline: CGRect
  /// Whether it is a right hand.
  package let isRight: Bool
  /// Tips of fingers that are stretched out, in pixels; the thumb is 0, the little finger 4.
  package let tips: [Int: CGPoint]

  /// The name.
  package var description: String { name }

  /// Every drawn hand, the open one first.
  package static let all = [
    DrawnHand(
      name: "hand-open", outline: CGRect(x: 173, y: 157, width: 139, height: 155), isRight: true,
      tips: [
        0: CGPoint(x: 307, y: 238), 1: CGPoint(x: 272, y: 174), 2: CGPoint(x: 240, y: 163),
        3: CGPoint(x: 208, y: 174), 4: CGPoint(x: 180, y: 191),
      ]),
    DrawnHand(
      name: "hand-victory", outline: CGRect(x: 184, y: 157, width: 111, height: 155), isRight: true,
      tips: [1: CGPoint(x: 289, y: 173), 2: CGPoint(x: 239, y: 163)]),
    DrawnHand(
      name: "hand-horns", outline: CGRect(x: 186, y: 156, width: 106, height: 156), isRight: true,
      tips: [1: CGPoint(x: 279, y: 164), 4: CGPoint(x: 195, y: 183)]),
    DrawnHand(
      name: "hand-thumb-up", outline: CGRect(x: 168, y: 158, width: 140, height: 154), isRight: false,
      tips: [0: CGPoint(x: 248, y: 164)]),
    DrawnHand(
      name: "hand-thumb-down", outline: CGRect(x: 171, y: 158, width: 138, height: 154), isRight: true,
      tips: [0: CGPoint(x: 249, y: 306)]),
    DrawnHand(
      name: "hand-up", outline: CGRect(x: 172, y: 157, width: 130, height: 155), isRight: true,
      tips: [0: CGPoint(x: 176, y: 242), 1: CGPoint(x: 222, y: 161)]),
    DrawnHand(
      name: "hand-left", outline: CGRect(x: 163, y: 170, width: 154, height: 130), isRight: false,
      tips: [0: CGPoint(x: 246, y: 174), 1: CGPoint(x: 164, y: 221)]),
    DrawnHand(
      name: "hand-right", outline: CGRect(x: 163, y: 170, width: 154, height: 130), isRight: true,
      tips: [0: CGPoint(x: 233, y: 174), 1: CGPoint(x: 314, y: 221)]),
  ]

  /// The open hand.
  package static let open = all[0]

  /// The picture, decoded.
  package func picture() throws -> CVPixelBuffer { try CVPixelBuffer.bundled(name) }

  /// The hands side by side on their own ground in a picture of `width` × `height`, the middle of each at its place.
  ///
  /// Y′CbCr in two planes, as cameras give it.
  package static func picture(
    of hands: [(hand: DrawnHand, center: CGPoint)], width: Int, height: Int
  ) throws -> CVPixelBuffer {
    let transformer = PixelTransformer()
    let canvas = try CVPixelBuffer(
      format: kCVPixelFormatType_32BGRA, width: width, height: height, attributes: [:])
    try withPixels(of: canvas) { pixels, columns, rows, stride in
      for y in 0..<rows { for x in 0..<columns { pixels[y * stride + x] = ground } }
    }
    for (hand, center) in hands {
      let part = try transformer.apply(
        FrameTransform(
          crop: PixelRect(x: 120, y: 120, width: 240, height: 240), pixelFormat: kCVPixelFormatType_32BGRA),
        to: hand.picture())
      let (left, top) = (Int(center.x) - 120, Int(center.y) - 120)
      try withPixels(of: part) { source, columns, rows, sourceStride in
        try withPixels(of: canvas) { target, width, height, stride in
          for y in max(0, -top)..<min(rows, height - top) {
            for x in max(0, -left)..<min(columns, width - left) {
              target[(top + y) * stride + left + x] = source[y * sourceStride + x]
            }
          }
        }
      }
    }
    return try transformer.apply(
      FrameTransform(pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange), to: canvas)
  }

  /// The colour around the drawn hands, as BGRA.
  private static let ground: UInt32 = 0xFF80_7060

  /// Lends the pixels of a BGRA picture, with its width, its height and the pixels from row to row.
  private static func withPixels(
    of picture: CVPixelBuffer, _ body: (UnsafeMutablePointer<UInt32>, Int, Int, Int) throws -> Void
  ) throws {
    guard CVPixelBufferLockBaseAddress(picture, []) == kCVReturnSuccess,
      let base = CVPixelBufferGetBaseAddress(picture)
    else { throw CocoaError(.fileReadUnknown) }
    defer { CVPixelBufferUnlockBaseAddress(picture, []) }
    try body(
      base.assumingMemoryBound(to: UInt32.self), CVPixelBufferGetWidth(picture),
      CVPixelBufferGetHeight(picture), CVPixelBufferGetBytesPerRow(picture) / 4)
  }
}
