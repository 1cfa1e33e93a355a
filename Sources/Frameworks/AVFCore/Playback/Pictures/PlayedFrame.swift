internal import CoreMedia
internal import CoreVideo

/// A decoded picture of an item, and when it is shown.
struct PlayedFrame: Sendable {
  let pixels: CVPixelBuffer
  /// When it begins to be shown, in the item's time.
  let time: CMTime
  /// How long; invalid when the file does not say.
  let duration: CMTime
}
