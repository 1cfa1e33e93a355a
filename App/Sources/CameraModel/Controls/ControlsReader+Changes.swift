import AVFoundation

extension ControlsReader {
  /// Does what the user wants of one control.
  func apply(_ change: ControlChange, to name: ControlItem.Name) throws {
    try device.lockForConfiguration()
    defer { device.unlockForConfiguration() }
    switch (name, change) {
    case (.bias, .value(let stops)):
      device.setExposureTargetBias(
        min(max(Float(stops), device.minExposureTargetBias), device.maxExposureTargetBias))
    case (.shutterTime, .value(let seconds)): setExposure(seconds: seconds, iso: nil)
    case (.sensitivity, .value(let iso)): setExposure(seconds: nil, iso: iso)
    case (.shutterTime, .automatic(let on)), (.sensitivity, .automatic(let on)):
      if on, device.isExposureModeSupported(.continuousAutoExposure) {
        device.exposureMode = .continuousAutoExposure
      } else if !on {
        setExposure(seconds: nil, iso: nil)
      }
    // What is asked of a camera that was changed meanwhile, and cannot do it, has no effect.
    case (.focus, _) where !device.isLockingFocusWithCustomLensPositionSupported: break
    case (.temperature, _) where !device.isLockingWhiteBalanceWithCustomDeviceGainsSupported: break
    case (.tint, _) where !device.isLockingWhiteBalanceWithCustomDeviceGainsSupported: break
    case (.torch, _) where !device.hasTorch: break
    case (.focus, .value(let place)): device.setFocusModeLocked(lensPosition: Float(min(max(place, 0), 1)))
    case (.focus, .automatic(let on)):
      if on, device.isFocusModeSupported(.continuousAutoFocus) {
        device.focusMode = .continuousAutoFocus
      } else if !on {
        device.setFocusModeLocked(lensPosition: AVCaptureDevice.currentLensPosition)
      }
    case (.temperature, .value(let kelvin)): setLight(kelvin: kelvin, tint: nil)
    case (.tint, .value(let tint)): setLight(kelvin: nil, tint: tint)
    case (.temperature, .automatic(let on)), (.tint, .automatic(let on)):
      if on, device.isWhiteBalanceModeSupported(.continuousAutoWhiteBalance) {
        device.whiteBalanceMode = .continuousAutoWhiteBalance
      } else if !on {
        device.setWhiteBalanceModeLocked(with: AVCaptureDevice.currentWhiteBalanceGains)
      }
    case (.torch, .value(let level)):
      if level <= 0 {
        device.torchMode = .off
      } else {
        try device.setTorchModeOn(level: Float(min(level, 1)))
      }
    case (.hdr, .toggle(let on)) where device.activeFormat.isVideoHDRSupported:
      device.automaticallyAdjustsVideoHDREnabled = false
      device.isVideoHDREnabled = on
    case (.lowLight, .toggle(let on)) where device.isLowLightBoostSupported:
      device.automaticallyEnablesLowLightBoostWhenAvailable = on
    case (.driver(let name, _), let change): try setDriver(name, change)
    default: break
    }
  }

  /// Puts everything back to what the camera does by itself.
  func reset() throws {
    try device.lockForConfiguration()
    defer { device.unlockForConfiguration() }
    if device.isExposureModeSupported(.continuousAutoExposure) {
      device.exposureMode = .continuousAutoExposure
    }
    if device.maxExposureTargetBias > device.minExposureTargetBias { device.setExposureTargetBias(0) }
    if device.isFocusModeSupported(.continuousAutoFocus) { device.focusMode = .continuousAutoFocus }
    if device.isWhiteBalanceModeSupported(.continuousAutoWhiteBalance) {
      device.whiteBalanceMode = .continuousAutoWhiteBalance
    }
    if device.hasTorch { device.torchMode = .off }
    if device.activeFormat.isVideoHDRSupported { device.automaticallyAdjustsVideoHDREnabled = true }
    // What cannot be set now, such as what another control has switched off, stays as it is.
    for control in try device.nativeControls()
    where control.kind != .button && control.kind != .text && control.kind != .compound
      && !control.isReadOnly && !control.isInactive
    {
      _ = try? device.setNativeControl(control.name, to: .number(control.defaultValue))
    }
  }

  private func setExposure(seconds: Double?, iso: Double?) {
    guard device.isExposureModeSupported(.custom) else { return }
    let format = device.activeFormat
    let (short, long) = (format.minExposureDuration.seconds, format.maxExposureDuration.seconds)
    let duration = seconds.map {
      CMTime(seconds: min(max($0, short), long), preferredTimescale: 1_000_000_000)
    }
    let speed = iso.map { min(max(Float($0), format.minISO), format.maxISO) }
    device.setExposureModeCustom(
      duration: duration ?? AVCaptureDevice.currentExposureDuration, iso: speed ?? AVCaptureDevice.currentISO)
  }

  private func setLight(kelvin: Double?, tint: Double?) {
    let now = device.temperatureAndTintValues(for: device.deviceWhiteBalanceGains)
    var gains = device.deviceWhiteBalanceGains(
      for: AVCaptureDevice.WhiteBalanceTemperatureAndTintValues(
        temperature: kelvin.map { Float($0) } ?? now.temperature, tint: tint.map { Float($0) } ?? now.tint))
    gains.redGain = min(max(gains.redGain, 1), device.maxWhiteBalanceGain)
    gains.greenGain = min(max(gains.greenGain, 1), device.maxWhiteBalanceGain)
    gains.blueGain = min(max(gains.blueGain, 1), device.maxWhiteBalanceGain)
    device.setWhiteBalanceModeLocked(with: gains)
  }

  private func setDriver(_ name: String, _ change: ControlChange) throws {
    let value: Int64
    switch change {
    case .value(let number): value = Int64(number.rounded())
    case .toggle(let on): value = on ? 1 : 0
    case .press: value = 1
    case .automatic: return
    case .entry(let index):
      guard let control = try device.nativeControls().first(where: { $0.name == name }),
        control.entries.indices.contains(index)
      else { return }
      value = control.entries[index].value
    }
    try device.setNativeControl(name, to: .number(value))
  }
}
