import AVFoundation
import CaptureStage
import Dispatch
import Foundation
import Linux
import PhotoProcessing
import Testing

@Suite("PhotoDelivery: the conversation with a delegate")
struct PhotoDeliveryTests {
  private let delegate = RecordingPhotoDelegate()
  private let queue = DispatchQueue(label: "photo delivery")
  private let resolved = AVCaptureResolvedPhotoSettings(
    uniqueID: 9, photo: CMVideoDimensions(width: 4, height: 2),
    preview: CMVideoDimensions(width: 0, height: 0),
    thumbnail: CMVideoDimensions(width: 0, height: 0), expectedPhotoCount: 1, processingTime: .zero)

  private func delivery() -> PhotoDelivery {
    PhotoDelivery(output: AVCapturePhotoOutput(), resolved: resolved, delegate: delegate, queue: queue)
  }

  private var photo: AVCapturePhoto {
    AVCapturePhoto(PhotoResult(), resolvedSettings: resolved)
  }

  private var steps: [RecordingPhotoDelegate.Step] {
    queue.sync {}
    return delegate.steps.withLock { $0 }
  }

  @Test func `each step is reported once, in order`() {
    let delivery = delivery()
    delivery.begin()
    delivery.begin()
    delivery.beginExposure()
    delivery.endExposure(inFlight: nil)
    delivery.finish(photo)
    delivery.finish(photo)
    #expect(steps == RecordingPhotoDelegate.success(9))
  }

  @Test func `a failure reports what was not reached and ends once`() {
    let delivery = delivery()
    delivery.begin()
    delivery.finish(photo, error: AVError(.sessionNotRunning))
    delivery.endExposure(inFlight: nil)
    delivery.finish(photo)
    #expect(
      steps == [
        .willBegin(9), .willCapture(9), .didCapture(9), .processed(9, failed: true),
        .finished(9, failed: true),
      ])
    #expect(delivery.isFinished)
  }

  @Test func `of threads that race for the end one reports`() {
    for _ in 0..<50 {
      let delivery = delivery()
      let photo = photo
      DispatchQueue.concurrentPerform(iterations: 4) { index in
        if index.isMultiple(of: 2) {
          delivery.finish(photo)
        } else {
          delivery.finish(photo, error: AVError(.deviceWasDisconnected))
        }
      }
    }
    let ends = steps.count { if case .finished = $0 { true } else { false } }
    #expect(ends == 50)
  }

  @Test func `the delegate and the clock's token are kept until the last callback, and no longer`() {
    final class Token: Sendable {}
    weak var delegate: RecordingPhotoDelegate?
    weak var token: Token?
    queue.suspend()
    do {
      let strong = RecordingPhotoDelegate()
      let strongToken = Token()
      delegate = strong
      token = strongToken
      let delivery = PhotoDelivery(
        output: AVCapturePhotoOutput(), resolved: resolved, delegate: strong, queue: queue)
      delivery.endExposure(inFlight: strongToken)
      delivery.finish(photo)
    }
    #expect(delegate != nil)
    #expect(token != nil)
    queue.resume()
    queue.sync {}
    #expect(delegate == nil)
    #expect(token == nil)
  }
}
