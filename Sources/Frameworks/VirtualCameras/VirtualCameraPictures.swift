internal import AVFoundation
internal import VideoToolbox

/// Makes the pictures that other programs get, of those that the preview would show; for one thread.
final class VirtualCameraPictures {
  /// The pixel format that browsers, calls and recorders take without conversion.
  static let pixelFormat = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange

  private var pool: (size: CGSize, pool: CVPixelBufferPool)?
  private let transfer: VTPixelTransferSession?

  init() {
    var transfer: VTPixelTransferSession?
    VTPixelTransferSessionCreate(allocator: nil, pixelTransferSessionOut: &transfer)
    self.transfer = transfer
    guard let transfer else { return }
    VTSessionSetProperty(
      transfer, key: kVTPixelTransferPropertyKey_ScalingMode, value: kVTScalingMode_Letterbox)
  }

  /// Returns the picture in the size, with black bars where its shape is another; `nil` without memory.
  func make(_ picture: CVPixelBuffer, _ size: CGSize) -> CVPixelBuffer? {
    if pool?.size != size { pool = CVPixelBufferPool.made(Self.pixelFormat, size).map { (size, $0) } }
    guard let transfer, let made = pool?.pool.makeBuffer(),
      VTPixelTransferSessionTransferImage(transfer, from: picture, to: made) == noErr
    else { return nil }
    return made
  }

  /// Writes a picture's rows, those of chroma right after those of luma.
  static func write(_ picture: CVPixelBuffer, to bytes: UnsafeMutablePointer<UInt8>, bytesPerRow: Int) {
    CVPixelBufferLockBaseAddress(picture, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(picture, .readOnly) }
    var target = bytes
    for plane in 0..<CVPixelBufferGetPlaneCount(picture) {
      guard
        var source = UnsafePointer(
          CVPixelBufferGetBaseAddressOfPlane(picture, plane)?.assumingMemoryBound(to: UInt8.self))
      else { return }
      // Both planes have as many bytes in a row: one of luma for each pixel, or two of chroma for each two.
      let count = min(bytesPerRow, CVPixelBufferGetBytesPerRowOfPlane(picture, plane))
      for _ in 0..<CVPixelBufferGetHeightOfPlane(picture, plane) {
        target.update(from: source, count: count)
        source += CVPixelBufferGetBytesPerRowOfPlane(picture, plane)
        target += bytesPerRow
      }
    }
  }
}
