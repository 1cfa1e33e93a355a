package import FoundationExtras

/// An error of fusing frames.
package enum FusionError: Error, Sendable, Hashable, CustomStringConvertible {
  /// There is no frame, or none that may be the reference.
  case noFrames
  /// The format is none of the luma-chroma formats that are fused.
  case formatUnsupported(OSType)
  /// The frame of this number differs from the first in size or format.
  case framesDiffer(index: Int)
  /// The buffer of this number has no memory that can be read.
  case bufferUnavailable(index: Int)
  /// No memory for the result; the code is CoreVideo's.
  case noMemory(Int32)

  /// One sentence: what failed, why, what to do.
  package var description: String {
    switch self {
    case .noFrames:
      "Nothing can be fused, because no frame was given that may be the reference; give at least one."
    case .formatUnsupported(let format):
      "Pixel format '\(FourCharacterCode(rawValue: format))' cannot be fused; convert the frames to 420v, 420f, 422v, yuvs or x420."
    case .framesDiffer(let index):
      "Frame \(index) has another size or pixel format than the first; fuse frames of one stream."
    case .bufferUnavailable(let index):
      "The memory of frame \(index) cannot be read; check that it is not empty or locked."
    case .noMemory(let code):
      "The fused picture's buffer cannot be made (CoreVideo error \(code)); fuse fewer or smaller frames."
    }
  }
}
