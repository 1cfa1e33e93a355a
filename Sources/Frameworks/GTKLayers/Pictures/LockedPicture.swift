#if GTKLayers
  internal import CoreVideo

  /// Keeps a pixel buffer's bytes at their place, to be read, as long as it lives.
  final class LockedPicture: @unchecked Sendable {  // Safe because the buffer is not written meanwhile.
    private let buffer: CVPixelBuffer
    private let base: UnsafeRawPointer

    /// - Returns: `nil` unless it is BGRA with bytes in memory.
    init?(_ buffer: CVPixelBuffer) {
      guard CVPixelBufferGetPixelFormatType(buffer) == kCVPixelFormatType_32BGRA,
        CVPixelBufferLockBaseAddress(buffer, .readOnly) == kCVReturnSuccess
      else { return nil }
      guard let base = CVPixelBufferGetBaseAddress(buffer) else {
        CVPixelBufferUnlockBaseAddress(buffer, .readOnly)
        return nil
      }
      self.buffer = buffer
      self.base = UnsafeRawPointer(base)
    }

    deinit {
      CVPixelBufferUnlockBaseAddress(buffer, .readOnly)
    }

    /// The picture's bytes.
    var pixels: Pixels {
      Pixels(
        width: CVPixelBufferGetWidth(buffer), height: CVPixelBufferGetHeight(buffer),
        bytesPerRow: CVPixelBufferGetBytesPerRow(buffer), base: base, owner: self)
    }
  }
#endif
