internal import CaptureDevice
public import CoreMedia
public import Foundation
internal import FoundationExtras
internal import Linux

extension AVCaptureDevice {
  /// Whether the device honours `exposureMode`.
  ///
  /// A virtual device has no `custom`: its cameras differ in what they can do.
  ///
  /// Apple: `AVCaptureDevice.isExposureModeSupported(_:)`.
  public func isExposureModeSupported(_ exposureMode: ExposureMode) -> Bool {
    capabilities.exposureModes.contains(exposureMode.driverMode)
      && (exposureMode != .custom || !isVirtualDevice)
  }

  /// How exposure is decided.
  ///
  /// Setting it starts a new measurement, at the point that is set. A mode that the device lacks, and setting without the
  /// lock, are programming mistakes without effect. `autoExpose` becomes `locked` when it has found its exposure, `custom`
  /// keeps duration and ISO as they are. Observable.
  ///
  /// Apple: `AVCaptureDevice.exposureMode`.
  public var exposureMode: ExposureMode {
    get {
      observerTable.access(\AVCaptureDevice.exposureMode)
      return ExposureMode(controls.exposureMode)
    }
    set {
      guard mayChange("exposureMode") else { return }
      guard isExposureModeSupported(newValue) else {
        return ProgrammingMistake.report(
          rule:
            "exposureMode cannot be \(newValue) on \(localizedName); ask isExposureModeSupported(_:) first.")
      }
      if newValue != .custom { ask(exposureNanoseconds: 0) }
      change("the exposure mode \(newValue)", .exposureMode(newValue.driverMode))
    }
  }

  /// Whether the device can expose for a point of the picture.
  ///
  /// Apple: `AVCaptureDevice.isExposurePointOfInterestSupported`.
  public var isExposurePointOfInterestSupported: Bool { capabilities.hasExposurePoint }

  /// What shall be exposed rightly, in fractions of the sensor's own picture: (0, 0) is its top left corner, (1, 1) the bottom
  /// right.
  ///
  /// (0.5, 0.5) until it is set. Counts from the next setting of ``exposureMode`` on. A device that has no such point, a
  /// point outside of the picture, and setting without the lock are programming mistakes without effect. Observable.
  ///
  /// Apple: `AVCaptureDevice.exposurePointOfInterest`.
  public var exposurePointOfInterest: CGPoint {
    get {
      observerTable.access(\AVCaptureDevice.exposurePointOfInterest)
      return CGPoint(controls.exposurePoint)
    }
    set {
      guard mayChange("exposurePointOfInterest") else { return }
      guard isExposurePointOfInterestSupported, let point = FramePoint(newValue) else {
        return ProgrammingMistake.report(
          rule: "exposurePointOfInterest cannot be (\(newValue.x), \(newValue.y)) on \(localizedName); ask "
            + "isExposurePointOfInterestSupported first, and stay between 0 and 1.")
      }
      change("the exposure point", .exposurePoint(point))
    }
  }

  /// Whether auto exposure is moving.
  ///
  /// Observable.
  ///
  /// Apple: `AVCaptureDevice.isAdjustingExposure`.
  public var isAdjustingExposure: Bool {
    observerTable.access(\AVCaptureDevice.isAdjustingExposure)
    return controls.exposure.isAdjusting
  }

  /// How long the latest frame was exposed.
  ///
  /// `CMTime.invalid` where the device does not report it. Observable.
  ///
  /// Apple: `AVCaptureDevice.exposureDuration`.
  public var exposureDuration: CMTime {
    observerTable.access(\AVCaptureDevice.exposureDuration)
    return CMTime(nanoseconds: controls.exposure.durationNanoseconds)
  }

  /// The ISO value of the latest frame; 0 where the device does not report it.
  ///
  /// Observable.
  ///
  /// Apple: `AVCaptureDevice.iso`.
  public var iso: Float {
    observerTable.access(\AVCaptureDevice.iso)
    return controls.exposure.iso ?? 0
  }

  // MARK: Custom exposure

  /// Instead of a duration: the one that the device has.
  ///
  /// Compare with `==`; it is no duration that a camera could have.
  ///
  /// Apple: `AVCaptureDevice.currentExposureDuration`.
  public class var currentExposureDuration: CMTime { CMTime(value: .max, timescale: 1) }

  /// Instead of an ISO value: the one that the device has.
  ///
  /// Apple: `AVCaptureDevice.currentISO`.
  public class var currentISO: Float { .greatestFiniteMagnitude }

  /// The longest exposure of the frame that is to come next, in nanoseconds, as far as it is known.
  var slowestExposureNanoseconds: Int64 {
    let moment = now.nanoseconds
    return max(controls.exposure.durationNanoseconds ?? 0, askedExposure.withLock { $0.longest(at: moment) })
  }

  private func ask(exposureNanoseconds nanoseconds: Int64) {
    let moment = now.nanoseconds
    askedExposure.withLock { $0.ask(nanoseconds, at: moment) }
  }

  /// Exposes with a duration and an ISO value of the client's, whatever the light.
  ///
  /// Values outside of the active format's ranges (a microsecond beyond is rounding, and brought inside), a device without
  /// the mode `custom`, and a call without the lock are programming mistakes without effect, for which the handler gets
  /// `CMTime.invalid`.
  ///
  /// - Parameters:
  ///   - duration: Within the format's ``Format/minExposureDuration`` and ``Format/maxExposureDuration``, or
  ///     ``currentExposureDuration``. One longer than a frame makes frames longer.
  ///   - ISO: Within the format's ``Format/minISO`` and ``Format/maxISO``, or ``currentISO``.
  ///   - handler: Called once, with the timestamp of the first frame exposed so; the rules of
  ///     ``setFocusModeLocked(lensPosition:completionHandler:)`` hold.
  ///
  /// Apple: `AVCaptureDevice.setExposureModeCustom(duration:iso:completionHandler:)`.
  public func setExposureModeCustom(
    duration: CMTime, iso ISO: Float, completionHandler handler: ((CMTime) -> Void)? = nil
  ) {
    guard mayChange("setExposureModeCustom(duration:iso:)", handler) else { return }
    guard isExposureModeSupported(.custom) else {
      return refuse(
        "setExposureModeCustom(duration:iso:) cannot be used with \(localizedName); ask "
          + "isExposureModeSupported(.custom) first.", handler)
    }
    let format = activeFormat.streamFormat
    var nanoseconds: Int64?
    if duration != Self.currentExposureDuration {
      nanoseconds = duration.nanoseconds(near: format?.exposureNanoseconds)
      guard nanoseconds != nil else {
        return refuse(
          "setExposureModeCustom(duration:iso:) cannot expose for \(duration.seconds) s, which the active format "
            + "lacks; stay between its minExposureDuration and maxExposureDuration.", handler)
      }
    }
    let isCurrent = ISO == Self.currentISO
    guard isCurrent || format?.iso?.contains(ISO) == true else {
      return refuse(
        "setExposureModeCustom(duration:iso:) cannot expose at ISO \(ISO), which the active format lacks; "
          + "stay between its minISO and maxISO.", handler)
    }
    // Before a frame that is exposed so long is waited for.
    if let nanoseconds { ask(exposureNanoseconds: nanoseconds) }
    change(
      "the custom exposure", .customExposure(durationNanoseconds: nanoseconds, iso: isCurrent ? nil : ISO),
      completion: handler)
  }

  /// Exposes with a duration and an ISO value of the client's, and returns the timestamp of the first frame exposed so.
  ///
  /// As ``setExposureModeCustom(duration:iso:completionHandler:)``.
  @discardableResult
  public nonisolated(nonsending) func setExposureModeCustom(duration: CMTime, iso ISO: Float) async -> CMTime
  {
    await completed { setExposureModeCustom(duration: duration, iso: ISO, completionHandler: $0) }
  }

  /// The longest exposure that auto exposure chooses.
  ///
  /// Settable within the active format's exposure durations; `CMTime.invalid` resets it to the default, which is the longest
  /// that the frame duration allows, or the format's if that is shorter. A new active format resets it too. A value outside
  /// of the range, and setting without the lock, are programming mistakes without effect. `CMTime.invalid` where the device
  /// does not report it. Observable.
  ///
  /// Apple: `AVCaptureDevice.activeMaxExposureDuration`.
  public var activeMaxExposureDuration: CMTime {
    get {
      observerTable.access(\AVCaptureDevice.activeMaxExposureDuration)
      return longestExposure(controls)
    }
    set {
      guard mayChange("activeMaxExposureDuration") else { return }
      var nanoseconds: Int64?
      if newValue.isValid {
        nanoseconds = newValue.nanoseconds(near: activeFormat.streamFormat?.exposureNanoseconds)
        guard nanoseconds != nil else {
          return ProgrammingMistake.report(
            rule:
              "activeMaxExposureDuration cannot be \(newValue.seconds) s, which the active format lacks; stay "
              + "between its minExposureDuration and maxExposureDuration.")
        }
      }
      change("the longest exposure", .longestExposure(nanoseconds))
    }
  }

  func longestExposure(_ state: ControlState) -> CMTime {
    if let nanoseconds = state.longestExposure { return CMTime(nanoseconds: nanoseconds) }
    guard let longest = activeFormat.streamFormat?.exposureNanoseconds?.upperBound else { return .invalid }
    let frame = CMTimeConvertScale(activeVideoMaxFrameDuration, timescale: 1_000_000_000, method: .default)
    return CMTime(nanoseconds: frame.isNumeric ? min(longest, frame.value) : longest)
  }
}

extension CMTime {
  /// The nanoseconds of a duration that lies in `range` or a microsecond beside it; `nil` for others.
  fileprivate func nanoseconds(near range: ClosedRange<Int64>?) -> Int64? {
    guard let range, isNumeric else { return nil }
    let value = CMTimeConvertScale(self, timescale: 1_000_000_000, method: .default).value
    guard value >= range.lowerBound - 1000, value <= range.upperBound + 1000 else { return nil }
    return min(max(value, range.lowerBound), range.upperBound)
  }
}
