internal import CameraFrames
internal import CaptureDevice
internal import Dispatch
internal import FoundationExtras
internal import Linux
internal import PhotoProcessing

/// A picture's frames on their way to the disk, while its proxy is made.
final class PhotoStoring: Sendable {
  /// The picture's frames, and how it is finished.
  let frames: [CapturedFrame]
  let request: PhotoProcessingRequest
  /// The way to the frames' pictures.
  let processor: FrameProcessor
  /// Under what the frames are stored.
  let identifier = PhotoProxy.newIdentifier()
  private let store: DeferredPhotoStore
  private let success = Monitor<Bool?>(nil)

  /// Begins to store, on `queue`.
  init(
    _ frames: [CapturedFrame], _ request: PhotoProcessingRequest, _ processor: FrameProcessor,
    _ developing: PhotoProcessor, _ store: DeferredPhotoStore, on queue: DispatchQueue
  ) {
    self.frames = frames
    self.request = request
    self.processor = processor
    self.store = store
    queue.carry { [self] in
      let success: Bool
      do {
        try store.save(storedFrames(developing), for: request, as: identifier)
        success = true
      } catch {
        success = false
      }
      self.success.withLock { $0 = success }
    }
  }

  /// The frames as they are stored: with an effect, which is not there when the photo is finished, their pictures.
  private func storedFrames(_ developing: PhotoProcessor) throws -> [CapturedFrame] {
    guard processor.hasEffect else { return frames }
    return try frames.map { frame in
      var frame = frame
      frame.picture = .pixels(try developing.picture(of: frame, by: processor))
      return frame
    }
  }

  /// Waits until the frames are on the disk; whether they are.
  func wait() -> Bool {
    success.wait(for: { $0 != nil }, then: { $0 == true }) ?? false
  }

  /// Takes the frames back: the picture is finished at once after all.
  func takeBack() {
    // What stays behind when the disk refuses even this is found by who cleans the store.
    if wait() { try? store.discard(identifier) }
  }
}
