package import AVFCapture
internal import AVFoundation
internal import CaptureDevice
internal import Foundation
internal import Linux

/// A session that a command runs, with what goes wrong with it.
package final class CameraRun: Sendable {
  let camera: AVCaptureDevice
  let session = AVCaptureSession()
  /// The first trouble; the others are only its consequences.
  let failure = Monitor<CommandError?>(nil)
  private let observers: Locked<[any NSObjectProtocol]> = Locked([])

  /// A session with an input for `camera`.
  /// - Throws: ``CommandError`` when the camera may not be used.
  package init(camera: AVCaptureDevice) throws {
    self.camera = camera
    guard AVCaptureDevice.authorizationStatus(for: .video) != .denied else {
      throw CommandError(
        .permissionDenied,
        "\(camera.localizedName) may not be opened; add yourself to the group video with 'sudo usermod -aG video $USER'."
      )
    }
    let input: AVCaptureDeviceInput
    do {
      input = try AVCaptureDeviceInput(device: camera)
    } catch {
      throw CommandError(error, device: camera)
    }
    guard session.canAddInput(input) else {
      let isH264 = camera.facts.formats.allSatisfy { $0.encoding == .h264 }
      throw CommandError(
        .formatNotSupported,
        isH264
          ? "\(camera.localizedName) sends nothing but H.264, which nothing here decodes; use another camera, or a program "
            + "that takes H.264 as it is."
          : "\(camera.localizedName) has no format that can be used; 'obscura devices' lists its formats.")
    }
    session.addInput(input)
  }

  /// - Throws: ``CommandError`` when the camera refuses: busy, gone, forbidden.
  func start() throws {
    watch(AVCaptureSession.runtimeErrorNotification) { [camera] information in
      CommandError(information[AVCaptureSessionErrorKey] as? AVError ?? AVError(.unknown), device: camera)
    }
    watch(AVCaptureSession.wasInterruptedNotification) { [camera] information in
      let reason = (information[AVCaptureSessionInterruptionReasonKey] as? Int)
        .flatMap(AVCaptureSession.InterruptionReason.init(rawValue:))
      return .init(interruption: reason, device: camera)
    }
    session.startRunning()
    guard session.isRunning else {
      throw cause
        ?? CommandError(
          .otherFailure, "\(camera.localizedName) did not start; 'obscura doctor' may tell why.")
    }
    try checkFailure()
  }

  func stop() {
    for token in observers.withLock({ $0 }) { NotificationCenter.default.removeObserver(token) }
    session.stopRunning()
  }

  func checkFailure() throws {
    if let error = failure.withLock({ $0 }) { throw error }
  }

  /// What the session says went wrong; its notifications come a moment after the fact.
  var cause: CommandError? {
    let soon = MonotonicInstant.now.advanced(byNanoseconds: 500_000_000)
    return failure.wait(until: soon, for: { $0 != nil }, then: { $0 }) ?? nil
  }

  private func watch(
    _ name: Notification.Name, _ error: @escaping @Sendable ([AnyHashable: Any]) -> CommandError
  ) {
    let token = NotificationCenter.default.addObserver(forName: name, object: session, queue: nil) {
      [failure] notification in
      let error = error(notification.userInfo ?? [:])
      failure.withLock { $0 = $0 ?? error }
    }
    observers.withLock { $0.append(token) }
  }
}
