internal import FoundationExtras
internal import Linux

/// A session's controls, and whether they are active.
///
/// They are while a host is installed, the session runs, there is a control, and a delegate is notified. Thread-safe; what it
/// reports, it reports in order.
final class ControlDesk: Sendable {
  /// A report to a session's controls delegate.
  enum News: Sendable {
    case active, inactive, willEnterFullscreen, willExitFullscreen
  }

  /// All desks, so that each can look again when there is another host.
  static let all = WeakObjects<ControlDesk>()

  fileprivate struct State {
    var controls: [AVCaptureControl] = []
    var isRunning = false
    var report: (@Sendable (News) -> Void)?
    /// The host that shows the controls; `nil` while they are inactive.
    var host: CaptureControlHost?
    /// Whether a thread decides what is shown, and whether it has to look again.
    var isDeciding = false
    var isStale = false
  }

  private let state = Locked(State())
  /// Follows whether the session runs.
  let running = Locked<NSKeyValueObservation?>(nil)

  var controls: [AVCaptureControl] { state.withLock { $0.controls } }
  var isActive: Bool { state.withLock { $0.host != nil } }

  func add(_ control: AVCaptureControl) {
    state.withLock { $0.controls.append(control) }
    Self.all.add(self)
    review()
  }

  func remove(_ control: AVCaptureControl) {
    state.withLock { $0.controls.removeAll { $0 === control } }
    review()
  }

  func setRunning(_ isRunning: Bool) {
    state.withLock { $0.isRunning = isRunning }
    review()
  }

  /// Reports to `report` from now on; `nil` for none.
  func setReport(_ report: (@Sendable (News) -> Void)?) {
    let (former, host) = state.withLock { state in
      defer {
        state.report = report
        state.host = nil
      }
      return (state.report, state.host)
    }
    // The former delegate is not notified of what the next one hears.
    if let host {
      host.hide(ObjectIdentifier(self))
      former?(.inactive)
    }
    review()
  }

  /// Shows or hides the controls as things stand now.
  ///
  /// One thread decides at a time; a host that changes the controls from inside its callback has it look again.
  func review() {
    let isMine = state.withLock { state in
      state.isStale = true
      defer { state.isDeciding = true }
      return !state.isDeciding
    }
    guard isMine else { return }
    while state.withLock({ $0.takesLook() }) { decide() }
  }

  private func decide() {
    let installed = CaptureControlHost.current
    let (before, after, controls, report) = state.withLock { state in
      let before = state.host
      let wanted = state.isRunning && !state.controls.isEmpty && state.report != nil
      state.host = wanted ? installed : nil
      return (before, state.host, state.controls, state.report)
    }
    if let before, before !== after { before.hide(ObjectIdentifier(self)) }
    if before != nil, after == nil { report?(.inactive) }
    guard let after else { return }
    if before == nil { report?(.active) }
    after.show(
      ControlOffer(owner: ObjectIdentifier(self), controls: controls) { [weak self] isFullscreen in
        self?.state.withLock { $0.report }?(isFullscreen ? .willEnterFullscreen : .willExitFullscreen)
      })
  }
}

extension ControlDesk.State {
  /// Whether there is something to decide; when there is not, no thread decides any more.
  fileprivate mutating func takesLook() -> Bool {
    defer { isStale = false }
    isDeciding = isStale
    return isStale
  }
}
