import AVFoundation
import Dispatch

@testable import CameraModel

/// A picture of the preview, as a window would show it.
struct LivePicture: Sendable {
  let picture: PictureBytes
  /// The size of the camera's frames, upright.
  let frameSize: CGSize
}

/// Makes the pictures of the preview that a window would show, and hands them to a test.
final class PreviewPictures: @unchecked Sendable {
  // Safe because what changes is guarded, or used on one queue alone.

  private struct Shared {
    var handler: (@Sendable (LivePicture) -> Void)?
    var place = CGSize(width: 960, height: 720)
  }

  private let frames: PreviewFrames
  private let layer: AVCaptureVideoPreviewLayer
  private let shared = Guarded(Shared())

  init(_ layer: AVCaptureVideoPreviewLayer) {
    frames = layer.frames
    self.layer = layer
    let queue = DispatchQueue(label: "test.preview", qos: .userInteractive)
    frames.setFrameHandler { [weak self] in queue.async { [weak self] in self?.make() } }
  }

  /// The size of the place where pictures are shown.
  func setPlace(_ size: CGSize) { shared.change { $0.place = size } }

  /// Calls `handler` with each picture.
  func setHandler(_ handler: @escaping @Sendable (LivePicture) -> Void) {
    shared.change { $0.handler = handler }
  }

  /// The frame in BGRA, as large as it fits into the place.
  private func paint(_ frame: PreviewFrame, in place: CGSize) -> CVPixelBuffer? {
    let fit = frame.geometry(gravity: .resizeAspect, in: CGRect(origin: .zero, size: place)).pictureRect
    let size = CGSize(width: fit.width.rounded(), height: fit.height.rounded())
    var buffer: CVPixelBuffer?
    CVPixelBufferCreate(nil, Int(size.width), Int(size.height), kCVPixelFormatType_32BGRA, nil, &buffer)
    layer.bounds = CGRect(origin: .zero, size: size)
    layer.videoGravity = .resize
    guard let buffer, (try? layer.drawPicture(into: buffer)) == true else { return nil }
    return buffer
  }

  private func make() {
    let (place, handler) = shared.change { ($0.place, $0.handler) }
    guard let frame = frames.takeNewest(), let handler, let buffer = paint(frame, in: place),
      let picture = PictureBytes(buffer)
    else { return }
    let whole = frame.geometry(gravity: .resize, in: .zero).pictureSize
    let isTurned = frame.rotationAngle % 180 != 0
    handler(
      LivePicture(
        picture: picture, frameSize: isTurned ? CGSize(width: whole.height, height: whole.width) : whole))
  }
}

/// A picture's bytes, which lie still as long as this lives.
final class PictureBytes: @unchecked Sendable {  // Safe because the buffer is not written again.
  let width: Int
  let height: Int
  let bytesPerRow: Int
  let base: UnsafeRawPointer
  private let buffer: CVPixelBuffer

  /// Holds the buffer's bytes; `nil` when it has none.
  init?(_ buffer: CVPixelBuffer) {
    CVPixelBufferLockBaseAddress(buffer, .readOnly)
    guard let base = CVPixelBufferGetBaseAddress(buffer) else {
      CVPixelBufferUnlockBaseAddress(buffer, .readOnly)
      return nil
    }
    self.buffer = buffer
    self.base = UnsafeRawPointer(base)
    width = CVPixelBufferGetWidth(buffer)
    height = CVPixelBufferGetHeight(buffer)
    bytesPerRow = CVPixelBufferGetBytesPerRow(buffer)
  }

  deinit {
    CVPixelBufferUnlockBaseAddress(buffer, .readOnly)
  }
}
