public import CoreVideo
public import FoundationExtras
internal import Linux

/// Crops, turns, mirrors, scales and converts pixel buffers.
///
/// One object serves one stream of frames: it owns the pools its results come from and the memory between steps.
/// Thread-safe; runs on the caller's thread, big pictures in strips over the cores, and returns when done.
public final class PixelTransformer: Sendable {
  private struct PoolKey: Hashable {
    var size: PixelSize
    var format: OSType
  }

  private let pools = Locked<[PoolKey: CVPixelBufferPool]>([:])
  private let written = Locked(0)
  private let scratch = ScratchMemory()
  private let bufferLimit: Int
  let threads: Int

  /// A transformer without any memory yet.
  ///
  /// - Parameters:
  ///   - bufferLimit: How many results of one size and format may be alive at once; the next one throws
  ///     ``PixelTransformError/poolExhausted``. More lets clients hold more frames and costs their memory.
  ///   - threads: How many threads a big picture may use at once, the caller's included.
  public init(bufferLimit: Int = 16, threads: Int = Tiles.threads) {
    self.bufferLimit = max(1, bufferLimit)
    self.threads = max(1, threads)
  }

  /// Bytes of pixels this transformer has written, steps in between included.
  public var bytesWritten: Int {
    written.withLock { $0 }
  }

  /// The picture of `source` under `transform`.
  ///
  /// When the transform changes nothing the result is the very same object and no byte is written. Otherwise it is a
  /// buffer of the transformer's pool that carries the source's propagated attachments, with the Y′CbCr matrix set
  /// explicitly. A Y′CbCr source without the attachment is taken as ``YCbCrMatrix/assumed(for:)``; an R′G′B′ source
  /// becomes the matrix assumed for the output's size. Ranges follow the pixel formats.
  ///
  /// Cost: none for the identity; else one pass over the pixels per step that changes something (turn, scale,
  /// convert), the steps on the smaller picture where the order is free.
  ///
  /// - Throws: ``PixelTransformError``.
  public func apply(_ transform: FrameTransform, to source: CVPixelBuffer) throws -> CVPixelBuffer {
    if transform.isIdentity(for: source) { return source }
    let format = CVPixelBufferGetPixelFormatType(source)
    let size = transform.outputSize(
      for: PixelSize(width: CVPixelBufferGetWidth(source), height: CVPixelBufferGetHeight(source)))
    let target = try makeBuffer(size: size, pixelFormat: transform.pixelFormat ?? format)
    CVBufferPropagateAttachments(source, target)
    try write(transform, from: source, to: target, matrix: transform.matrix)
    return target
  }

  /// The same picture in a buffer of the transformer's pool, with the source's propagated attachments; any pixel format.
  ///
  /// For pictures that outlive the memory they came in. Cost: one pass over the bytes.
  ///
  /// - Throws: ``PixelTransformError``.
  public func copy(_ source: CVPixelBuffer) throws -> CVPixelBuffer {
    let size = PixelSize(width: CVPixelBufferGetWidth(source), height: CVPixelBufferGetHeight(source))
    let target = try makeBuffer(size: size, pixelFormat: CVPixelBufferGetPixelFormatType(source))
    CVBufferPropagateAttachments(source, target)
    try withLocked(source, target) {
      zip(source.planes, target.planes).reduce(0) { bytes, planes in
        let (from, to) = planes
        let count = min(from.bytesPerRow, to.bytesPerRow)
        for row in 0..<min(from.height, to.height) {
          to.row(row).copyMemory(from: UnsafeRawBufferPointer(rebasing: from.row(row)[..<count]))
        }
        return bytes + count * from.height
      }
    }
    return target
  }

  /// Writes the picture of `source` under `transform` into `target`, whose size and format decide over the
  /// transform's ``FrameTransform/size`` and ``FrameTransform/pixelFormat``.
  ///
  /// The target's own Y′CbCr matrix attachment is honoured; without one it gets the transform's or the source's.
  /// Other attachments are left alone.
  ///
  /// - Throws: ``PixelTransformError``; `destinationUnsuitable` when `target` is `source`.
  public func apply(_ transform: FrameTransform, to source: CVPixelBuffer, into target: CVPixelBuffer) throws
  {
    guard target !== source else { throw PixelTransformError.destinationUnsuitable }
    let named = CVBufferCopyAttachment(target, kCVImageBufferYCbCrMatrixKey, nil) as? String
    try write(
      transform, from: source, to: target,
      matrix: named.flatMap(YCbCrMatrix.init(attachment:)) ?? transform.matrix)
  }

  /// Lends a part of `source` as BGRA for the time of `body`: the first pixel and the bytes from row to row.
  ///
  /// For readers of many small parts: the memory is the transformer's own and used again, no buffer is made.
  ///
  /// - Parameter crop: Inside the picture; in formats with subsampled colour its origin is rounded down.
  /// - Throws: ``PixelTransformError``.
  package func withBGRA(
    _ crop: PixelRect, of source: CVPixelBuffer, _ body: (UnsafePointer<UInt8>, Int) -> Void
  ) throws {
    let format = CVPixelBufferGetPixelFormatType(source)
    guard let layout = PixelLayout(format) else { throw PixelTransformError.formatUnsupported(format) }
    let locked = CVPixelBufferLockBaseAddress(source, .readOnly)
    guard locked == kCVReturnSuccess else { throw PixelTransformError.bufferUnavailable(locked) }
    defer { CVPixelBufferUnlockBaseAddress(source, .readOnly) }
    guard let view = PixelView(source, layout: layout) else {
      throw PixelTransformError.bufferUnavailable(kCVReturnInvalidArgument)
    }
    let matrix = layout.isYCbCr ? YCbCrMatrix(of: source) : .bt601
    let run = TransformRun(
      transform: FrameTransform(crop: crop), scratch: scratch, threads: threads,
      sourceEncoding: YCbCrEncoding(matrix: matrix, isFullRange: layout.isFullRange),
      targetEncoding: YCbCrEncoding(matrix: matrix, isFullRange: true))
    let kind = PixelLayout.Kind.rgb32(.bgra)
    let bytes = try scratch.lend(PixelView.bytes(kind, size: crop.size)) { memory in
      let target = PixelView(kind, isFullRange: true, size: crop.size, memory: memory)
      let bytes = try run.write(view, to: target)
      body(target.plane0.base, target.plane0.stride)
      return bytes
    }
    written.withLock { $0 += bytes }
    PixelTraffic.count(bytes)
  }

  /// An empty buffer of the transformer's pool for `size` and `pixelFormat`.
  ///
  /// - Throws: ``PixelTransformError/poolExhausted`` when ``init(bufferLimit:threads:)``'s limit is alive.
  public func makeBuffer(size: PixelSize, pixelFormat: OSType) throws -> CVPixelBuffer {
    guard size.width > 0, size.height > 0, size.width <= 65536, size.height <= 65536 else {
      throw PixelTransformError.sizeInvalid(size)
    }
    let pool = try pool(for: PoolKey(size: size, format: pixelFormat))
    var buffer: CVPixelBuffer?
    let result = CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(
      nil, pool, [kCVPixelBufferPoolAllocationThresholdKey: bufferLimit], &buffer)
    if result == kCVReturnWouldExceedAllocationThreshold { throw PixelTransformError.poolExhausted }
    guard let buffer else { throw PixelTransformError.bufferUnavailable(result) }
    return buffer
  }

  private func pool(for key: PoolKey) throws -> CVPixelBufferPool {
    // Pools that are given up go after the lock is left.
    var old: [PoolKey: CVPixelBufferPool] = [:]
    defer { withExtendedLifetime(old) {} }
    return try pools.withLock { pools in
      if let pool = pools[key] { return pool }
      var pool: CVPixelBufferPool?
      let result = CVPixelBufferPoolCreate(
        nil, nil,
        [
          kCVPixelBufferPixelFormatTypeKey: key.format, kCVPixelBufferWidthKey: key.size.width,
          kCVPixelBufferHeightKey: key.size.height,
        ], &pool)
      guard let pool else { throw PixelTransformError.bufferUnavailable(result) }
      // A stream keeps its sizes; a client that changes them for ever must not collect pools.
      if pools.count >= 8 { swap(&old, &pools) }
      pools[key] = pool
      return pool
    }
  }

  private func write(
    _ transform: FrameTransform, from source: CVPixelBuffer, to target: CVPixelBuffer, matrix: YCbCrMatrix?
  ) throws {
    let format = CVPixelBufferGetPixelFormatType(source)
    let targetFormat = CVPixelBufferGetPixelFormatType(target)
    guard let layout = PixelLayout(format) else { throw PixelTransformError.formatUnsupported(format) }
    guard let targetLayout = PixelLayout(targetFormat) else {
      throw PixelTransformError.formatUnsupported(targetFormat)
    }
    let isColored = layout.isYCbCr && !layout.isGray
    let size = PixelSize(width: CVPixelBufferGetWidth(target), height: CVPixelBufferGetHeight(target))
    let outputMatrix = matrix ?? (isColored ? YCbCrMatrix(of: source) : YCbCrMatrix.assumed(for: size))
    let sourceMatrix = isColored ? YCbCrMatrix(of: source) : outputMatrix
    let run = run(
      transform, sourceEncoding: YCbCrEncoding(matrix: sourceMatrix, isFullRange: layout.isFullRange),
      targetEncoding: YCbCrEncoding(matrix: outputMatrix, isFullRange: targetLayout.isFullRange))
    try withLockedViews(source, layout, target, targetLayout) { try run.write($0, to: $1) }
    name(outputMatrix, on: target, targetLayout)
  }

  /// Says on a written buffer by which matrix its colours became luma and chroma.
  func name(_ matrix: YCbCrMatrix, on target: CVPixelBuffer, _ layout: PixelLayout) {
    if layout.isYCbCr && !layout.isGray {
      CVBufferSetAttachment(target, kCVImageBufferYCbCrMatrixKey, matrix.attachment, .shouldPropagate)
    } else {
      CVBufferRemoveAttachment(target, kCVImageBufferYCbCrMatrixKey)
    }
  }

  // MARK: For drawing and transforming

  func run(
    _ transform: FrameTransform, sourceEncoding: YCbCrEncoding, targetEncoding: YCbCrEncoding
  ) -> TransformRun {
    TransformRun(
      transform: transform, scratch: scratch, threads: threads, sourceEncoding: sourceEncoding,
      targetEncoding: targetEncoding)
  }

  func lend<Result>(_ bytes: Int, _ body: (UnsafeMutablePointer<UInt8>) throws -> Result) rethrows -> Result {
    try scratch.lend(bytes, body)
  }

  /// Runs `body` on the memory of both buffers, and counts the bytes that it says it has written.
  func withLockedViews(
    _ source: CVPixelBuffer, _ layout: PixelLayout, _ target: CVPixelBuffer, _ targetLayout: PixelLayout,
    _ body: (PixelView, PixelView) throws -> Int
  ) throws {
    try withLocked(source, target) {
      guard let sourceView = PixelView(source, layout: layout),
        let targetView = PixelView(target, layout: targetLayout)
      else { throw PixelTransformError.bufferUnavailable(kCVReturnInvalidArgument) }
      return try body(sourceView, targetView)
    }
  }

  /// Runs `body` while `source` may be read and `target` written, and counts the bytes that it says it has written.
  private func withLocked(_ source: CVPixelBuffer, _ target: CVPixelBuffer, _ body: () throws -> Int) throws {
    let locked = CVPixelBufferLockBaseAddress(source, .readOnly)
    guard locked == kCVReturnSuccess else { throw PixelTransformError.bufferUnavailable(locked) }
    defer { CVPixelBufferUnlockBaseAddress(source, .readOnly) }
    try withLocked(target, body)
  }

  /// Runs `body` while `target` may be written, and counts the bytes that it says it has written.
  func withLocked(_ target: CVPixelBuffer, _ body: () throws -> Int) throws {
    let targetLocked = CVPixelBufferLockBaseAddress(target, [])
    guard targetLocked == kCVReturnSuccess else { throw PixelTransformError.bufferUnavailable(targetLocked) }
    defer { CVPixelBufferUnlockBaseAddress(target, []) }
    let bytes = try body()
    written.withLock { $0 += bytes }
    PixelTraffic.count(bytes)
  }
}
