internal import AVFCore
internal import Dispatch
internal import FoundationExtras
internal import Linux

extension AVCapturePhotoOutput {
  /// Whether the output can answer another press in good time.
  ///
  /// `.ready` means that a press begins at once: it waits for no other photo. In every other state a press is taken, too, and waits
  /// its turn. Observable; observers are called on the queue of the callbacks, and see every change in order.
  /// `AVCapturePhotoOutputReadinessCoordinator` reports the same on the main queue.
  ///
  /// Apple: `AVCapturePhotoOutput.captureReadiness`.
  public var captureReadiness: CaptureReadiness {
    observerTable.access(\AVCapturePhotoOutput.captureReadiness)
    return readiness(announced: [])
  }

  /// The readiness with so many presses to come.
  func readiness(announced: [PhotosUnderWay.Kind]) -> CaptureReadiness {
    let isRunning = membership.owner.map { $0.isRunning && !$0.isInterrupted } ?? false
    return pipeline.underWay.readiness(
      isRunning: isRunning && connection(with: .video)?.isActive == true,
      overlaps: isResponsiveCaptureEnabled, announced: announced)
  }

  /// Notifies those that follow the readiness of a change; from any thread, under no lock.
  func reviewReadiness() {
    responsiveness.readiness.review(
      { readiness(announced: []) },
      notify: { old, new in
        callbackQueue.carry { [weak self] in
          guard let self else { return }
          observerTable.changed(\AVCapturePhotoOutput.captureReadiness, of: self, from: old, to: new)
        }
      })
    for coordinator in responsiveness.followers.present { coordinator.outputDidChange() }
  }

  /// Notes that settings were pressed: those that announced them, or older ones, wait for them no longer.
  func notePress(of id: Int64) {
    responsiveness.notePress(of: id)
    for coordinator in responsiveness.followers.present { coordinator.outputDidChange() }
  }
}
