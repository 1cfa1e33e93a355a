package import AVFCapture
internal import AVFoundation
internal import CaptureDevice
internal import Foundation
package import Linux

/// A session with one camera that a task runs, and what goes wrong with it.
package final class CameraRun: Sendable {
  private struct State {
    /// The first trouble; the others are only its consequences.
    var failure: CameraTaskError?
    var isStopped = false
    /// The microphone that was lost while the camera went on.
    var lostMicrophone: String?
  }

  /// The camera.
  package let camera: AVCaptureDevice
  /// The session; outputs are added to it before ``start()``.
  package let session = AVCaptureSession()
  private let state = Monitor(State())
  private let observers: Locked<[any NSObjectProtocol]> = Locked([])

  /// A session with an input for `camera`.
  ///
  /// - Parameter stop: Ends every wait of the run when it is requested.
  /// - Throws: ``CameraTaskError`` when the camera may not be used.
  package init(camera: AVCaptureDevice, stop: StopRequest = StopRequest()) throws(CameraTaskError) {
    self.camera = camera
    guard AVCaptureDevice.authorizationStatus(for: .video) != .denied else {
      throw CameraTaskError(
        .permissionDenied,
        "\(camera.localizedName) may not be opened; add yourself to the group video with 'sudo usermod -aG video $USER'."
      )
    }
    let input: AVCaptureDeviceInput
    do {
      input = try AVCaptureDeviceInput(device: camera)
    } catch {
      throw CameraTaskError(error, device: camera)
    }
    guard session.canAddInput(input) else {
      let isCoded = camera.facts.formats.allSatisfy { $0.encoding.form == .coded }
      throw CameraTaskError(
        .formatNotSupported,
        isCoded
          ? "\(camera.localizedName) sends nothing but H.264, which nothing here decodes; use another camera, or a program "
            + "that takes H.264 as it is."
          : "\(camera.localizedName) has no format that can be used; 'obscura devices' lists its formats.")
    }
    session.addInput(input)
    stop.whenRequested { [state] in state.withLock { $0.isStopped = true } }
  }

  /// Chooses how large the camera's frames are.
  /// - Throws: ``CameraTaskError/Code/formatNotSupported`` when the camera has no such format.
  package func choose(_ preset: FramePreset) throws(CameraTaskError) {
    guard session.canSetSessionPreset(preset.sessionPreset) else {
      throw CameraTaskError(
        .formatNotSupported,
        "\(camera.localizedName) has no format for the preset \(preset.rawValue); 'obscura devices' lists its formats."
      )
    }
    session.sessionPreset = preset.sessionPreset
  }

  /// Starts the camera; blocks until it streams.
  /// - Throws: ``CameraTaskError`` when the camera refuses: busy, gone, forbidden.
  package func start() throws(CameraTaskError) {
    watch(AVCaptureSession.runtimeErrorNotification) { [camera, session, state] information in
      let error = information[AVCaptureSessionErrorKey] as? AVError ?? AVError(.unknown)
      if let lost = error.device, lost.hasMediaType(.audio), session.isRunning {
        state.withLock { $0.lostMicrophone = lost.localizedName }
        return nil
      }
      return CameraTaskError(error, device: camera)
    }
    watch(AVCaptureSession.wasInterruptedNotification) { [camera] information in
      let reason = (information[AVCaptureSessionInterruptionReasonKey] as? Int)
        .flatMap(AVCaptureSession.InterruptionReason.init(rawValue:))
      return Self.error(interruption: reason, of: camera)
    }
    session.startRunning()
    guard session.isRunning else {
      throw cause
        ?? CameraTaskError(.failed, "\(camera.localizedName) did not start; 'obscura doctor' may know why.")
    }
    try check()
  }

  /// Stops the camera.
  package func stop() {
    for token in observers.withLock({ $0 }) { NotificationCenter.default.removeObserver(token) }
    session.stopRunning()
  }

  /// - Throws: what has ended the run, or ``CameraTaskError/Code/stopped``.
  package func check() throws(CameraTaskError) {
    try throwTrouble(in: state.withLock { $0 })
  }

  /// Sleeps until `moment`.
  /// - Throws: as soon as there is something, what has ended the run, or ``CameraTaskError/Code/stopped``.
  package func sleep(until moment: MonotonicInstant) throws(CameraTaskError) {
    let ended = state.wait(until: moment, for: { $0.failure != nil || $0.isStopped }, then: { $0 })
    try throwTrouble(in: ended ?? State())
  }

  /// The name of the microphone that was lost while the camera went on; `nil` when none was.
  package var lostMicrophone: String? { state.withLock { $0.lostMicrophone } }

  /// What the session says went wrong; its notifications come a moment after the fact.
  package var cause: CameraTaskError? {
    let soon = MonotonicInstant.now.advanced(byNanoseconds: 500_000_000)
    return state.wait(until: soon, for: { $0.failure != nil }, then: { $0.failure }) ?? nil
  }

  private func throwTrouble(in state: State) throws(CameraTaskError) {
    if let failure = state.failure { throw failure }
    if state.isStopped { throw CameraTaskError(.stopped, "") }
  }

  /// What an interruption means to a task that wants a picture now.
  private static func error(
    interruption reason: AVCaptureSession.InterruptionReason?, of camera: AVCaptureDevice
  ) -> CameraTaskError {
    switch reason {
    case .videoDeviceInUseByAnotherClient:
      CameraTaskError(.deviceBusy, KernelCameras().busySentence(camera))
    default:
      CameraTaskError(
        .noFramesInTime,
        "\(camera.localizedName) shows nothing; open its shutter or privacy switch and try again.")
    }
  }

  private func watch(
    _ name: Notification.Name, _ error: @escaping @Sendable ([AnyHashable: Any]) -> CameraTaskError?
  ) {
    let token = NotificationCenter.default.addObserver(forName: name, object: session, queue: nil) {
      [state] notification in
      guard let error = error(notification.userInfo ?? [:]) else { return }
      state.withLock { $0.failure = $0.failure ?? error }
    }
    observers.withLock { $0.append(token) }
  }
}
