internal import AVFCore
internal import CaptureDevice
internal import FoundationExtras
internal import Linux

extension AVCaptureDevice {
  /// The mode of the torch: off, on, or automatic.
  ///
  /// Apple: `AVCaptureDevice.TorchMode`.
  public enum TorchMode: Int, Sendable {
    /// Dark.
    case off = 0
    /// Lit.
    case on = 1
    /// Lit while the scene is dark.
    case auto = 2
  }

  /// Whether the device has a lamp.
  ///
  /// Apple: `AVCaptureDevice.hasTorch`.
  public var hasTorch: Bool { capabilities.torchLevel != nil }

  /// Whether the lamp can be lit now: the device is connected, and ``systemPressureState`` below `critical`.
  ///
  /// Observable.
  ///
  /// Apple: `AVCaptureDevice.isTorchAvailable`.
  public var isTorchAvailable: Bool {
    observerTable.access(\AVCaptureDevice.isTorchAvailable)
    guard hasTorch, state.withLock({ $0.isConnected }) else { return false }
    pressure.follow(self)
    return isCoolEnoughForLamp
  }

  /// Whether the lamp is lit.
  ///
  /// Observable.
  ///
  /// Apple: `AVCaptureDevice.isTorchActive`.
  public var isTorchActive: Bool {
    observerTable.access(\AVCaptureDevice.isTorchActive)
    return controls.torchLevel > 0
  }

  /// How bright the lamp is: 0 is dark, 1 as bright as it can.
  ///
  /// Observable.
  ///
  /// Apple: `AVCaptureDevice.torchLevel`.
  public var torchLevel: Float {
    observerTable.access(\AVCaptureDevice.torchLevel)
    return controls.torchLevel
  }

  /// Whether the lamp can do that.
  ///
  /// Apple: `AVCaptureDevice.isTorchModeSupported(_:)`.
  public func isTorchModeSupported(_ torchMode: TorchMode) -> Bool {
    capabilities.torchModes.contains(torchMode.driverMode)
  }

  /// The mode of the torch.
  ///
  /// `on` lights it as brightly as it can. A mode that it lacks, and setting without the lock, are programming mistakes
  /// without effect. A lamp that may not be lit for heat stays as it is, and the reason is logged.
  ///
  /// Becomes `off` when the session stops, is interrupted, or goes on without the device, whichever mode it had: the lamp goes dark
  /// and stays so until a client lights it again. Apple's devices do so; their documentation does not say it. Without a session the
  /// lamp can be lit, too. Observable.
  ///
  /// Apple: `AVCaptureDevice.torchMode`.
  public var torchMode: TorchMode {
    get {
      observerTable.access(\AVCaptureDevice.torchMode)
      return TorchMode(controls.torchMode)
    }
    set {
      guard mayChange("torchMode") else { return }
      guard isTorchModeSupported(newValue), let level = capabilities.torchLevel else {
        return ProgrammingMistake.report(
          rule: "torchMode cannot be \(newValue) on \(localizedName); ask isTorchModeSupported(_:) first.")
      }
      guard newValue == .off || isCoolEnoughForLamp else {
        return Log.note(
          "\(localizedName) did not take the torch mode \(newValue): the machine is too hot; let it cool down."
        )
      }
      change("the torch mode \(newValue)", .torch(newValue.driverMode, level: level))
    }
  }

  /// Instead of a level: the greatest that there is now.
  ///
  /// Apple: `AVCaptureDevice.maxAvailableTorchLevel`.
  public class var maxAvailableTorchLevel: Float { .greatestFiniteMagnitude }

  /// Lights the lamp.
  ///
  /// A level outside of 0 to 1 (and 0 itself), a device without a lamp that can be lit, and a call without the lock are
  /// programming mistakes without effect.
  ///
  /// - Parameter torchLevel: Above 0, at most 1, or ``maxAvailableTorchLevel``.
  /// - Throws: ``AVError`` with `torchLevelUnavailable` for a level that is valid but greater than the lamp's greatest now,
  ///   which is none while the machine is too hot;
  ///   `deviceNotConnected` for a device that is unplugged.
  ///
  /// Apple: `AVCaptureDevice.setTorchModeOn(level:)`.
  public func setTorchModeOn(level torchLevel: Float) throws {
    guard mayChange("setTorchModeOn(level:)") else { return }
    guard isTorchModeSupported(.on), let most = capabilities.torchLevel else {
      return ProgrammingMistake.report(
        rule: "setTorchModeOn(level:) cannot light \(localizedName); ask isTorchModeSupported(.on) first.")
    }
    guard isConnected else {
      throw AVError(
        .deviceNotConnected,
        because:
          "The lamp of \(localizedName) cannot be lit because the device is not connected; plug it in.",
        device: self)
    }
    guard isCoolEnoughForLamp else {
      throw AVError(
        .torchLevelUnavailable,
        because:
          "The lamp of \(localizedName) cannot be lit because the machine is too hot; let it cool down.",
        device: self)
    }
    if torchLevel == Self.maxAvailableTorchLevel {
      return change("the torch level", .torch(.on, level: most))
    }
    guard torchLevel > 0, torchLevel <= 1 else {
      return ProgrammingMistake.report(
        rule: "setTorchModeOn(level:) cannot set the level \(torchLevel); stay above 0 and at most at 1.")
    }
    guard torchLevel <= most else {
      throw AVError(
        .torchLevelUnavailable,
        because:
          "The lamp of \(localizedName) cannot be lit at \(torchLevel) because \(most) is its most now; "
          + "use maxAvailableTorchLevel.", device: self)
    }
    change("the torch level", .torch(.on, level: torchLevel))
  }
}

extension AVCaptureDevice {
  /// Notifies observers that the lamps were unplugged with the device.
  func notifyLampsUnplugged() {
    guard isCoolEnoughForLamp else { return }
    if hasTorch {
      observerTable.changed(\AVCaptureDevice.isTorchAvailable, of: self, from: true, to: false)
    }
    if hasFlash {
      observerTable.changed(\AVCaptureDevice.isFlashAvailable, of: self, from: true, to: false)
    }
  }
}

// MARK: Flash

extension AVCaptureDevice {
  /// Whether the device has a flash.
  ///
  /// Apple: `AVCaptureDevice.hasFlash`.
  public var hasFlash: Bool { capabilities.flashModes.contains(.on) }

  /// Whether the flash can fire now: the device is connected, and ``systemPressureState`` below `critical`.
  ///
  /// A photo that is taken while it cannot has none, whatever its settings say. Observable.
  ///
  /// Apple: `AVCaptureDevice.isFlashAvailable`.
  public var isFlashAvailable: Bool {
    observerTable.access(\AVCaptureDevice.isFlashAvailable)
    guard hasFlash, state.withLock({ $0.isConnected }) else { return false }
    pressure.follow(self)
    return isCoolEnoughForLamp
  }

  /// Whether the flash can be used in that way.
  ///
  /// Apple: `AVCaptureDevice.isFlashModeSupported(_:)`.
  public func isFlashModeSupported(_ flashMode: FlashMode) -> Bool {
    capabilities.flashModes.contains(CaptureDevice.FlashMode(flashMode))
  }

  /// The flash mode that the client has set on the device.
  ///
  /// As with AVFoundation, a photo output does not heed it: its settings have a flash mode of their own. `off` until it is
  /// set. A mode that the device lacks, and setting without the lock, are programming mistakes without effect. Observable.
  ///
  /// Apple: `AVCaptureDevice.flashMode`.
  public var flashMode: FlashMode {
    get {
      observerTable.access(\AVCaptureDevice.flashMode)
      return state.withLock { $0.flashMode }
    }
    set {
      guard mayChange("flashMode") else { return }
      guard isFlashModeSupported(newValue) else {
        return ProgrammingMistake.report(
          rule: "flashMode cannot be \(newValue) on \(localizedName); ask isFlashModeSupported(_:) first.")
      }
      let controls = controls
      let old = state.withLock { state in
        defer { state.flashMode = newValue }
        return state.flashMode
      }
      guard old != newValue else { return }
      observerTable.changed(\AVCaptureDevice.flashMode, of: self, from: old, to: newValue)
      let wasActive = isFlashActive(old, controls), isActive = isFlashActive(newValue, controls)
      if wasActive != isActive {
        observerTable.changed(\AVCaptureDevice.isFlashActive, of: self, from: wasActive, to: isActive)
      }
    }
  }

  /// Whether the flash would fire by ``flashMode`` now: it is `on`, or `auto` and the scene is dark.
  ///
  /// Observable.
  ///
  /// Apple: `AVCaptureDevice.isFlashActive`.
  public var isFlashActive: Bool {
    observerTable.access(\AVCaptureDevice.isFlashActive)
    return isFlashActive(state.withLock { $0.flashMode }, controls)
  }

  func isFlashActive(_ mode: FlashMode, _ state: ControlState) -> Bool {
    switch mode {
    case .off: false
    case .on: true
    case .auto: state.isDark
    }
  }
}

extension AVCaptureDevice.TorchMode {
  init(_ mode: TorchMode) {
    self =
      switch mode {
      case .off: .off
      case .on: .on
      case .auto: .auto
      }
  }

  var driverMode: TorchMode {
    switch self {
    case .off: .off
    case .on: .on
    case .auto: .auto
    }
  }
}
