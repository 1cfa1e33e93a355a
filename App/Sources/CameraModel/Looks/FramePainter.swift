import AVFoundation

/// Draws the frames of a preview layer, upright and with a filter; for one thread.
final class FramePainter {
  private let layer: AVCaptureVideoPreviewLayer
  private var pool: (size: CGSize, pool: CVPixelBufferPool)?

  init(_ layer: AVCaptureVideoPreviewLayer) {
    self.layer = layer
  }

  /// Returns the frame in BGRA, as large as it fits into the place; `nil` where there is no room or no memory.
  func paint(_ frame: PreviewFrame, in place: CGSize, _ filter: PhotoFilter) -> CVPixelBuffer? {
    let fit = frame.geometry(gravity: .resizeAspect, in: CGRect(origin: .zero, size: place)).pictureRect
    let size = CGSize(width: fit.width.rounded(), height: fit.height.rounded())
    guard size.width >= 2, size.height >= 2, let buffer = makeBuffer(size) else { return nil }
    layer.bounds = CGRect(origin: .zero, size: size)
    layer.videoGravity = .resize
    guard (try? layer.drawPicture(into: buffer)) == true else { return nil }
    if let matrix = filter.matrix { Self.change(buffer, by: matrix) }
    return buffer
  }

  private static func change(_ buffer: CVPixelBuffer, by matrix: ColorMatrix) {
    CVPixelBufferLockBaseAddress(buffer, [])
    defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
    guard let base = CVPixelBufferGetBaseAddress(buffer) else { return }
    matrix.apply(
      to: base, width: CVPixelBufferGetWidth(buffer), height: CVPixelBufferGetHeight(buffer),
      bytesPerRow: CVPixelBufferGetBytesPerRow(buffer))
  }

  private func makeBuffer(_ size: CGSize) -> CVPixelBuffer? {
    if pool?.size != size {
      pool = CVPixelBufferPool.made(kCVPixelFormatType_32BGRA, size).map { (size, $0) }
    }
    return pool?.pool.makeBuffer()
  }
}

extension CVPixelBufferPool {
  /// A pool of buffers of the format and size.
  static func made(_ pixelFormat: OSType, _ size: CGSize) -> CVPixelBufferPool? {
    var made: CVPixelBufferPool?
    let wanted: [CFString: Any] = [
      kCVPixelBufferPixelFormatTypeKey: pixelFormat, kCVPixelBufferWidthKey: Int(size.width),
      kCVPixelBufferHeightKey: Int(size.height),
    ]
    CVPixelBufferPoolCreate(nil, nil, wanted, &made)
    return made
  }

  /// A buffer that nobody else holds; `nil` without memory.
  func makeBuffer() -> CVPixelBuffer? {
    var buffer: CVPixelBuffer?
    CVPixelBufferPoolCreatePixelBuffer(nil, self, &buffer)
    return buffer
  }
}
