package import AVFCapture
internal import AVFoundation
internal import CaptureDevice
internal import Foundation
internal import FoundationExtras
package import Linux

/// A session with one camera that a task runs, and what goes wrong with it.
package final class CameraRun: Sendable {
  private struct State {
    /// The first trouble; the others are only its consequences.
    var failure: CameraTaskError?
    var isStopped = false
    /// The microphone that was lost while the camera went on.
    var lostMicrophone: String?
    /// The reason why the camera is away, in a run that waits for it.
    var absence: CameraTaskError?
    var absences = 0
    /// The sentence of the newest one.
    var newestAbsence: String?
    /// Whether ``start()`` has returned.
    var isStarted = false
    /// Whether it was said that the camera is waited for, and not yet that it is back.
    var isAwaited = false
    /// When the session may be started again by the run itself.
    var trials = TrialTimes()
  }

  /// The camera.
  package let camera: AVCaptureDevice
  /// The session; outputs are added to it before ``start()``.
  package let session = AVCaptureSession()
  private let state = Monitor(State())
  private let observers: Locked<[any NSObjectProtocol]> = Locked([])
  private let waiting: CameraWaiting?

  /// A session with an input for `camera`.
  ///
  /// - Parameters:
  ///   - stop: Ends every wait of the run when it is requested.
  ///   - waiting: Whether the run goes on when its camera is unplugged, covered or taken away, and comes back; `nil` ends it then.
  /// - Throws: ``CameraTaskError`` when the camera may not be used.
  package init(
    camera: AVCaptureDevice, stop: StopRequest = StopRequest(), waiting: CameraWaiting? = nil
  ) throws(CameraTaskError) {
    self.camera = camera
    self.waiting = waiting
    session.startsAgainWhenDevicesReturn = waiting != nil
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
      throw CameraTaskError(
        .formatNotSupported,
        "\(camera.localizedName) has no format that can be used; 'obscura devices' lists its formats.")
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

  /// Starts the camera; blocks until it streams, or, in a run that waits for it, until it is known to be away.
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
    watch(AVCaptureSession.wasInterruptedNotification) { [weak self] information in
      let reason = (information[AVCaptureSessionInterruptionReasonKey] as? Int)
        .flatMap(AVCaptureSession.InterruptionReason.init(rawValue:))
      return self.map { $0.interruption ?? $0.error(reason, isSleep: false, of: $0.camera) }
    }
    if waiting != nil { watchReturns() }
    session.startAndWait()
    guard session.isRunning || cause?.isAbsence == true && waiting != nil else {
      throw cause
        ?? CameraTaskError(.failed, "\(camera.localizedName) did not start; 'obscura doctor' may know why.")
    }
    state.withLock { $0.isStarted = true }
    try check()
  }

  private func watchReturns() {
    for name in [
      AVCaptureSession.didStartRunningNotification, AVCaptureSession.interruptionEndedNotification,
    ] {
      watch(name) { [weak self] _ in
        self?.noteReturn()
        return nil
      }
    }
  }

  private func noteReturn() {
    guard session.isRunning, !session.isInterrupted else { return }
    state.withLock { $0.absence = nil }
  }

  /// Says that the camera is back, once frames come: one that is silent may start again and again.
  private func sayReturn() {
    guard state.withLock({ $0.isAwaited }), deliveredFrames > 0 else { return }
    let isNews = state.withLock { state in
      guard state.isAwaited, state.absence == nil else { return false }
      state.isAwaited = false
      return true
    }
    if isNews { waiting?.say("\(camera.localizedName) is back.") }
  }

  /// The number of frames that the camera has delivered since it was opened.
  private var deliveredFrames: Int {
    session.connections.compactMap { connection in
      guard let source = connection.stillSource, source.facts.uniqueID == camera.uniqueID else { return nil }
      return source.deliveredFrames
    }.max() ?? 0
  }

  /// How long the camera stands still when it does, in nanoseconds: a second, or five of its frames.
  package var standstillNanoseconds: Int64 {
    session.connections.compactMap { $0.stillSource.map { 5 * $0.frameNanoseconds } }.reduce(
      1_000_000_000, max)
  }

  /// How long to wait for what takes a frame or two of the camera, in nanoseconds: `least`, or as long as it may send nothing, whichever is
  /// longer.
  package func timeout(atLeast least: Int64) -> Int64 {
    session.connections.compactMap { $0.stillSource?.silenceNanoseconds }.reduce(least, max)
  }

  /// The timeout of settling: controls that have not settled by then will not, as under a flickering lamp.
  package static let settlingNanoseconds: Int64 = 3_000_000_000
  /// Frames after which a camera has begun to adjust, if it does.
  private static let adjustingFrames = 3

  /// Blocks until exposure, focus and white balance have settled, or for as long as that is worth waiting for.
  /// - Throws: what ended the run, or ``CameraTaskError/Code/stopped``.
  package func settle() throws(CameraTaskError) {
    let deadline = WorldTime.current.now.advanced(byNanoseconds: Self.settlingNanoseconds)
    // With its first frames a camera shows that it adjusts at all.
    while deliveredFrames < Self.adjustingFrames || isAdjusting, WorldTime.current.now < deadline {
      try sleep(until: min(deadline, WorldTime.current.now.advanced(byNanoseconds: 20_000_000)))
    }
  }

  private var isAdjusting: Bool {
    let isExposing =
      camera.exposureMode != .locked && camera.exposureMode != .custom && camera.isAdjustingExposure
    return isExposing || camera.isAdjustingFocus || camera.isAdjustingWhiteBalance
  }

  // MARK: A camera that is away

  /// Whether the run waits for its camera whenever that is away.
  package var waitsForReturn: Bool { waiting != nil }

  /// Whether the run waits for its camera at present.
  package var isWaiting: Bool { state.withLock { $0.absence != nil } }

  /// The number of times that the camera has been away so far.
  package var absences: Int { state.withLock { $0.absences } }

  /// The reason of the newest absence, in one sentence; `nil` while there was none.
  package var newestAbsence: String? { state.withLock { $0.newestAbsence } }

  /// Whether a run that waits for its camera has none that streams at present.
  package var isAway: Bool { waitsForReturn && (isWaiting || !session.isRunning || session.isInterrupted) }

  /// Blocks until the camera is back, in a run that waits for it, or until a moment; `nil` for the camera alone.
  /// - Throws: what has ended the run, or ``CameraTaskError/Code/stopped``.
  package func waitForReturn(until end: MonotonicInstant? = nil) throws(CameraTaskError) {
    while isAway {
      let now = WorldTime.current.now
      if let end, now >= end { return }
      let soon = now.advanced(byNanoseconds: 50_000_000)
      try sleep(until: end.map { min($0, soon) } ?? soon)
    }
  }

  /// Starts a session that stands although its camera is there: one that was silent, or busy.
  ///
  /// A camera that was unplugged is taken by the session itself.
  private func startAgainIfDue() {
    guard waiting != nil, state.withLock({ $0.isStarted }) else { return }
    let now = WorldTime.current.now
    let isRunning = session.isRunning
    let isDue = state.withLock { state in
      // A session that has just ended is left the time to say why.
      if isRunning { state.trials.begin(at: now) }
      return !isRunning && state.trials.isDue(at: now) && state.failure == nil && !state.isStopped
    }
    if isDue, !session.isInterrupted, AVCaptureDevice(uniqueID: camera.uniqueID) != nil {
      session.startAndWait()
    }
    noteReturn()
    sayReturn()
  }

  /// Stops the camera.
  package func stop() {
    for token in observers.withLock({ $0 }) { NotificationCenter.default.removeObserver(token) }
    session.stopAndWait()
  }

  /// - Throws: what has ended the run, or ``CameraTaskError/Code/stopped``.
  package func check() throws(CameraTaskError) {
    startAgainIfDue()
    try throwTrouble(in: state.withLock { $0 })
  }

  /// Sleeps until `moment`.
  /// - Throws: as soon as there is something, what has ended the run, or ``CameraTaskError/Code/stopped``.
  package func sleep(until moment: MonotonicInstant) throws(CameraTaskError) {
    repeat {
      startAgainIfDue()
      // Also in a long sleep a camera that is back is taken.
      let soon = WorldTime.current.now.advanced(byNanoseconds: 500_000_000)
      let tick = waitsForReturn ? min(moment, soon) : moment
      let ended = state.wait(
        until: tick, on: .current, for: { $0.failure != nil || $0.isStopped }, then: { $0 })
      try throwTrouble(in: ended ?? State())
    } while WorldTime.current.now < moment
  }

  /// The name of the microphone that was lost while the camera went on; `nil` when none was.
  package var lostMicrophone: String? { state.withLock { $0.lostMicrophone } }

  /// The error that the session has reported; its notifications come a moment after the fact.
  package var cause: CameraTaskError? {
    let soon = WorldTime.current.now.advanced(byNanoseconds: 500_000_000)
    return state.wait(
      until: soon, on: .current, for: { $0.failure != nil || $0.absence != nil },
      then: { $0.failure ?? $0.absence }) ?? nil
  }

  private func throwTrouble(in state: State) throws(CameraTaskError) {
    if let failure = state.failure { throw failure }
    if state.isStopped { throw CameraTaskError(.stopped, "") }
  }

  /// The interruption that withholds the camera, or else the microphone, at this moment; `nil` without one.
  ///
  /// A session is interrupted once, with the reason of the device that was withheld first; what matters more may follow.
  package var interruption: CameraTaskError? {
    let devices = session.inputs.compactMap { ($0 as? AVCaptureDeviceInput)?.device }
    return ([camera] + devices).firstResult { device in
      session.withholding(of: device).map { error($0.reason, isSleep: $0.isSleep, of: device) }
    }
  }

  /// The error of a task that wants a picture during an interruption.
  private func error(
    _ reason: AVCaptureSession.InterruptionReason?, isSleep: Bool, of device: AVCaptureDevice
  ) -> CameraTaskError {
    let name = device.localizedName
    if isSleep {
      return CameraTaskError(
        .noFramesInTime, "\(name) was closed because the machine went to sleep; try again.")
    }
    switch reason {
    case .videoDeviceInUseByAnotherClient:
      return CameraTaskError(.deviceBusy, KernelCameras().busySentence(device))
    case .audioDeviceInUseByAnotherClient:
      let microphone = device.hasMediaType(.audio) ? name : "The microphone"
      return CameraTaskError(
        .deviceBusy,
        "\(microphone) is in use by another program; quit that and try again, or record without sound.")
    case .videoDeviceNotAvailableDueToSystemPressure:
      return CameraTaskError(
        .noFramesInTime, "\(name) was closed because the machine is too hot; let it cool down and try again.")
    case .videoDeviceNotAvailableWithMultipleForegroundApps, .videoDeviceNotAvailableInBackground,
      .sensitiveContentMitigationActivated, nil:
      return CameraTaskError(
        .noFramesInTime, "\(name) shows nothing; open its shutter or privacy switch and try again.")
    }
  }

  private func watch(
    _ name: Notification.Name, _ error: @escaping @Sendable ([AnyHashable: Any]) -> CameraTaskError?
  ) {
    let token = NotificationCenter.default.addObserver(forName: name, object: session, queue: nil) {
      [state, waiting] notification in
      guard let error = error(notification.userInfo ?? [:]) else { return }
      let isNews = state.withLock { state in
        guard waiting != nil, error.isAbsence else {
          state.failure = state.failure ?? error
          return false
        }
        if state.absence == nil { state.absences += 1 }
        state.absence = error
        state.newestAbsence = error.message
        state.trials.begin(at: WorldTime.current.now)
        defer { state.isAwaited = true }
        return !state.isAwaited
      }
      if isNews { waiting?.say("\(error.message) It is waited for.") }
    }
    observers.withLock { $0.append(token) }
  }
}
