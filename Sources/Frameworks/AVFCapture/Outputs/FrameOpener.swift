package import CaptureDevice
internal import CoreMedia
package import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import PixelTransforms
internal import StillCodecs

/// Turns what a device sent into pixels: nothing to do for uncompressed frames, decoding for JPEG ones.
///
/// One for each stream: it owns the pool that its decoded pictures come from. Thread-safe.
package final class FrameOpener: Sendable {
  private let pool: PixelTransformer

  /// An opener without any memory yet.
  ///
  /// - Parameter bufferLimit: How many decoded pictures may be alive at once; the next throws
  ///   `PixelTransformError.poolExhausted`.
  package init(bufferLimit: Int = 16) {
    pool = PixelTransformer(bufferLimit: bufferLimit)
  }

  /// The frame's picture: the device's own memory, or a decoded 4:2:0 full-range one.
  ///
  /// Decoding is strict: a picture that is damaged anywhere is an error and not a picture with a gray half.
  /// - Throws: `StillCodecError` when the JPEG is broken or of another size than the device said;
  ///   `PixelTransformError`.
  package func open(_ frame: CapturedFrame) throws -> CVPixelBuffer {
    switch frame.picture {
    case .pixels(let pixels): return pixels
    case .jpeg(let block, let size):
      let buffer = try pool.makeBuffer(
        size: PixelSize(size), pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
      try Self.withBytes(of: block) { data in
        CVPixelBufferLockBaseAddress(buffer, [])
        defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
        try JPEGDecoder.decode(data, into: buffer, isStrict: true)
      }
      return buffer
    }
  }

  /// Lends the block's bytes as data, without a copy where they lie in one piece; they must not be kept.
  private static func withBytes(of block: CMBlockBuffer, _ body: (Data) throws -> Void) throws {
    var contiguous: CMBlockBuffer? = block
    let length = CMBlockBufferGetDataLength(block)
    if !CMBlockBufferIsRangeContiguous(block, atOffset: 0, length: length) {
      _ = CMBlockBufferCreateContiguous(
        allocator: kCFAllocatorDefault, sourceBuffer: block, blockAllocator: kCFAllocatorDefault,
        customBlockSource: nil, offsetToData: 0, dataLength: length, flags: 0, blockBufferOut: &contiguous)
    }
    var pointer: UnsafeMutablePointer<CChar>?
    guard let contiguous, length > 0,
      CMBlockBufferGetDataPointer(
        contiguous, atOffset: 0, lengthAtOffsetOut: nil, totalLengthOut: nil, dataPointerOut: &pointer)
        == kCMBlockBufferNoErr,
      let pointer
    else { return try body(Data()) }
    try withExtendedLifetime(contiguous) {
      try body(Data(bytesNoCopy: pointer, count: length, deallocator: .none))
    }
  }
}

extension PixelSize {
  /// The same size in the engines' terms.
  init(_ size: FrameSize) {
    self.init(width: size.width, height: size.height)
  }
}
