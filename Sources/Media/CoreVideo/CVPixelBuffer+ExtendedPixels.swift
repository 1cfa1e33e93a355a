/// Writes the picture's outermost pixels into the memory beyond its edges, as filters that look past an edge want it.
///
/// Does nothing to a buffer without extended pixels.
///
/// - Returns: `kCVReturnSuccess`, or `kCVReturnInvalidPixelFormat` when the format has no known layout.
@discardableResult
public func CVPixelBufferFillExtendedPixels(_ pixelBuffer: CVPixelBuffer) -> CVReturn {
  guard pixelBuffer.extended != PixelBufferGeometry.ExtendedPixels() else { return kCVReturnSuccess }
  guard let layout = pixelBuffer.layout else { return kCVReturnInvalidPixelFormat }
  for (plane, form) in zip(pixelBuffer.planes, layout.planes) {
    fillEdges(of: plane, form, pixelBuffer.extended)
  }
  return kCVReturnSuccess
}

private func fillEdges(
  of plane: PixelPlane, _ form: PixelFormatLayout.Plane, _ extended: PixelBufferGeometry.ExtendedPixels
) {
  func blocks(_ columns: Int) -> Int { (columns + form.blockWidth - 1) / form.blockWidth }
  let size = form.bitsPerBlock / 8
  let left = blocks(form.width(ofPicture: extended.left))
  let inside = blocks(plane.width)
  let right =
    blocks(left * form.blockWidth + plane.width + form.width(ofPicture: extended.right)) - left - inside

  func copy(_ count: Int, from source: UnsafeMutableRawPointer, to destination: UnsafeMutableRawPointer) {
    for index in 0..<count { (destination + index * size).copyMemory(from: source, byteCount: size) }
  }
  for row in 0..<plane.height {
    let first = plane.baseAddress + row * plane.bytesPerRow
    copy(left, from: first, to: first - left * size)
    copy(right, from: first + (inside - 1) * size, to: first + inside * size)
  }

  let start = plane.baseAddress - left * size
  let bytes = (left + inside + right) * size
  for row in 1..<(form.height(ofPicture: extended.top) + 1) {
    (start - row * plane.bytesPerRow).copyMemory(from: start, byteCount: bytes)
  }
  let last = start + (plane.height - 1) * plane.bytesPerRow
  for row in 1..<(form.height(ofPicture: extended.bottom) + 1) {
    (last + row * plane.bytesPerRow).copyMemory(from: last, byteCount: bytes)
  }
}
