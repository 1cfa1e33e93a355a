import AVFoundation

/// A picture's bytes, which lie still as long as this lives.
package final class PictureBytes: @unchecked Sendable {  // Safe because the buffer is not written again.
  package let width: Int
  package let height: Int
  package let bytesPerRow: Int
  package let base: UnsafeRawPointer
  private let buffer: CVPixelBuffer

  /// Holds the buffer's bytes; `nil` when it has none.
  init?(_ buffer: CVPixelBuffer) {
    CVPixelBufferLockBaseAddress(buffer, .readOnly)
    guard let base = CVPixelBufferGetBaseAddress(buffer) else {
      CVPixelBufferUnlockBaseAddress(buffer, .readOnly)
      return nil
    }
    self.buffer = buffer
    self.base = UnsafeRawPointer(base)
    width = CVPixelBufferGetWidth(buffer)
    height = CVPixelBufferGetHeight(buffer)
    bytesPerRow = CVPixelBufferGetBytesPerRow(buffer)
  }

  deinit {
    CVPixelBufferUnlockBaseAddress(buffer, .readOnly)
  }
}
