internal import CaptureDevice
internal import Dispatch
internal import Foundation
internal import FoundationExtras
internal import Linux

extension AVCapturePhotoOutput {
  /// The flash modes that photos may ask for; only `.off` where the camera has no flash, and before one is connected.
  ///
  /// Observable.
  ///
  /// Apple: `AVCapturePhotoOutput.supportedFlashModes`.
  public var supportedFlashModes: [AVCaptureDevice.FlashMode] {
    observerTable.access(\AVCapturePhotoOutput.supportedFlashModes)
    return PhotoOffers(camera).flashModes
  }

  /// Which flash mode ``isFlashScene`` is asked for; `nil` at first.
  ///
  /// Copied when it is set, and a copy when it is read: a change of that needs setting again. Only its `flashMode` counts.
  ///
  /// Apple: `AVCapturePhotoOutput.photoSettingsForSceneMonitoring`.
  public var photoSettingsForSceneMonitoring: AVCapturePhotoSettings? {
    get { flashScene.settings }
    set {
      let (old, new) = flashScene.monitor(newValue, isDark: isDark)
      observerTable.changed(\AVCapturePhotoOutput.isFlashScene, of: self, from: old, to: new)
    }
  }

  /// Whether the scene is so dark that a photo with automatic flash would fire it.
  ///
  /// `false` unless ``photoSettingsForSceneMonitoring`` has a `flashMode` other than `.off` that is supported. Observable.
  ///
  /// Apple: `AVCapturePhotoOutput.isFlashScene`.
  public var isFlashScene: Bool {
    observerTable.access(\AVCapturePhotoOutput.isFlashScene)
    return flashScene.value(isDark: isDark)
  }

  /// Whether the camera would fire an automatic flash now.
  private var isDark: Bool {
    // Not the public property: reading that inside another's getter would tell observers the wrong one.
    guard PhotoOffers(camera).flashModes != [.off] else { return false }
    return videoDevice?.driver.controlState.isDark ?? false
  }

  /// Notes a frame's light, on the reader thread.
  func noteScene(_ conditions: FrameConditions) {
    guard let change = flashScene.note(conditions) else { return }
    callbackQueue.async { [weak self] in
      guard let self else { return }
      observerTable.changed(
        \AVCapturePhotoOutput.isFlashScene, of: self, from: change.old, to: change.new)
    }
  }
}

/// What a photo output knows of the scene's light.
final class FlashScene: @unchecked Sendable {
  // Safe because the settings are our own copy, and all is locked.

  private struct State {
    var settings: AVCapturePhotoSettings?
    var isMonitoring = false
    var conditions: FrameConditions?
    /// What observers were told last.
    var told = false
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
      let former = (state.settings, state.told)
      state.settings = copy
      state.isMonitoring = isMonitoring
      state.told = isMonitoring && isDark
      return (former.0, former.1, state.told)
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
      guard new != state.told else { return nil }
      defer { state.told = new }
      return (state.told, new)
    }
  }
}
