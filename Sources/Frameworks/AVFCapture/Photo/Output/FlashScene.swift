internal import CaptureDevice
internal import Linux

/// What a photo output knows of the scene's light.
final class FlashScene: @unchecked Sendable {
  // Safe because the settings are our own copy, and all is locked.

  private struct State {
    var settings: AVCapturePhotoSettings?
    var isMonitoring = false
    var conditions: FrameConditions?
    /// What observers know.
    var reported = false
  }

  private let state = Locked(State())

  var settings: AVCapturePhotoSettings? {
    state.withLock { $0.settings }?.copy() as? AVCapturePhotoSettings
  }

  /// Takes settings, and answers what the scene was and is.
  func monitor(_ settings: AVCapturePhotoSettings?, isDark: Bool) -> (old: Bool, new: Bool) {
    let copy = settings?.copy() as? AVCapturePhotoSettings
    let isMonitoring = copy.map { $0.flashMode != .off } ?? false
    let (former, old, new) = state.withLock { state in
      let former = (state.settings, state.reported)
      state.settings = copy
      state.isMonitoring = isMonitoring
      state.reported = isMonitoring && isDark
      return (former.0, former.1, state.reported)
    }
    withExtendedLifetime(former) {}
    return (old, new)
  }

  func value(isDark: Bool) -> Bool {
    state.withLock { $0.isMonitoring } && isDark
  }

  /// Notes a frame's light; the change that observers shall hear of, if there is one.
  func note(_ conditions: FrameConditions) -> (old: Bool, new: Bool)? {
    state.withLock { state in
      guard state.conditions !== conditions else { return nil }
      state.conditions = conditions
      let new = state.isMonitoring && conditions.state.isDark
      guard new != state.reported else { return nil }
      defer { state.reported = new }
      return (state.reported, new)
    }
  }
}
