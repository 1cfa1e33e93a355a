internal import CEffects
internal import CoreVideo
internal import FoundationExtras
internal import PixelTransforms

/// The memory of pictures that effects work on: 420v and 420f.
enum EffectPicture {
  /// Whether effects take a picture of this format.
  static func takes(_ format: OSType) -> Bool {
    format == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
      || format == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
  }

  /// Lends a picture for reading.
  ///
  /// - Throws: `PixelTransformError`.
  static func withReading<Result>(
    _ pixels: CVPixelBuffer, _ body: (effects_picture) throws -> Result
  ) throws -> Result {
    let format = CVPixelBufferGetPixelFormatType(pixels)
    guard takes(format) else { throw PixelTransformError.formatUnsupported(format) }
    return try withLocked(pixels, .readOnly, body)
  }

  /// Lends a picture for writing.
  ///
  /// - Throws: `PixelTransformError`.
  static func withWriting(_ pixels: CVPixelBuffer, _ body: (effects_picture) -> Void) throws {
    try withLocked(pixels, [], body)
  }

  /// Lends a picture for reading, and another of the same size and format for writing.
  ///
  /// - Throws: `PixelTransformError`; `destinationUnsuitable` when they are the same, or differ in size or format.
  static func withPictures(
    from source: CVPixelBuffer, to target: CVPixelBuffer,
    _ body: (effects_picture, effects_picture) throws -> Void
  ) throws {
    guard source !== target, isAlike(source, target) else { throw PixelTransformError.destinationUnsuitable }
    try withReading(source) { source in try withLocked(target, []) { try body(source, $0) } }
  }

  static func isAlike(_ one: CVPixelBuffer, _ other: CVPixelBuffer) -> Bool {
    CVPixelBufferGetWidth(one) == CVPixelBufferGetWidth(other)
      && CVPixelBufferGetHeight(one) == CVPixelBufferGetHeight(other)
      && CVPixelBufferGetPixelFormatType(one) == CVPixelBufferGetPixelFormatType(other)
  }

  /// Copies all rows.
  static func copy(_ source: effects_picture, to target: effects_picture) {
    for y in 0..<Int(source.height) {
      (target.luma + y * target.lumaStride).update(
        from: source.luma + y * source.lumaStride, count: Int(source.width))
    }
    for y in 0..<(Int(source.height) + 1) / 2 {
      (target.chroma + y * target.chromaStride).update(
        from: source.chroma + y * source.chromaStride, count: (Int(source.width) + 1) / 2 * 2)
    }
  }

  private static func withLocked<Result>(
    _ pixels: CVPixelBuffer, _ flags: CVPixelBufferLockFlags, _ body: (effects_picture) throws -> Result
  ) throws -> Result {
    let locked = CVPixelBufferLockBaseAddress(pixels, flags)
    guard locked == kCVReturnSuccess else { throw PixelTransformError.bufferUnavailable(locked) }
    defer { CVPixelBufferUnlockBaseAddress(pixels, flags) }
    guard pixels.planes.count >= 2 else {
      throw PixelTransformError.bufferUnavailable(kCVReturnInvalidArgument)
    }
    let (luma, chroma) = (pixels.planes[0], pixels.planes[1])
    return try body(
      effects_picture(
        luma: luma.baseAddress.assumingMemoryBound(to: UInt8.self),
        chroma: chroma.baseAddress.assumingMemoryBound(to: UInt8.self), lumaStride: luma.bytesPerRow,
        chromaStride: chroma.bytesPerRow, width: Int32(CVPixelBufferGetWidth(pixels)),
        height: Int32(CVPixelBufferGetHeight(pixels))))
  }
}

extension CellGrid {
  init(_ pixels: CVPixelBuffer) {
    self.init(width: CVPixelBufferGetWidth(pixels), height: CVPixelBufferGetHeight(pixels))
  }
}
