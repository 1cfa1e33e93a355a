public import Dispatch
internal import Foundation
internal import FoundationExtras
internal import Linux

extension AVCaptureSession {
  /// Whether something shows controls: whether the program has installed a ``CaptureControlHost``.
  ///
  /// Apple: `AVCaptureSession.supportsControls`.
  public var supportsControls: Bool { CaptureControlHost.current != nil }

  /// How many controls the session may have: as many as the host shows, 0 without one.
  ///
  /// Apple: `AVCaptureSession.maxControlsCount`.
  public var maxControlsCount: Int { CaptureControlHost.current?.maxControlsCount ?? 0 }

  /// The controls, in the order in which they were added.
  ///
  /// Apple: `AVCaptureSession.controls`.
  public var controls: [AVCaptureControl] { controlDesk.controls }

  /// Whether ``addControl(_:)`` would take the control: a host has room for it, and no session has it.
  ///
  /// Apple: `AVCaptureSession.canAddControl(_:)`.
  public func canAddControl(_ control: AVCaptureControl) -> Bool {
    refusal(of: control) == nil
  }

  /// Adds a control.
  ///
  /// At once, also between begin and commit. One that cannot be added is a programming mistake without effect.
  /// Apple: `AVCaptureSession.addControl(_:)`.
  public func addControl(_ control: AVCaptureControl) {
    let id = ObjectIdentifier(self)
    let isTaken = control.owner.withLock { owner in
      defer { if owner == nil, refusal(isOwned: false) == nil { owner = id } }
      return owner != nil
    }
    if let refusal = refusal(isOwned: isTaken) {
      return ProgrammingMistake.report(
        rule: "addControl(_:) cannot add the control: \(refusal) Ask canAddControl(_:) first.")
    }
    followRunning()
    controlDesk.add(control)
  }

  /// Removes a control; one that the session does not have is left alone.
  ///
  /// Apple: `AVCaptureSession.removeControl(_:)`.
  public func removeControl(_ control: AVCaptureControl) {
    guard controls.contains(where: { $0 === control }) else { return }
    controlDesk.remove(control)
    control.owner.withLock { $0 = nil }
  }

  /// Reports to `controlsDelegate`, which is not retained, when the controls become active and inactive.
  ///
  /// Without a delegate controls stay inactive. A delegate without a queue is a programming mistake without effect.
  ///
  /// - Parameters:
  ///   - controlsDelegate: `nil` for none.
  ///   - controlsDelegateCallbackQueue: A serial queue.
  ///
  /// Apple: `AVCaptureSession.setControlsDelegate(_:queue:)`.
  public func setControlsDelegate(
    _ controlsDelegate: (any AVCaptureSessionControlsDelegate)?,
    queue controlsDelegateCallbackQueue: DispatchQueue?
  ) {
    guard
      let recipient = Recipient<any AVCaptureSessionControlsDelegate>(
        controlsDelegate, on: controlsDelegateCallbackQueue,
        weakly: { [weak controlsDelegate] in controlsDelegate })
    else { return }
    let former = controlsRecipient.withLock { $0 }
    if let former, former.serves(controlsDelegate, on: controlsDelegateCallbackQueue) { return }
    controlsRecipient.withLock { $0 = recipient }
    guard controlsDelegate != nil, let queue = recipient.queue else { return controlDesk.setReport(nil) }
    controlDesk.setReport { [weak self] news in
      queue.carry { [weak self] in
        guard let self, let delegate = recipient.delegate else { return }
        switch news {
        case .active: delegate.sessionControlsDidBecomeActive(self)
        case .inactive: delegate.sessionControlsDidBecomeInactive(self)
        case .willEnterFullscreen: delegate.sessionControlsWillEnterFullscreenAppearance(self)
        case .willExitFullscreen: delegate.sessionControlsWillExitFullscreenAppearance(self)
        }
      }
    }
  }

  /// The delegate that is notified when the controls become active and inactive.
  ///
  /// Apple: `AVCaptureSession.controlsDelegate`.
  public var controlsDelegate: (any AVCaptureSessionControlsDelegate)? {
    controlsRecipient.withLock { $0 }?.delegate
  }

  /// Where the delegate is called.
  ///
  /// Apple: `AVCaptureSession.controlsDelegateCallbackQueue`.
  public var controlsDelegateCallbackQueue: DispatchQueue? { controlsRecipient.withLock { $0 }?.queue }

  private func refusal(of control: AVCaptureControl) -> String? {
    refusal(isOwned: control.owner.withLock { $0 != nil })
  }

  private func refusal(isOwned: Bool) -> String? {
    if isOwned { return "a session has it already." }
    if !supportsControls { return "no CaptureControlHost is installed to show it." }
    return controls.count < maxControlsCount ? nil : "the host shows \(maxControlsCount) at most."
  }

  /// Reports to the controls from now on whether the session runs.
  private func followRunning() {
    guard controlDesk.running.withLock({ $0 == nil }) else { return }
    let observation = observe(\.isRunning, options: [.initial, .new]) { session, _ in
      session.controlDesk.setRunning(session.isRunning)
    }
    controlDesk.running.withLock { $0 = observation }
  }
}

/// Hears when a session's controls become active and inactive.
///
/// Source:
/// [AVCaptureSessionControlsDelegate](https://developer.apple.com/documentation/avfoundation/avcapturesessioncontrolsdelegate).
public protocol AVCaptureSessionControlsDelegate: AnyObject {
  /// The controls are on show, and people may move them.
  func sessionControlsDidBecomeActive(_ session: AVCaptureSession)

  /// The controls are about to fill the screen: the app moves its own aside.
  func sessionControlsWillEnterFullscreenAppearance(_ session: AVCaptureSession)

  /// The controls are about to leave the screen to the app again.
  func sessionControlsWillExitFullscreenAppearance(_ session: AVCaptureSession)

  /// The controls are no longer on show.
  func sessionControlsDidBecomeInactive(_ session: AVCaptureSession)
}
