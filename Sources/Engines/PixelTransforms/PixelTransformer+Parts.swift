package import CoreVideo
internal import FoundationExtras

extension PixelTransformer {
  /// Fills parts of `target`, which are drawn as BGRA and converted while they are in the cache.
  ///
  /// Instead of a whole picture in between. Parts are drawn side by side on the cores; what lies beyond them stays.
  ///
  /// - Parameters:
  ///   - parts: Rectangles of the target, in pixels from its top left corner; their origins lie on even pixels.
  ///   - draw: Draws a part: where it lies, the memory of its first pixel, and the bytes from row to row.
  /// - Throws: ``PixelTransformError``.
  package func fill(
    _ target: CVPixelBuffer, parts: [PixelRect],
    _ draw: @Sendable (PixelRect, UnsafeMutablePointer<UInt8>, Int) -> Void
  ) throws {
    let format = CVPixelBufferGetPixelFormatType(target)
    guard let layout = PixelLayout(format) else { throw PixelTransformError.formatUnsupported(format) }
    let named = CVBufferCopyAttachment(target, kCVImageBufferYCbCrMatrixKey, nil) as? String
    let size = PixelSize(width: CVPixelBufferGetWidth(target), height: CVPixelBufferGetHeight(target))
    let matrix = named.flatMap(YCbCrMatrix.init(attachment:)) ?? YCbCrMatrix.assumed(for: size)
    let drawn = YCbCrEncoding(matrix: matrix, isFullRange: true)
    let stored = YCbCrEncoding(matrix: matrix, isFullRange: layout.isFullRange)
    let kind = PixelLayout.Kind.rgb32(.bgra)
    try withLocked(target) {
      guard let view = PixelView(target, layout: layout) else {
        throw PixelTransformError.bufferUnavailable(kCVReturnInvalidArgument)
      }
      Tiles.forEach(parts.count) { index in
        let part = parts[index]
        lend(PixelView.bytes(kind, size: part.size)) { memory in
          let picture = PixelView(kind, isFullRange: true, size: part.size, memory: memory)
          draw(part, picture.plane0.base, picture.plane0.stride)
          RowConversion(
            source: picture, target: view.cropped(to: part), sourceEncoding: drawn, targetEncoding: stored
          ).run(threads: 1)
        }
      }
      return view.byteCount
    }
    name(matrix, on: target, layout)
  }
}
