package import CoreVideo
internal import FoundationExtras

extension PixelTransformer {
  /// Shows a part of `source` in a part of `target`, scaled; the rest of the target becomes black.
  ///
  /// Exact to a fraction of a pixel, so that a part that moves slowly moves evenly. Enlarges between neighbours, shrinks by the exact
  /// box. Attachments stay as they are. Cost: a pass over the part, and one over the target.
  ///
  /// - Parameters:
  ///   - part: Of the source; what lies beyond it goes on as it ends.
  ///   - place: Of the target, from even pixels on; `nil` is all of it.
  ///   - target: Of the source's pixel format.
  /// - Throws: ``PixelTransformError``; `formatUnsupported` for formats other than 420 of two planes, BGRA and their like;
  ///   `destinationUnsuitable` when the target is the source or of another format, or a rectangle is empty or lies outside.
  package func show(
    _ part: PixelPlace, of source: CVPixelBuffer, in place: PixelRect? = nil, of target: CVPixelBuffer
  ) throws {
    let format = CVPixelBufferGetPixelFormatType(source)
    guard let layout = PixelLayout(format), PictureGeometry.scales(layout.kind) else {
      throw PixelTransformError.formatUnsupported(format)
    }
    let whole = PixelSize(width: CVPixelBufferGetWidth(target), height: CVPixelBufferGetHeight(target))
    let place = place ?? PixelRect(whole)
    guard target !== source, CVPixelBufferGetPixelFormatType(target) == format, part.width > 0,
      part.height > 0,
      place.width > 0, place.height > 0, place.x >= 0, place.y >= 0, place.x % 2 == 0, place.y % 2 == 0,
      place.x + place.width <= whole.width, place.y + place.height <= whole.height
    else { throw PixelTransformError.destinationUnsuitable }
    try withLockedViews(source, layout, target, layout) { view, canvas in
      if place != PixelRect(whole) {
        canvas.fillBlack(YCbCrEncoding(matrix: .bt601, isFullRange: layout.isFullRange))
      }
      let around = part.surroundings(in: view.size)
      let inner = PixelPlace(
        x: part.x - Double(around.x), y: part.y - Double(around.y), width: part.width, height: part.height)
      PictureGeometry.show(
        inner, of: view.cropped(to: around), in: canvas.cropped(to: place), threads: threads)
      return canvas.byteCount
    }
  }
}

extension PixelPlace {
  /// Whole pixels around the place, with what filters read beside it, inside a picture; begins on even ones.
  fileprivate func surroundings(in size: PixelSize) -> PixelRect {
    func range(_ start: Double, _ length: Double, _ all: Int) -> Range<Int> {
      let first = min(max(Int((start - 3).rounded(.down)), 0) & ~1, (all - 1) & ~1)
      let end = min(max(Int((start + length + 4).rounded(.up)), first + 2), all)
      return first..<max(end, first + 1)
    }
    let columns = range(x, width, size.width)
    let rows = range(y, height, size.height)
    return PixelRect(
      x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
  }
}
