internal import Foundation
internal import Linux

/// A host that shows the controls of sessions: an app's window, a device with knobs.
///
/// One host at a time is installed for the process. The session that became active last is on show; the others wait.
/// Thread-safe.
public final class CaptureControlHost: Sendable {
  private struct Registry {
    var current: CaptureControlHost?
  }

  private static let registry = Locked(Registry())

  /// How many controls fit.
  public let maxControlsCount: Int
  private let onChange: @Sendable ([AVCaptureControl]) -> Void
  private let stage = Locked(Stage())

  private struct Stage {
    /// The offers to be shown, newest last.
    var offers: [ControlOffer] = []
    var isFullscreen = false
  }

  /// A host for so many controls.
  ///
  /// - Parameter onChange: Called with the controls to show whenever they are others, on the thread of the change; with none
  ///   when there is nothing to show. Observe each control's `face` for its value.
  public init(maxControlsCount: Int = 4, onChange: @escaping @Sendable ([AVCaptureControl]) -> Void) {
    self.maxControlsCount = max(maxControlsCount, 1)
    self.onChange = onChange
  }

  /// The installed host; `nil` unless a program installed one.
  ///
  /// Sessions support controls while there is one.
  public static var current: CaptureControlHost? { registry.withLock { $0.current } }

  /// Makes `host` the one that shows controls; `nil` for none.
  ///
  /// Active controls leave the former host before this returns; their delegates are called on their queues.
  public static func install(_ host: CaptureControlHost?) {
    let former = registry.withLock { registry in
      defer { registry.current = host }
      return registry.current
    }
    guard former !== host else { return }
    former?.dismiss()
    for desk in ControlDesk.all.present { desk.review() }
  }

  /// The controls to show now, in the order in which they were added to their session.
  public var controls: [AVCaptureControl] { stage.withLock { $0.offers.last?.controls ?? [] } }

  /// Reports to the session on show that its controls begin or cease to fill the screen, so that the app moves its own aside.
  public func setFullscreen(_ isFullscreen: Bool) {
    let shown = stage.withLock { stage -> ControlOffer? in
      guard stage.isFullscreen != isFullscreen, let shown = stage.offers.last else { return nil }
      stage.isFullscreen = isFullscreen
      return shown
    }
    shown?.fullscreenChanged(isFullscreen)
  }

  // MARK: For sessions

  /// Shows a session's controls, or renews them.
  func show(_ offer: ControlOffer) {
    change { offers in
      if let index = offers.firstIndex(where: { $0.owner == offer.owner }) {
        offers[index] = offer
      } else {
        offers.append(offer)
      }
    }
  }

  /// Takes a session's controls away.
  func hide(_ owner: ObjectIdentifier) {
    change { $0.removeAll { $0.owner == owner } }
  }

  private func dismiss() {
    change { $0 = [] }
  }

  private func change(_ body: (inout [ControlOffer]) -> Void) {
    let (before, after, left) = stage.withLock { stage in
      let before = stage.offers.last
      body(&stage.offers)
      let after = stage.offers.last
      // Another session's controls begin small.
      let left = stage.isFullscreen && before?.owner != after?.owner
      if left { stage.isFullscreen = false }
      return (before, after, left)
    }
    if left { before?.fullscreenChanged(false) }
    if before?.controls != after?.controls { onChange(after?.controls ?? []) }
  }
}

/// The controls that a session wants to be shown.
struct ControlOffer: Sendable {
  let owner: ObjectIdentifier
  let controls: [AVCaptureControl]
  /// Called when they begin, or cease, to fill the screen.
  let fullscreenChanged: @Sendable (Bool) -> Void
}
