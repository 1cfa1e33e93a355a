internal import CFusion
package import CoreVideo
internal import FoundationExtras
internal import PixelTransforms

/// Fuses the frames of a burst into one picture with less noise.
///
/// The same frames and options give the same bytes, whatever the number of threads and the processor. Thread-safe; runs on the caller's thread and
/// up to ``threads`` − 1 others, and returns when done.
///
/// The method is that of Hasinoff et al. 2016, *Burst photography for high dynamic range and low-light imaging on mobile
/// cameras*: tiles are aligned coarse to fine, and merged by weights that noise alone does not lower. Alignment to a
/// fraction of a pixel, a camera motion for all that stands still, and merging in space instead of frequencies are ours.
package struct FrameFuser: Sendable {
  /// The most threads that one fusion uses.
  package let threads: Int

  /// A fuser for `threads` threads, the caller's included.
  package init(threads: Int = Tiles.threads) {
    self.threads = max(1, threads)
  }

  /// Whether frames of this pixel format can be fused: luma and chroma, 8 or 10 bits, 4:2:0 or 4:2:2, other than three planes.
  package static func canFuse(_ pixelFormat: OSType) -> Bool {
    FusionLayout(pixelFormat) != nil
  }

  /// One picture of all frames that show the scene of the reference in its light.
  ///
  /// - Parameters:
  ///   - frames: At least one, of one size and a format that ``canFuse(_:)``; they are read and stay as they are. At most 60
  ///     are used.
  ///   - options: The choices, all of which have a default.
  /// - Returns: A picture in a new buffer of the frames' format. A single frame that is not developed is copied.
  /// - Throws: ``FusionError``.
  /// - Complexity: About 2 ms for each megapixel of each frame on one thread, less where the picture stands still.
  package func fuse(_ frames: [CVPixelBuffer], options: FusionOptions = FusionOptions()) throws -> FusedFrame
  {
    let burst = try Burst(Array(frames.prefix(60)), options)
    defer { burst.unlock() }
    let work = RowWork(threads: threads)
    burst.unpack(work)
    return try burst.fuse(options, work)
  }
}
