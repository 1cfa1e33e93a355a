import AVFoundation

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
  private let painter: PreviewPainter
  private let shared = Guarded(Shared())

  init(_ layer: AVCaptureVideoPreviewLayer) {
    frames = layer.frames
    painter = PreviewPainter(layer)
    let task = CombinedTask(label: "test.preview", qos: .userInteractive) { [weak self] in self?.make() }
    frames.setFrameHandler { task.request() }
  }

  /// The size of the place where pictures are shown.
  func setPlace(_ size: CGSize) { shared.change { $0.place = size } }

  /// Calls `handler` with each picture.
  func setHandler(_ handler: @escaping @Sendable (LivePicture) -> Void) {
    shared.change { $0.handler = handler }
  }

  private func make() {
    let (place, handler) = shared.change { ($0.place, $0.handler) }
    guard let frame = frames.takeNewest(), let handler, let buffer = painter.paint(frame, in: place),
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
