internal import CaptureDevice
public import CoreMedia
internal import FoundationExtras
internal import GraphicsCore

extension AVCaptureDevice {
  /// Whether the device honours `whiteBalanceMode`.
  ///
  /// Apple: `AVCaptureDevice.isWhiteBalanceModeSupported(_:)`.
  public func isWhiteBalanceModeSupported(_ whiteBalanceMode: WhiteBalanceMode) -> Bool {
    capabilities.whiteBalanceModes.contains(whiteBalanceMode.driverMode)
  }

  /// How white balance is decided.
  ///
  /// `autoWhiteBalance` becomes `locked` when it has found its gains. A mode that the device lacks, and setting without the
  /// lock, are programming mistakes without effect. Observable.
  ///
  /// Apple: `AVCaptureDevice.whiteBalanceMode`.
  public var whiteBalanceMode: WhiteBalanceMode {
    get {
      observerTable.access(\AVCaptureDevice.whiteBalanceMode)
      return WhiteBalanceMode(controls.whiteBalanceMode)
    }
    set {
      guard mayChange("whiteBalanceMode") else { return }
      guard isWhiteBalanceModeSupported(newValue) else {
        return ProgrammingMistake.report(
          rule: "whiteBalanceMode cannot be \(newValue) on \(localizedName); "
            + "ask isWhiteBalanceModeSupported(_:) first.")
      }
      change("the white balance mode \(newValue)", .whiteBalanceMode(newValue.driverMode))
    }
  }

  /// Whether white balance is moving.
  ///
  /// Observable.
  ///
  /// Apple: `AVCaptureDevice.isAdjustingWhiteBalance`.
  public var isAdjustingWhiteBalance: Bool {
    observerTable.access(\AVCaptureDevice.isAdjustingWhiteBalance)
    return controls.isAdjustingWhiteBalance
  }

  // MARK: Gains

  /// What the sensor's colours of the latest frame were multiplied by; the least is 1.
  ///
  /// Set by ``setWhiteBalanceModeLocked(with:completionHandler:)``. Observable.
  ///
  /// Apple: `AVCaptureDevice.deviceWhiteBalanceGains`.
  public var deviceWhiteBalanceGains: WhiteBalanceGains {
    observerTable.access(\AVCaptureDevice.deviceWhiteBalanceGains)
    return WhiteBalanceGains(controls.whiteBalanceGains)
  }

  /// The gains with which what is in the middle of the latest frame would be grey.
  ///
  /// The gains in force where the device does not report it. Observable.
  ///
  /// Apple: `AVCaptureDevice.grayWorldDeviceWhiteBalanceGains`.
  public var grayWorldDeviceWhiteBalanceGains: WhiteBalanceGains {
    observerTable.access(\AVCaptureDevice.grayWorldDeviceWhiteBalanceGains)
    let controls = controls
    return WhiteBalanceGains(controls.greyWorldGains ?? controls.whiteBalanceGains)
  }

  /// The greatest gain of a colour; 1 where gains cannot be set.
  ///
  /// Apple: `AVCaptureDevice.maxWhiteBalanceGain`.
  public var maxWhiteBalanceGain: Float { capabilities.whiteBalanceGains?.upperBound ?? 1 }

  /// Whether gains of the client's can be set; never with a virtual device, whose cameras see colours differently.
  ///
  /// Apple: `AVCaptureDevice.isLockingWhiteBalanceWithCustomDeviceGainsSupported`.
  public var isLockingWhiteBalanceWithCustomDeviceGainsSupported: Bool {
    capabilities.whiteBalanceGains != nil && !isVirtualDevice
  }

  /// Instead of gains: those that the device has.
  ///
  /// Apple: `AVCaptureDevice.currentWhiteBalanceGains`.
  public class var currentWhiteBalanceGains: WhiteBalanceGains {
    let most = Float.greatestFiniteMagnitude
    return WhiteBalanceGains(redGain: most, greenGain: most, blueGain: most)
  }

  /// Sets the gains and locks white balance there.
  ///
  /// Gains are divided by the least of the three, so that the picture's brightness stays. A gain that is then greater than
  /// ``maxWhiteBalanceGain``, one that is not above 0, gains of the client's where
  /// ``isLockingWhiteBalanceWithCustomDeviceGainsSupported`` is `false`, and a call without the lock are programming
  /// mistakes without effect, for which the handler gets `CMTime.invalid`.
  ///
  /// - Parameters:
  ///   - whiteBalanceGains: The gains, or ``currentWhiteBalanceGains``.
  ///   - handler: Called once, with the timestamp of the first frame with these gains; the rules of
  ///     ``setFocusModeLocked(lensPosition:completionHandler:)`` hold.
  ///
  /// Apple: `AVCaptureDevice.setWhiteBalanceModeLocked(with:completionHandler:)`.
  public func setWhiteBalanceModeLocked(
    with whiteBalanceGains: WhiteBalanceGains, completionHandler handler: ((CMTime) -> Void)? = nil
  ) {
    guard mayChange("setWhiteBalanceModeLocked(with:)", handler) else { return }
    if whiteBalanceGains.isCurrent, isWhiteBalanceModeSupported(.locked) {
      change("the locked white balance", .whiteBalanceMode(.locked), completion: handler)
    } else if isLockingWhiteBalanceWithCustomDeviceGainsSupported,
      let gains = whiteBalanceGains.normalized.flatMap(checked)
    {
      change("the white balance gains", .whiteBalanceGains(gains), completion: handler)
    } else {
      refuse(rule("setWhiteBalanceModeLocked(with:)", whiteBalanceGains), handler)
    }
  }

  /// Sets the gains, locks white balance there, and returns the timestamp of the first frame with these gains.
  ///
  /// As ``setWhiteBalanceModeLocked(with:completionHandler:)``.
  @discardableResult
  public nonisolated(nonsending) func setWhiteBalanceModeLocked(
    with whiteBalanceGains: WhiteBalanceGains
  ) async -> CMTime {
    await completed { setWhiteBalanceModeLocked(with: whiteBalanceGains, completionHandler: $0) }
  }

  // MARK: Conversions

  /// The colour of the light that gains make neutral, as a temperature and a tint.
  ///
  /// Gains outside of 1 to ``maxWhiteBalanceGain`` are a programming mistake; the answer then is 0 and 0.
  ///
  /// Apple: `AVCaptureDevice.temperatureAndTintValues(for:)`.
  public func temperatureAndTintValues(
    for whiteBalanceGains: WhiteBalanceGains
  ) -> WhiteBalanceTemperatureAndTintValues {
    guard let light = light("temperatureAndTintValues(for:)", whiteBalanceGains) else {
      return WhiteBalanceTemperatureAndTintValues(temperature: 0, tint: 0)
    }
    let color = LightColor(light)
    return WhiteBalanceTemperatureAndTintValues(
      temperature: Float(color.temperature), tint: Float(color.tint))
  }

  /// The gains that make a light of a temperature and a tint neutral.
  ///
  /// They may be greater than ``maxWhiteBalanceGain``: check before setting them. Temperatures below 1000 and above 25 000
  /// kelvin count as these.
  ///
  /// Apple: `AVCaptureDevice.deviceWhiteBalanceGains(for:)`.
  public func deviceWhiteBalanceGains(
    for tempAndTintValues: WhiteBalanceTemperatureAndTintValues
  ) -> WhiteBalanceGains {
    let light = LightColor(
      temperature: Double(tempAndTintValues.temperature), tint: Double(tempAndTintValues.tint))
    return WhiteBalanceGains(sensorColors.gains(x: light.chromaticity.x, y: light.chromaticity.y))
  }

  /// The colour of the light that gains make neutral, as CIE 1931 chromaticity.
  ///
  /// Gains outside of 1 to ``maxWhiteBalanceGain`` are a programming mistake; the answer then is 0 and 0.
  ///
  /// Apple: `AVCaptureDevice.chromaticityValues(for:)`.
  public func chromaticityValues(for whiteBalanceGains: WhiteBalanceGains) -> WhiteBalanceChromaticityValues {
    guard let light = light("chromaticityValues(for:)", whiteBalanceGains) else {
      return WhiteBalanceChromaticityValues(x: 0, y: 0)
    }
    return WhiteBalanceChromaticityValues(x: Float(light.x), y: Float(light.y))
  }

  /// The gains that make a light of a CIE 1931 chromaticity neutral.
  ///
  /// They may be greater than ``maxWhiteBalanceGain``: check before setting them. Values outside of 0 to 1 are a programming
  /// mistake; the answer then is three times 1.
  ///
  /// Apple: `AVCaptureDevice.deviceWhiteBalanceGains(for:)`.
  public func deviceWhiteBalanceGains(
    for chromaticityValues: WhiteBalanceChromaticityValues
  ) -> WhiteBalanceGains {
    let x = Double(chromaticityValues.x), y = Double(chromaticityValues.y)
    guard (0...1).contains(x), (0...1).contains(y), y > 0 else {
      ProgrammingMistake.report(
        rule: "deviceWhiteBalanceGains(for:) was asked for chromaticity (\(x), \(y)); stay between 0 and 1.")
      return WhiteBalanceGains(redGain: 1, greenGain: 1, blueGain: 1)
    }
    return WhiteBalanceGains(sensorColors.gains(x: x, y: y))
  }

  // MARK: Parts

  /// How the device sees colours; as a screen shows them where that is not known.
  private var sensorColors: SensorColors { facts.sensorColors ?? .sRGB }

  private func light(_ method: String, _ gains: WhiteBalanceGains) -> (x: Double, y: Double)? {
    guard let gains = checked(gains), let light = sensorColors.chromaticity(gains) else {
      ProgrammingMistake.report(rule: rule(method, gains))
      return nil
    }
    return light
  }

  private func rule(_ method: String, _ gains: WhiteBalanceGains) -> String {
    "\(method) cannot take the gains \(gains.redGain), \(gains.greenGain), \(gains.blueGain) on \(localizedName); "
      + "ask isLockingWhiteBalanceWithCustomDeviceGainsSupported, and stay between 1 and maxWhiteBalanceGain "
      + "\(maxWhiteBalanceGain)."
  }

  private func checked(_ gains: WhiteBalanceGains) -> CaptureDevice.WhiteBalanceGains? {
    guard let range = capabilities.whiteBalanceGains,
      [gains.redGain, gains.greenGain, gains.blueGain].allSatisfy({ $0 >= 1 && $0 <= range.upperBound })
    else { return nil }
    return CaptureDevice.WhiteBalanceGains(red: gains.redGain, green: gains.greenGain, blue: gains.blueGain)
  }
}
