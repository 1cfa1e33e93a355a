internal import CaptureDevice
internal import Linux

/// A property of the scene's light, such as `isFlashScene`, that a photo output updates with each frame.
final class MonitoredScene: @unchecked Sendable {
  // Safe because the settings are our own copy, and all that changes is locked.

  private let isAsked: @Sendable (AVCapturePhotoSettings) -> Bool
  private let isMet: @Sendable (ControlState) -> Bool

  private struct State {
    var settings: AVCapturePhotoSettings?
    var isMonitoring = false
    var conditions: FrameConditions?
    /// The value that observers know.
    var reported = false
  }

  private let state = Locked(State())

  /// A property that is `true` while the monitored settings ask for it and the frame's controls meet its condition.
  init(
    asked isAsked: @escaping @Sendable (AVCapturePhotoSettings) -> Bool,
    met isMet: @escaping @Sendable (ControlState) -> Bool
  ) {
    self.isAsked = isAsked
    self.isMet = isMet
  }

  var settings: AVCapturePhotoSettings? {
    state.withLock { $0.settings }?.copy() as? AVCapturePhotoSettings
  }

  /// Takes settings, and returns the value before and the value now.
  func monitor(_ settings: AVCapturePhotoSettings?, isMet: Bool) -> (old: Bool, new: Bool) {
    let copy = settings?.copy() as? AVCapturePhotoSettings
    let isMonitoring = copy.map(isAsked) ?? false
    let (former, old, new) = state.withLock { state in
      let former = (state.settings, state.reported)
      state.settings = copy
      state.isMonitoring = isMonitoring
      state.reported = isMonitoring && isMet
      return (former.0, former.1, state.reported)
    }
    withExtendedLifetime(former) {}
    return (old, new)
  }

  func value(isMet: Bool) -> Bool {
    state.withLock { $0.isMonitoring } && isMet
  }

  /// Notes a frame's light; returns the change to report to observers, if there is one.
  func note(_ conditions: FrameConditions) -> (old: Bool, new: Bool)? {
    let isMet = isMet(conditions.state)
    return state.withLock { state in
      guard state.conditions !== conditions else { return nil }
      state.conditions = conditions
      let new = state.isMonitoring && isMet
      guard new != state.reported else { return nil }
      defer { state.reported = new }
      return (state.reported, new)
    }
  }
}
