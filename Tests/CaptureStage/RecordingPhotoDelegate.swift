package import AVFoundation
package import Foundation
package import Linux

/// Writes down what a photo's delegate hears.
package final class RecordingPhotoDelegate: NSObject, AVCapturePhotoCaptureDelegate, Sendable {
  package enum Step: Hashable {
    case willBegin(Int64), willCapture(Int64), didCapture(Int64), processed(Int64, failed: Bool)
    case finished(Int64, failed: Bool)
  }

  package let steps = Locked<[Step]>([])
  package let photos = Locked<[AVCapturePhoto]>([])
  package let errors = Locked<[NSError]>([])
  package let finishedCount = Monitor(0)
  /// Called inside every callback.
  package let inside = Hook<Void>()

  package func photoOutput(
    _ output: AVCapturePhotoOutput, willBeginCaptureFor resolved: AVCaptureResolvedPhotoSettings
  ) {
    note(.willBegin(resolved.uniqueID))
  }

  package func photoOutput(
    _ output: AVCapturePhotoOutput, willCapturePhotoFor resolved: AVCaptureResolvedPhotoSettings
  ) {
    note(.willCapture(resolved.uniqueID))
  }

  package func photoOutput(
    _ output: AVCapturePhotoOutput, didCapturePhotoFor resolved: AVCaptureResolvedPhotoSettings
  ) {
    note(.didCapture(resolved.uniqueID))
  }

  package func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
  ) {
    photos.withLock { $0.append(photo) }
    note(.processed(photo.resolvedSettings.uniqueID, failed: error != nil))
  }

  package func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishCaptureFor resolved: AVCaptureResolvedPhotoSettings,
    error: (any Error)?
  ) {
    if let error = error as? NSError { errors.withLock { $0.append(error) } }
    note(.finished(resolved.uniqueID, failed: error != nil))
    finishedCount.withLock { $0 += 1 }
  }

  private func note(_ step: Step) {
    steps.withLock { $0.append(step) }
    inside.call()
  }

  /// Blocks until `count` photos have ended, at most half a minute.
  package func wait(for count: Int = 1) -> Bool {
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
    return finishedCount.wait(until: deadline, for: { $0 >= count }, then: { _ in true }) ?? false
  }

  /// The steps of a photo that succeeds.
  package static func success(_ id: Int64) -> [Step] {
    [
      .willBegin(id), .willCapture(id), .didCapture(id), .processed(id, failed: false),
      .finished(id, failed: false),
    ]
  }
}
