package import CoreVideo
internal import CFusion
internal import FoundationExtras
internal import PixelTransforms

/// Gives the middle of a picture the fine detail that a camera with a longer lens saw there.
///
/// The brightness, the colours and the coarse shapes stay the picture's own, so that nothing shows where the other's view ends; only
/// what a spline of two scales smooths away (as for denoising, see Develop.h) is the other's. Each part takes it as far as both pictures
/// agree once their finest scales are gone, by the rule of a burst: what differs by more than noise has moved, is hidden
/// from one of the cameras or lies elsewhere for it, and stays as it was.
///
/// The same pictures give the same bytes, whatever the number of threads and the processor. Thread-safe; runs on the caller's thread
/// and up to ``threads`` − 1 others, and returns when done.
package struct DetailFuser: Sendable {
  /// The most threads that one fusion uses.
  package let threads: Int
  private let transformer: PixelTransformer

  /// A fuser for `threads` threads, the caller's included.
  package init(threads: Int = Tiles.threads) {
    self.threads = max(1, threads)
    transformer = PixelTransformer(bufferLimit: .max, threads: threads)
  }

  /// The picture with the detail of the other one.
  ///
  /// - Parameters:
  ///   - picture: What is to be improved, 4:2:0 of 8 or 10 bits.
  ///   - detail: The other camera's picture of the same moment, in the same size.
  ///   - share: The part of the picture's sides that the other's view covers in its middle, below 1.
  /// - Returns: A picture in a new buffer; `nil` where nothing can be gained: the other picture shows another scene, or is too small or
  ///   of another kind.
  /// - Throws: `PixelTransformError`, and ``FusionError`` where memory is missing.
  /// - Complexity: Some passes over what the other covers, and a burst's alignment at a quarter of the size.
  package func fuse(_ picture: CVPixelBuffer, detail: CVPixelBuffer, share: Double) throws -> CVPixelBuffer? {
    let (width, height) = (CVPixelBufferGetWidth(picture), CVPixelBufferGetHeight(picture))
    let format = CVPixelBufferGetPixelFormatType(picture)
    guard let layout = FusionLayout(format), layout.sharesChromaRows, share > 0.1, share < 1,
      CVPixelBufferGetWidth(detail) == width, CVPixelBufferGetHeight(detail) == height
    else { return nil }
    let size = PixelSize(width: Self.even(Double(width) * share), height: Self.even(Double(height) * share))
    guard min(size.width, size.height) >= Self.least else { return nil }
    // As the picture is coded; its size is that of one zoom factor: no pool keeps it.
    var made: CVPixelBuffer?
    let code = CVPixelBufferCreate(nil, size.width, size.height, format, nil, &made)
    guard let scaled = made else { throw FusionError.noMemory(code) }
    CVBufferPropagateAttachments(picture, scaled)
    try transformer.apply(FrameTransform(size: size), to: detail, into: scaled)
    let result = try transformer.copy(picture)
    let work = RowWork(threads: threads)
    let place = (x: (width - size.width) / 4 * 2, y: (height - size.height) / 4 * 2)
    return try Self.locked(picture, .readOnly) {
      try Self.locked(scaled, []) {
        try Self.locked(result, []) {
          guard let own = FusionFrame(picture, layout: layout),
            let patch = FusionFrame(scaled, layout: layout), let target = FusionFrame(result, layout: layout),
            let merge = DetailMerge(
              FusionFrame(part: own, x: place.x, y: place.y, like: patch), patch, LumaRange(layout), work)
          else { return nil }
          merge.run(into: FusionFrame(part: target, x: place.x, y: place.y, like: patch), work)
          return result
        }
      }
    }
  }

  /// The shortest side that pictures are compared in.
  private static let least = 160

  private static func even(_ length: Double) -> Int { Int((length / 2).rounded()) * 2 }

  private static func locked<Value>(
    _ buffer: CVPixelBuffer, _ flags: CVPixelBufferLockFlags, _ body: () throws -> Value
  ) throws -> Value {
    let code = CVPixelBufferLockBaseAddress(buffer, flags)
    guard code == kCVReturnSuccess else { throw FusionError.noMemory(code) }
    defer { CVPixelBufferUnlockBaseAddress(buffer, flags) }
    return try body()
  }
}
