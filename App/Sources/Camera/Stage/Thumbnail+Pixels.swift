import CameraModel
import Foundation
import GTKLayers

/// Keeps a small picture's bytes at their place.
private final class KeptBytes: @unchecked Sendable {  // Safe because the bytes are constant.
  let bytes: NSData
  init(_ data: Data) { bytes = NSData(data: data) }
}

extension Thumbnail {
  /// The square in the middle, as GTK takes it.
  var square: Pixels {
    let whole = pixels
    let side = min(width, height)
    let corner = (height - side) / 2 * whole.bytesPerRow + (width - side) / 2 * 4
    return Pixels(
      width: side, height: side, bytesPerRow: whole.bytesPerRow, base: whole.base + corner, owner: whole.owner
    )
  }

  /// The bytes as GTK takes them.
  var pixels: Pixels { pixels(isOpaque: true) }

  /// The same; what lies below shows through where it is not opaque.
  func pixels(isOpaque: Bool) -> Pixels {
    let kept = KeptBytes(bytes)
    return Pixels(
      width: width, height: height, bytesPerRow: width * 4, base: kept.bytes.bytes, isOpaque: isOpaque,
      owner: kept)
  }
}
