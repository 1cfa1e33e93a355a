package import CaptureDevice
internal import CoreMedia
package import CoreVideo
package import Foundation
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

  /// The JPEG file that the camera made of the frame, as it stands; `nil` when the camera sent pixels, or a file without
  /// the tables that readers outside of video need.
  ///
  /// Copies the file. Padding behind its end is left out.
  package func cameraFile(of frame: CapturedFrame) throws -> Data? {
    guard case .jpeg(let block, _) = frame.picture else { return nil }
    var file: Data?
    try Self.withBytes(of: block) { data in
      guard JPEGSegments(data).contains(where: { $0.marker == 0xC4 }),
        let end = data.range(of: Data([0xFF, 0xD9]), options: .backwards)
      else { return }
      // The block's bytes are only lent.
      file = data.withUnsafeBytes { Data($0.prefix(end.upperBound)) }
    }
    return file
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
