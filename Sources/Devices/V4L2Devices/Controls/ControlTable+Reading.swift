internal import CaptureDevice

extension ControlTable {
  /// The current state of the controls.
  ///
  /// A control that does not answer keeps its default: USB cameras stall on some of what they claim to have. What a number
  /// cannot say is taken from `memory`, what was asked last.
  /// Milliseconds for USB cameras.
  func state(_ kernel: any VideoKernel, _ handle: VideoHandle, _ memory: ControlMemory) -> ControlState {
    func value(_ control: VideoControl) -> Int64? {
      guard let description = controls[control], description.isReadable else { return nil }
      return try? kernel.value(handle, of: control, description.kind)
    }
    let locks = value(.lock3A) ?? 0
    func isLocked(_ lock: AutomaticLock) -> Bool { canLock(lock) && locks & lock.rawValue != 0 }

    var state = ControlState()
    if exposureModes.contains(.locked) {
      let isManual = value(.exposureAuto) == VideoExposureMenu.manual.rawValue
      if isManual { state.exposureMode = memory.isCustomExposure ? .custom : .locked }
      if isLocked(.exposure) { state.exposureMode = .locked }
    }
    if exposureNanoseconds != nil, let units = value(.exposureAbsolute), units > 0 {
      state.exposure.durationNanoseconds = units * Self.exposureUnit
    }
    if iso != nil, let index = value(.isoSensitivity), let entry = menus[.isoSensitivity]?[index] {
      state.exposure.iso = Float(entry.value) / 1000
    }
    if let index = value(.exposureBias), let entry = menus[.exposureBias]?[index] {
      state.exposureBias = Float(entry.value) / 1000
    }

    if value(.focusAuto) == 1, !isLocked(.focus) { state.focusMode = .continuousAuto }
    if let status = value(.autoFocusStatus), status & 1 != 0 {
      state.isAdjustingFocus = true
      if state.focusMode == .locked { state.focusMode = .auto }
    }
    if let range = controls[.focusAbsolute], range.minimum < range.maximum,
      let position = value(.focusAbsolute)
    {
      state.lensPosition = Float(range.maximum - position) / Float(range.maximum - range.minimum)
    }
    if let entry = value(.autoFocusRange) {
      state.focusRange = FocusRange.allCases.first { $0.entry == entry } ?? .everywhere
    }

    let holdsWhiteBalance = has(.autoWhiteBalance) ? value(.autoWhiteBalance) == 0 : has(.doWhiteBalance)
    if holdsWhiteBalance || isLocked(.whiteBalance) { state.whiteBalanceMode = .locked }

    if maxZoom > 1, let range = controls[.zoomAbsolute], let units = value(.zoomAbsolute) {
      state.zoom = Double(units) / Double(range.minimum)
    }
    if value(.flashLEDMode) == LampMode.torch.rawValue {
      state.torchMode = .on
      state.torchLevel = 1
      if let range = controls[.flashTorchIntensity], range.maximum > 0,
        let intensity = value(.flashTorchIntensity)
      {
        state.torchLevel = Float(intensity) / Float(range.maximum)
      }
    }
    state.isHDR = value(.wideDynamicRange) == 1
    return state
  }

  /// Whether the privacy switch is closed.
  func isPrivate(_ kernel: any VideoKernel, _ handle: VideoHandle) -> Bool {
    guard let privacy = controls[.privacy], privacy.isReadable else { return false }
    return (try? kernel.value(handle, of: .privacy, privacy.kind)) == 1
  }
}

/// The requests to a camera's controls that the kernel's values cannot express.
struct ControlMemory: Sendable {
  /// Whether a manual exposure was chosen, not held.
  var isCustomExposure = false
}
