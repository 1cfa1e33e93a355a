public import FoundationExtras

/// An error of transforming a frame.
public enum PixelTransformError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The format can be stored but not converted, or not at all.
  case formatUnsupported(OSType)
  /// The crop reaches outside the picture or is empty.
  case cropOutside(PixelRect, of: PixelSize)
  /// A size of zero or less, or beyond what the address space holds.
  case sizeInvalid(PixelSize)
  /// Every buffer of the pool is held by clients: drop the frame and go on.
  case poolExhausted
  /// The buffer could not be made or its memory not be reached; the code is CoreVideo's.
  case bufferUnavailable(Int32)
  /// The destination is the source, or its size is not the transform's.
  case destinationUnsuitable

  /// One sentence: what failed, why, what to do.
  public var description: String {
    switch self {
    case .formatUnsupported(let format):
      "Pixel format '\(FourCharacterCode(rawValue: format))' cannot be converted; ask for 420v, 420f or BGRA."
    case .cropOutside(let rect, let size):
      "The crop \(rect) does not lie inside the picture of \(size); choose a rectangle within it."
    case .sizeInvalid(let size):
      "A picture of \(size) cannot be made; choose a width and height of at least 1."
    case .poolExhausted:
      "All buffers of the pool are in use; release frames sooner or hold fewer of them."
    case .bufferUnavailable(let code):
      "The pixel buffer's memory cannot be used (CoreVideo error \(code)); check that it is not locked or empty."
    case .destinationUnsuitable:
      "The destination's size is not the one the transform makes; create it with outputSize(for:)."
    }
  }
}
