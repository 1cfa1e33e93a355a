internal import CaptureDevice
internal import FoundationExtras
internal import Linux

extension AVCaptureDevice {
  /// Whether the system decides about ``isVideoHDREnabled``.
  ///
  /// `true` until it is set. The system then switches the wider range on wherever the active format has it: when the device's
  /// input is added to a session, with a new active format, and when the property becomes `true`. Apple leaves open which
  /// formats it is a good fit for. Setting without the lock is a programming mistake without effect. Observable.
  ///
  /// Apple: `AVCaptureDevice.automaticallyAdjustsVideoHDREnabled`.
  public var automaticallyAdjustsVideoHDREnabled: Bool {
    get {
      observerTable.access(\AVCaptureDevice.automaticallyAdjustsVideoHDREnabled)
      return adjustsHDR
    }
    set {
      let name = "automaticallyAdjustsVideoHDREnabled"
      guard mayChange(name) else { return }
      let old = state.withLock { state in
        defer { state.adjustsHDR = newValue }
        return state.adjustsHDR
      }
      guard old != newValue else { return }
      observerTable.changed(
        \AVCaptureDevice.automaticallyAdjustsVideoHDREnabled, of: self, from: old, to: newValue)
      let isHDR = activeFormat.isVideoHDRSupported
      if newValue, controls.isHDR != isHDR { change(name, .videoHDR(isHDR)) }
    }
  }

  /// ``automaticallyAdjustsVideoHDREnabled``, without noting a read for observers.
  var adjustsHDR: Bool { state.withLock { $0.adjustsHDR } }

  /// Whether frames have a wider dynamic range than the sensor gives in one exposure.
  ///
  /// Settable while ``automaticallyAdjustsVideoHDREnabled`` is `false`, and on only with an active format that has it. Other
  /// settings, and setting without the lock, are programming mistakes without effect. A new active format without it switches
  /// it off. Observable.
  ///
  /// Apple: `AVCaptureDevice.isVideoHDREnabled`.
  public var isVideoHDREnabled: Bool {
    get {
      observerTable.access(\AVCaptureDevice.isVideoHDREnabled)
      return controls.isHDR
    }
    set {
      guard mayChange("isVideoHDREnabled") else { return }
      guard !automaticallyAdjustsVideoHDREnabled else {
        return ProgrammingMistake.report(
          rule: "isVideoHDREnabled cannot be set while automaticallyAdjustsVideoHDREnabled is true; "
            + "set that to false first.")
      }
      guard activeFormat.isVideoHDRSupported else {
        guard newValue else { return }
        return ProgrammingMistake.report(
          rule: "isVideoHDREnabled cannot be true on \(localizedName); ask the active format's "
            + "isVideoHDRSupported first.")
      }
      change("video HDR", .videoHDR(newValue))
    }
  }
}
