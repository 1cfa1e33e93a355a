import AVFoundation

/// Reads a camera's controls and sets them; on the camera's queue.
struct ControlsReader {
  let device: AVCaptureDevice

  /// All that the camera has, Apple's first.
  func items() -> [ControlItem] {
    exposure + focus + whiteBalance + light + driver
  }

  private var exposure: [ControlItem] {
    var items: [ControlItem] = []
    let format = device.activeFormat
    let custom = device.isExposureModeSupported(.custom)
    let automatic = device.exposureMode != .custom && device.exposureMode != .locked
    if device.maxExposureTargetBias > device.minExposureTargetBias {
      items.append(
        ControlItem(
          id: .bias,
          shape: .slider(
            value: Double(device.exposureTargetBias),
            range: Double(device.minExposureTargetBias)...Double(device.maxExposureTargetBias), step: 0.1,
            scale: .stops, isAutomatic: nil), isEnabled: automatic))
    }
    if custom {
      let (short, long) = (format.minExposureDuration.seconds, format.maxExposureDuration.seconds)
      if short > 0, long > short {
        items.append(
          ControlItem(
            id: .shutterTime,
            shape: .slider(
              value: device.exposureDuration.seconds, range: short...long, step: 0, scale: .seconds,
              isAutomatic: automatic)))
      }
      if format.maxISO > format.minISO {
        items.append(
          ControlItem(
            id: .sensitivity,
            shape: .slider(
              value: Double(device.iso), range: Double(format.minISO)...Double(format.maxISO), step: 1,
              scale: .iso, isAutomatic: automatic)))
      }
    }
    return items
  }

  private var focus: [ControlItem] {
    guard device.isLockingFocusWithCustomLensPositionSupported else { return [] }
    let automatic = device.isFocusModeSupported(.continuousAutoFocus) ? device.focusMode != .locked : nil
    return [
      ControlItem(
        id: .focus,
        shape: .slider(
          value: Double(device.lensPosition), range: 0...1, step: 0.01, scale: .share, isAutomatic: automatic)
      )
    ]
  }

  private var whiteBalance: [ControlItem] {
    guard device.isLockingWhiteBalanceWithCustomDeviceGainsSupported else { return [] }
    let now = device.temperatureAndTintValues(for: device.deviceWhiteBalanceGains)
    let automatic =
      device.isWhiteBalanceModeSupported(.continuousAutoWhiteBalance)
      ? device.whiteBalanceMode != .locked : nil
    return [
      ControlItem(
        id: .temperature,
        shape: .slider(
          value: min(max(Double(now.temperature), 2000), 10000), range: 2000...10000, step: 50,
          scale: .kelvin,
          isAutomatic: automatic)),
      ControlItem(
        id: .tint,
        shape: .slider(
          value: min(max(Double(now.tint), -150), 150), range: -150...150, step: 1, scale: .plain,
          isAutomatic: automatic)),
    ]
  }

  private var light: [ControlItem] {
    var items: [ControlItem] = []
    if device.hasTorch {
      items.append(
        ControlItem(
          id: .torch,
          shape: .slider(
            value: device.torchMode == .off ? 0 : Double(device.torchLevel), range: 0...1, step: 0.05,
            scale: .share, isAutomatic: nil), isEnabled: device.isTorchAvailable))
    }
    if device.activeFormat.isVideoHDRSupported {
      items.append(ControlItem(id: .hdr, shape: .toggle(device.isVideoHDREnabled)))
    }
    if device.isLowLightBoostSupported {
      items.append(
        ControlItem(id: .lowLight, shape: .toggle(device.automaticallyEnablesLowLightBoostWhenAvailable)))
    }
    return items
  }

  private var driver: [ControlItem] {
    ((try? device.nativeControls()) ?? []).compactMap(ControlItem.init)
  }
}

extension ControlItem {
  /// A driver's control; `nil` for what cannot be shown.
  init?(_ control: NativeControl) {
    var number: Int64 = control.defaultValue
    if case .number(let value)? = control.value { number = value }
    let shape: Shape
    switch control.kind {
    case .integer:
      guard control.range.upperBound > control.range.lowerBound else { return nil }
      shape = .slider(
        value: Double(number), range: Double(control.range.lowerBound)...Double(control.range.upperBound),
        step: Double(control.step), scale: .plain, isAutomatic: nil)
    case .boolean: shape = .toggle(number != 0)
    case .menu:
      guard !control.entries.isEmpty else { return nil }
      shape = .menu(
        selected: control.entries.firstIndex { $0.value == number } ?? 0, entries: control.entries.map(\.name)
      )
    case .button: shape = .button
    case .bits, .text, .compound: return nil
    }
    self.init(
      id: .driver(name: control.name, title: control.title), shape: shape,
      isEnabled: !control.isReadOnly && !control.isInactive && !control.isGrabbed)
  }
}
