internal import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import GraphicsCore
internal import PixelTransforms
internal import StillCodecs

/// A decoded picture on its way to an image: shape of the pixels, turn and size.
struct StillFrame {
  let pixels: CVPixelBuffer
  /// The size in which it is shown.
  let shownSize: CGSize
  let transform: CGAffineTransform
  let maximumSize: CGSize
  /// The part of the pixels that is shown; `nil` for all of them.
  var crop: PixelRect?

  func image() throws -> CGImage {
    let (turn, isMirrored) = Self.turn(transform)
    var size = PixelSize(
      width: max(1, Int(shownSize.width.rounded())), height: max(1, Int(shownSize.height.rounded())))
    if turn.isTransposing { size = size.transposed }
    let shrink = min(
      1, maximumSize.width > 0 ? Double(maximumSize.width) / Double(size.width) : 1,
      maximumSize.height > 0 ? Double(maximumSize.height) / Double(size.height) : 1)
    size = PixelSize(
      width: max(1, Int((Double(size.width) * shrink).rounded())),
      height: max(1, Int((Double(size.height) * shrink).rounded())))
    let change = FrameTransform(
      crop: crop, rotation: turn, isMirrored: isMirrored, size: size, pixelFormat: kCVPixelFormatType_32BGRA)
    return try CGImage.make(of: PixelTransformer().apply(change, to: pixels))
  }

  /// The quarter turn nearest to a transform, and whether left and right change places after it.
  static func turn(_ transform: CGAffineTransform) -> (QuarterTurn, Bool) {
    let isMirrored = transform.a * transform.d - transform.b * transform.c < 0
    // A mirrored transform is a turn, then a mirror: undone, it is the turn alone.
    let x = isMirrored ? -transform.a : transform.a
    let angle = atan2(Double(transform.b), Double(x)) * 180 / .pi
    return (QuarterTurn(degrees: Int((angle / 90).rounded()) * 90) ?? .none, isMirrored)
  }
}
