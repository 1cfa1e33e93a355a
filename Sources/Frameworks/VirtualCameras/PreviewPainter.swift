internal import AVFoundation
internal import FoundationExtras

/// Draws the frames of a preview layer, upright; for one thread.
final class PreviewPainter {
  private let layer: AVCaptureVideoPreviewLayer
  private var pool: (size: CGSize, pool: CVPixelBufferPool)?

  init(_ layer: AVCaptureVideoPreviewLayer) {
    self.layer = layer
  }

  /// Returns the frame in BGRA, as large as it fits into the place; `nil` where there is no room or no memory.
  func paint(_ frame: PreviewFrame, in place: CGSize) -> CVPixelBuffer? {
    let fit = frame.geometry(gravity: .resizeAspect, in: CGRect(origin: .zero, size: place)).pictureRect
    let size = CGSize(width: fit.width.rounded(), height: fit.height.rounded())
    guard size.width >= 2, size.height >= 2, let buffer = makeBuffer(size) else { return nil }
    layer.bounds = CGRect(origin: .zero, size: size)
    layer.videoGravity = .resize
    guard (try? layer.drawPicture(into: buffer)) == true else { return nil }
    return buffer
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

  /// A buffer of the pool that is not in use; `nil` without memory.
  func makeBuffer() -> CVPixelBuffer? {
    var buffer: CVPixelBuffer?
    CVPixelBufferPoolCreatePixelBuffer(nil, self, &buffer)
    return buffer
  }
}
