internal import CaptureDevice
internal import FoundationExtras
internal import Linux

/// Automatic focus and exposure that prefer faces: on simulated cameras, whose scenes say what is a face. No driver of a kernel camera
/// has such a control.
extension AVCaptureDevice {
  /// Whether the system decides about ``isFaceDrivenAutoFocusEnabled``, which it then switches on; `true` until it is set.
  ///
  /// `false` on a device whose focus does not know faces; setting it there, and setting without the lock, are programming mistakes
  /// without effect. Observable.
  ///
  /// Apple: `AVCaptureDevice.automaticallyAdjustsFaceDrivenAutoFocusEnabled`.
  public var automaticallyAdjustsFaceDrivenAutoFocusEnabled: Bool {
    get {
      observerTable.access(\AVCaptureDevice.automaticallyAdjustsFaceDrivenAutoFocusEnabled)
      return capabilities.hasFaceFocus && state.withLock { $0.adjustsFaceFocus }
    }
    set {
      adjust(
        newValue, \AVCaptureDevice.automaticallyAdjustsFaceDrivenAutoFocusEnabled,
        "automaticallyAdjustsFaceDrivenAutoFocusEnabled", \.adjustsFaceFocus,
        isSupported: capabilities.hasFaceFocus, isOn: controls.isFaceFocus, .faceFocus(true))
    }
  }

  /// Whether automatic focus prefers a face in view to ``focusPointOfInterest``.
  ///
  /// Settable while ``automaticallyAdjustsFaceDrivenAutoFocusEnabled`` is `false`. Counts from the next setting of ``focusMode`` on.
  /// Other settings, and setting without the lock, are programming mistakes without effect. Observable.
  ///
  /// Apple: `AVCaptureDevice.isFaceDrivenAutoFocusEnabled`.
  public var isFaceDrivenAutoFocusEnabled: Bool {
    get {
      observerTable.access(\AVCaptureDevice.isFaceDrivenAutoFocusEnabled)
      return controls.isFaceFocus
    }
    set {
      prefer(
        "isFaceDrivenAutoFocusEnabled", \.adjustsFaceFocus, isSupported: capabilities.hasFaceFocus,
        by: "automaticallyAdjustsFaceDrivenAutoFocusEnabled", .faceFocus(newValue))
    }
  }

  /// Whether the system decides about ``isFaceDrivenAutoExposureEnabled``, which it then switches on; `true` until it is set.
  ///
  /// The rules of ``automaticallyAdjustsFaceDrivenAutoFocusEnabled``. Observable.
  ///
  /// Apple: `AVCaptureDevice.automaticallyAdjustsFaceDrivenAutoExposureEnabled`.
  public var automaticallyAdjustsFaceDrivenAutoExposureEnabled: Bool {
    get {
      observerTable.access(\AVCaptureDevice.automaticallyAdjustsFaceDrivenAutoExposureEnabled)
      return capabilities.hasFaceExposure && state.withLock { $0.adjustsFaceExposure }
    }
    set {
      adjust(
        newValue, \AVCaptureDevice.automaticallyAdjustsFaceDrivenAutoExposureEnabled,
        "automaticallyAdjustsFaceDrivenAutoExposureEnabled", \.adjustsFaceExposure,
        isSupported: capabilities.hasFaceExposure, isOn: controls.isFaceExposure, .faceExposure(true))
    }
  }

  /// Whether automatic exposure prefers a face in view to ``exposurePointOfInterest``.
  ///
  /// Settable while ``automaticallyAdjustsFaceDrivenAutoExposureEnabled`` is `false`. Counts from the next setting of
  /// ``exposureMode`` on. Other settings, and setting without the lock, are programming mistakes without effect. Observable.
  ///
  /// Apple: `AVCaptureDevice.isFaceDrivenAutoExposureEnabled`.
  public var isFaceDrivenAutoExposureEnabled: Bool {
    get {
      observerTable.access(\AVCaptureDevice.isFaceDrivenAutoExposureEnabled)
      return controls.isFaceExposure
    }
    set {
      prefer(
        "isFaceDrivenAutoExposureEnabled", \.adjustsFaceExposure, isSupported: capabilities.hasFaceExposure,
        by: "automaticallyAdjustsFaceDrivenAutoExposureEnabled", .faceExposure(newValue))
    }
  }

  // MARK: Parts

  private func adjust(
    _ isAutomatic: Bool, _ keyPath: KeyPath<AVCaptureDevice, Bool>, _ name: String,
    _ setting: WritableKeyPath<State, Bool>, isSupported: Bool, isOn: Bool, _ control: CameraControl
  ) {
    guard mayChange(name), knowsFaces(name, isSupported) else { return }
    observerTable.changing(keyPath, of: self) { state.withLock { $0[keyPath: setting] = isAutomatic } }
    if isAutomatic, !isOn { change(name, control) }
  }

  private func prefer(
    _ name: String, _ setting: KeyPath<State, Bool>, isSupported: Bool, by automatic: String,
    _ control: CameraControl
  ) {
    guard mayChange(name), knowsFaces(name, isSupported) else { return }
    guard !state.withLock({ $0[keyPath: setting] }) else {
      return ProgrammingMistake.report(
        rule: "\(name) cannot be set while \(automatic) is true; set that to false first.")
    }
    change(name, control)
  }

  private func knowsFaces(_ property: String, _ isSupported: Bool) -> Bool {
    if isSupported { return true }
    ProgrammingMistake.report(
      rule: "\(property) cannot be set on \(localizedName), whose automatic modes do not know faces.")
    return false
  }
}
