package import CaptureDevice
internal import CoreMedia
package import CoreVideo
package import Foundation
internal import FoundationExtras
internal import Linux
package import PixelTransforms
internal import StillCodecs

/// Turns what a device sent into pixels: nothing to do for uncompressed frames, decoding for JPEG ones, developing for mosaics.
///
/// It refuses H.264 and HEVC, whose pictures build on each other: ``StreamDecoder`` is for them. One for each stream, in its ``FrameProcessor``: it owns the pool that its decoded pictures come from.
/// Thread-safe.
package final class FrameDecoder: Sendable {
  /// So many frames in a row with bytes left over and none without, and it is the camera's habit.
  package static let timeout = 5
  /// So many rows or columns beyond the format are left out; with one more it is a picture of another size.
  ///
  /// Cameras whose encoder knows whole blocks only say 1088 rows in their pictures where their format says 1080.
  package static let surplus = 15

  private struct Habits {
    var leftOver = 0
    var hasKeptTheRules = false
  }

  private let pool: PixelTransformer
  private let forgivesLeftOvers: Bool
  private let habits = Locked(Habits())
  private let mosaics: MosaicDeveloper

  /// A decoder without any memory yet.
  ///
  /// - Parameters:
  ///   - bufferLimit: How many decoded pictures may be alive at once; the next throws
  ///     `PixelTransformError.poolExhausted`.
  ///   - forgivesLeftOvers: Whether a picture with a few bytes too many is taken at once, and not only when the stream has
  ///     shown that its camera always writes them. For single pictures.
  package init(bufferLimit: Int = 16, forgivesLeftOvers: Bool = false) {
    pool = PixelTransformer(bufferLimit: bufferLimit)
    mosaics = MosaicDeveloper(pool)
    self.forgivesLeftOvers = forgivesLeftOvers
  }

  /// The frame's picture: the device's own memory, or a decoded or developed 4:2:0 full-range one.
  ///
  /// A picture that is damaged anywhere is an error and not a picture with a gray half; see `JPEGCheck`. A
  /// picture from the network is checked by the JPEG decoder alone: its transport has checksums and sequence numbers.
  /// - Throws: `StillCodecError` when the JPEG is broken or of another size than the device said, up to ``surplus``;
  ///   `PixelTransformError`; ``NoDecoder`` for H.264 and HEVC.
  package func open(_ frame: CapturedFrame) throws -> CVPixelBuffer {
    switch frame.picture {
    case .pixels(let pixels): return pixels
    case .jpeg(let block, let size): return try decode(block, size, isIntact: frame.content.isIntact)
    case .mosaic(let mosaic): return try mosaics.picture(of: mosaic, frame.conditions.state)
    case .coded: throw NoDecoder()
    }
  }

  /// A coded picture by itself, of which nothing can be made.
  package struct NoDecoder: Error {}

  private func decode(_ block: CMBlockBuffer, _ size: FrameSize, isIntact: Bool) throws -> CVPixelBuffer {
    let buffer = try pool.makeBuffer(
      size: PixelSize(size), pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
    try Self.withBytes(of: block) { data in
      CVPixelBufferLockBaseAddress(buffer, [])
      defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
      let isStrict = try isIntact || judge(data)
      try JPEGDecoder.decode(data, into: buffer, isStrict: isStrict, surplus: Self.surplus)
    }
    return buffer
  }

  /// Whether the decoder must look for damage itself.
  /// - Throws: `StillCodecError` for a damaged picture.
  private func judge(_ data: Data) throws -> Bool {
    switch JPEGCheck.verdict(on: data) {
    case .whole:
      habits.withLock { $0.hasKeptTheRules = true }
      return false
    case .otherKind: return true
    case .broken(let reason): throw StillCodecError.damagedJPEG(reason)
    case .leftOver:
      let isHabit = habits.withLock { habits in
        habits.leftOver += 1
        return !habits.hasKeptTheRules && habits.leftOver > Self.timeout
      }
      guard isHabit || forgivesLeftOvers else {
        throw StillCodecError.damagedJPEG("codes are left over behind the picture")
      }
      return true
    }
  }

  /// The JPEG file that the camera made of the frame, its compressed picture as it stands; `nil` when the camera sent
  /// pixels, a kind of JPEG that only video has, or a picture with more rows than its format.
  ///
  /// Copies the file. Padding behind its end is left out, and tables that readers outside of video need are put in.
  package func cameraFile(of frame: CapturedFrame) throws -> Data? {
    guard case .jpeg(let block, let size) = frame.picture else { return nil }
    var file: Data?
    try Self.withBytes(of: block) { data in
      guard let own = JPEGSegments.size(of: data), own == (size.width, size.height) else { return }
      switch JPEGCheck.verdict(on: data) {
      case .whole(let length), .leftOver(let length):
        file = JPEGMetadata.file(ofFrame: data, length: length)
      case .broken, .otherKind: break
      }
    }
    return file
  }

  /// Lends the block's bytes as data, without a copy where they lie in one piece; they must not be kept.
  static func withBytes(of block: CMBlockBuffer, _ body: (Data) throws -> Void) throws {
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
  package init(_ size: FrameSize) {
    self.init(width: size.width, height: size.height)
  }
}
