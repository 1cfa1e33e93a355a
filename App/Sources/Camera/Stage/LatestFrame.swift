import CameraModel
import Foundation
import GTKKit

/// What the preview's queue and the main thread share of the newest picture.
final class LatestFrame: @unchecked Sendable {  // Safe because it is used under its lock.
  private let lock = NSLock()
  private var newest: (size: CGSize, latency: Double)?
  private var depth = false

  func set(_ picture: LivePicture) {
    lock.withLock { newest = (picture.frameSize, picture.latency) }
  }

  var latest: (size: CGSize, latency: Double)? { lock.withLock { newest } }

  /// Whether depth maps are shown instead of pictures.
  var showsDepth: Bool {
    get { lock.withLock { depth } }
    set { lock.withLock { depth = newValue } }
  }
}

extension PictureBytes {
  /// The bytes as GTK takes them.
  var pixels: Pixels {
    Pixels(width: width, height: height, bytesPerRow: bytesPerRow, base: base, owner: self)
  }
}

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
  var pixels: Pixels {
    let kept = KeptBytes(bytes)
    return Pixels(width: width, height: height, bytesPerRow: width * 4, base: kept.bytes.bytes, owner: kept)
  }
}
