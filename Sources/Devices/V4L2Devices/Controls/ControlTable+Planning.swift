internal import CaptureDevice

/// One write of a control.
struct ControlSetting: Sendable, Hashable {
  var control: VideoControl
  var value: Int64
}

/// The reason why a camera refuses a change of a control: the end of a sentence.
struct ControlRefusal: Error {
  var reason: String
}

extension ControlTable {
  /// The writes that bring a change about, in order: first what decides, then the values.
  ///
  /// - Parameter now: What a control stands at, for those that shall be held as they are.
  /// - Throws: What the camera lacks, or the range that the value is outside of.
  func settings(
    for change: CameraControl, memory: inout ControlMemory, now: (VideoControl) -> Int64?
  ) throws(ControlRefusal) -> [ControlSetting] {
    let capabilities = capabilities
    switch change {
    case .exposureMode(let mode):
      return try settings(for: mode, memory: &memory, now: now)
    case .customExposure(let nanoseconds, let iso):
      var settings = try settings(for: ExposureMode.custom, memory: &memory, now: now)
      if let nanoseconds { try settings.replace(duration(nanoseconds)) }
      if let iso {
        if canSet(.isoSensitivityAuto) {
          settings.append(ControlSetting(control: .isoSensitivityAuto, value: 0))
        }
        settings.append(try sensitivity(iso))
      }
      return settings
    case .exposureBias(let stops):
      return [try bias(stops, capabilities.exposureBias)]
    case .focusMode(let mode):
      return try settings(for: mode, now: now)
    case .lensPosition(let position):
      guard capabilities.hasLensPosition, let range = controls[.focusAbsolute] else {
        throw ControlRefusal(reason: "its lens cannot be put anywhere (it has no focus_absolute)")
      }
      guard (0...1).contains(position) else {
        throw ControlRefusal(reason: "a lens position is from 0 to 1, not \(position)")
      }
      let units = Double(range.maximum) - Double(position) * Double(range.maximum - range.minimum)
      return (try settings(for: FocusMode.locked, now: now)) + [
        ControlSetting(control: .focusAbsolute, value: range.nearest(to: units))
      ]
    case .focusRange(let range):
      guard capabilities.hasFocusRange else {
        throw ControlRefusal(reason: "its auto focus looks everywhere (it has no auto_focus_range)")
      }
      return [ControlSetting(control: .autoFocusRange, value: range.entry)]
    case .whiteBalanceMode(let mode):
      return try settings(for: mode, now: now)
    case .zoom(let factor):
      return [try self.zoom(factor)]
    case .torch(let mode, let level):
      return try torch(mode, level, capabilities)
    case .videoHDR(let isOn):
      guard canSet(.wideDynamicRange) else {
        throw ControlRefusal(reason: "it has no wide dynamic range (wide_dynamic_range)")
      }
      return [ControlSetting(control: .wideDynamicRange, value: isOn ? 1 : 0)]
    case .whiteBalanceGains:
      throw ControlRefusal(
        reason: "it takes no gains for its colours; its temperature may be set by name, see "
          + "'obscura devices'")
    case .zoomRamp(let factor, _):
      _ = try self.zoom(factor)
      return []
    case .endZoomRamp:
      _ = try self.zoom(1)
      return []
    case .focusPoint, .smoothFocus, .faceFocus, .exposurePoint, .faceExposure, .longestExposure,
      .lowLightBoost,
      .globalToneMapping, .distortionCorrection, .sceneMonitoring, .constituentChoice,
      .fallbackConstituents:
      throw ControlRefusal(reason: "its driver has no control for it")
    }
  }

  // MARK: Exposure

  private func settings(
    for mode: ExposureMode, memory: inout ControlMemory, now: (VideoControl) -> Int64?
  ) throws(ControlRefusal) -> [ControlSetting] {
    guard exposureModes.contains(mode) else {
      throw ControlRefusal(reason: "it has no exposure mode \(mode); \(Self.list(exposureModes))")
    }
    memory.isCustomExposure = mode == .custom
    var settings: [ControlSetting] = []
    switch mode {
    case .continuousAuto:
      settings += lock(.exposure, false, now)
      if let entry = automaticExposure {
        settings.append(ControlSetting(control: .exposureAuto, value: entry.rawValue))
      }
      if canSet(.isoSensitivityAuto) {
        settings.append(ControlSetting(control: .isoSensitivityAuto, value: 1))
      }
      if canSet(.autoGain) { settings.append(ControlSetting(control: .autoGain, value: 1)) }
    case .locked where canLock(.exposure):
      settings += lock(.exposure, true, now)
    case .locked, .custom, .auto:
      settings += lock(.exposure, false, now)
      // Some cameras go back to the last manual value when automatic exposure ends: what it had found is read before and
      // set again.
      let held = [VideoControl.exposureAbsolute, .isoSensitivity, .gain].compactMap { control in
        canSet(control) ? now(control).map { ControlSetting(control: control, value: $0) } : nil
      }
      settings.append(ControlSetting(control: .exposureAuto, value: VideoExposureMenu.manual.rawValue))
      if canSet(.isoSensitivityAuto) {
        settings.append(ControlSetting(control: .isoSensitivityAuto, value: 0))
      }
      if canSet(.autoGain) { settings.append(ControlSetting(control: .autoGain, value: 0)) }
      settings += held
    }
    return settings
  }

  private func duration(_ nanoseconds: Int64) throws(ControlRefusal) -> ControlSetting {
    guard let limits = exposureNanoseconds, let range = controls[.exposureAbsolute],
      limits.contains(nanoseconds)
    else {
      let limits = exposureNanoseconds ?? 0...0
      throw ControlRefusal(
        reason: "it exposes from \(Self.milliseconds(limits.lowerBound)) to "
          + "\(Self.milliseconds(limits.upperBound)) ms, not \(Self.milliseconds(nanoseconds)) ms")
    }
    return ControlSetting(
      control: .exposureAbsolute,
      value: nearest(.exposureAbsolute, range, to: Double(nanoseconds) / Double(Self.exposureUnit)))
  }

  private func sensitivity(_ value: Float) throws(ControlRefusal) -> ControlSetting {
    guard let range = iso, canSet(.isoSensitivity) else {
      throw ControlRefusal(
        reason: "it has no ISO; its gain has no unit and is set by name, see 'obscura devices'")
    }
    guard range.contains(value) else {
      throw ControlRefusal(reason: "its ISO is from \(range.lowerBound) to \(range.upperBound), not \(value)")
    }
    return entry(of: .isoSensitivity, nearest: value * 1000)
  }

  private func bias(_ stops: Float, _ range: ClosedRange<Float>?) throws(ControlRefusal) -> ControlSetting {
    guard let range else { throw ControlRefusal(reason: "it has no exposure bias (auto_exposure_bias)") }
    guard range.contains(stops) else {
      throw ControlRefusal(
        reason: "its exposure bias is from \(range.lowerBound) to \(range.upperBound), not \(stops)")
    }
    return entry(of: .exposureBias, nearest: stops * 1000)
  }

  /// The entry of a menu of numbers that is nearest; the least of two.
  private func entry(of control: VideoControl, nearest value: Float) -> ControlSetting {
    let entries = menus[control, default: [:]].sorted { $0.key < $1.key }
    let index = entries.min { abs(Float($0.value.value) - value) < abs(Float($1.value.value) - value) }?.key
    return ControlSetting(control: control, value: index ?? 0)
  }

  // MARK: Focus

  private func settings(
    for mode: FocusMode, now: (VideoControl) -> Int64?
  ) throws(ControlRefusal) -> [ControlSetting] {
    let modes = capabilities.focusModes
    guard modes.contains(mode) else {
      throw ControlRefusal(reason: "it has no focus mode \(mode); \(Self.list(modes))")
    }
    var settings: [ControlSetting] = []
    switch mode {
    case .continuousAuto:
      settings += lock(.focus, false, now)
      settings.append(ControlSetting(control: .focusAuto, value: 1))
    case .auto:
      settings += lock(.focus, false, now)
      if canSet(.focusAuto) { settings.append(ControlSetting(control: .focusAuto, value: 0)) }
      settings.append(ControlSetting(control: .autoFocusStart, value: 1))
    case .locked:
      if has(.autoFocusStop) { settings.append(ControlSetting(control: .autoFocusStop, value: 1)) }
      if canSet(.focusAuto) {
        settings.append(ControlSetting(control: .focusAuto, value: 0))
      } else {
        settings += lock(.focus, true, now)
      }
    }
    return settings
  }

  // MARK: White balance

  private func settings(
    for mode: WhiteBalanceMode, now: (VideoControl) -> Int64?
  ) throws(ControlRefusal) -> [ControlSetting] {
    let modes = capabilities.whiteBalanceModes
    guard modes.contains(mode) else {
      throw ControlRefusal(reason: "it has no white balance mode \(mode); \(Self.list(modes))")
    }
    var settings: [ControlSetting] = []
    switch mode {
    case .continuousAuto:
      settings += lock(.whiteBalance, false, now)
      settings.append(ControlSetting(control: .autoWhiteBalance, value: 1))
    case .auto:
      settings += lock(.whiteBalance, false, now)
      if canSet(.autoWhiteBalance) { settings.append(ControlSetting(control: .autoWhiteBalance, value: 0)) }
      settings.append(ControlSetting(control: .doWhiteBalance, value: 1))
    case .locked where canLock(.whiteBalance):
      settings += lock(.whiteBalance, true, now)
    case .locked:
      let held = canSet(.whiteBalanceTemperature) ? now(.whiteBalanceTemperature) : nil
      if canSet(.autoWhiteBalance) { settings.append(ControlSetting(control: .autoWhiteBalance, value: 0)) }
      if let held { settings.append(ControlSetting(control: .whiteBalanceTemperature, value: held)) }
    }
    return settings
  }

  // MARK: Zoom

  /// The write for a zoom factor.
  func zoom(_ factor: Double) throws(ControlRefusal) -> ControlSetting {
    guard maxZoom > 1, let range = controls[.zoomAbsolute] else {
      throw ControlRefusal(
        reason: has(.zoomAbsolute)
          ? "its zoom_absolute begins at 0 and so says nothing of factors; set it by name, see 'obscura devices'"
          : "it does not zoom (it has no zoom_absolute)")
    }
    guard (1...maxZoom).contains(factor) else {
      throw ControlRefusal(reason: "it zooms from 1 to \(maxZoom), not \(factor)")
    }
    return ControlSetting(control: .zoomAbsolute, value: range.nearest(to: factor * Double(range.minimum)))
  }

  // MARK: Torch

  private func torch(
    _ mode: TorchMode, _ level: Float, _ capabilities: CameraCapabilities
  ) throws(ControlRefusal) -> [ControlSetting] {
    guard capabilities.torchModes.contains(mode) else {
      throw ControlRefusal(
        reason: capabilities.torchModes.isEmpty
          ? "it has no torch" : "its torch is on or off, and not \(mode)")
    }
    if mode == .off { return [ControlSetting(control: .flashLEDMode, value: LampMode.dark.rawValue)] }
    guard level > 0, level <= 1 else {
      throw ControlRefusal(reason: "a torch's level is above 0 and at most 1, not \(level)")
    }
    var settings: [ControlSetting] = []
    if let range = controls[.flashTorchIntensity], range.isWritable {
      let units = range.nearest(to: Double(level) * Double(range.maximum))
      settings.append(ControlSetting(control: .flashTorchIntensity, value: units))
    }
    return settings + [ControlSetting(control: .flashLEDMode, value: LampMode.torch.rawValue)]
  }

  // MARK: Words

  /// The write that locks or frees one automatism, where the camera has such a lock.
  private func lock(
    _ lock: AutomaticLock, _ isLocked: Bool, _ now: (VideoControl) -> Int64?
  ) -> [ControlSetting] {
    guard canLock(lock) else { return [] }
    let others = (now(.lock3A) ?? 0) & ~lock.rawValue
    return [ControlSetting(control: .lock3A, value: isLocked ? others | lock.rawValue : others)]
  }

  private static func list<Mode>(_ modes: Set<Mode>) -> String {
    modes.isEmpty ? "it has none" : "it has " + modes.map { "\($0)" }.sorted().joined(separator: ", ")
  }

  private static func milliseconds(_ nanoseconds: Int64) -> Double { Double(nanoseconds / 1000) / 1000 }
}

extension [ControlSetting] {
  /// Puts `setting` where the same control is set, or at the end.
  mutating func replace(_ setting: ControlSetting) {
    removeAll { $0.control == setting.control }
    append(setting)
  }
}
