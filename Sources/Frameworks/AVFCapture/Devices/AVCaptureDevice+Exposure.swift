internal import AVFCore
internal import CaptureDevice
public import CoreMedia
internal import FoundationExtras
internal import Linux

extension AVCaptureDevice {
  /// Whether the device honours `exposureMode`.
  ///
  /// Apple: `AVCaptureDevice.isExposureModeSupported(_:)`.
  public func isExposureModeSupported(_ exposureMode: ExposureMode) -> Bool {
    facts.capabilities.exposureModes.contains(exposureMode.driverMode)
  }

  /// How exposure is decided.
  ///
  /// A mode that the device lacks, and setting without the lock, are programming mistakes without effect. Takes
  /// effect within two frames. `autoExpose` becomes `locked` when it has found its exposure. Observable.
  ///
  /// Apple: `AVCaptureDevice.exposureMode`.
  public var exposureMode: ExposureMode {
    get {
      observerTable.access(\AVCaptureDevice.exposureMode)
      return ExposureMode(driver.controlState.exposureMode)
    }
    set {
      guard mayChange("exposureMode") else { return }
      guard isExposureModeSupported(newValue) else {
        return ProgrammingMistake.report(
          rule:
            "exposureMode cannot be \(newValue) on \(localizedName); ask isExposureModeSupported(_:) first.")
      }
      observerTable.changing(\AVCaptureDevice.exposureMode, of: self) {
        do throws(CaptureDeviceError) {
          _ = try driver.apply([.exposureMode(newValue.driverMode)])
        } catch {
          // Apple's setter has no way to fail; the mode then reads as it was, and the reason is logged.
          Log.note("\(localizedName) did not take the exposure mode \(newValue): \(error.message)")
        }
      }
    }
  }

  /// Whether auto exposure is moving.
  ///
  /// Observable.
  ///
  /// Apple: `AVCaptureDevice.isAdjustingExposure`.
  public var isAdjustingExposure: Bool {
    observerTable.access(\AVCaptureDevice.isAdjustingExposure)
    return exposureNow.isAdjusting
  }

  /// How long the latest frame was exposed.
  ///
  /// `CMTime.invalid` where the device does not tell. Observable.
  ///
  /// Apple: `AVCaptureDevice.exposureDuration`.
  public var exposureDuration: CMTime {
    observerTable.access(\AVCaptureDevice.exposureDuration)
    return CMTime(exposure: exposureNow)
  }

  /// The ISO value of the latest frame; 0 where the device does not tell.
  ///
  /// Observable.
  ///
  /// Apple: `AVCaptureDevice.iso`.
  public var iso: Float {
    observerTable.access(\AVCaptureDevice.iso)
    return exposureNow.iso ?? 0
  }

  private var exposureNow: FrameExposure {
    (state.withLock { $0.conditions?.state } ?? driver.controlState).exposure
  }

  /// Notes what held for a frame, on the reader thread; returns the work of telling observers, if there is any.
  func note(_ conditions: FrameConditions) -> (@Sendable () -> Void)? {
    let old = state.withLock { state -> FrameConditions? in
      guard state.conditions !== conditions else { return nil }
      defer { state.conditions = conditions }
      return state.conditions
    }
    guard let old, observerTable.count > 0 else { return nil }
    return { [weak self] in
      self?.tellExposure(from: old.state.exposure, to: conditions.state.exposure)
    }
  }

  private func tellExposure(from old: FrameExposure, to new: FrameExposure) {
    if old.isAdjusting != new.isAdjusting {
      observerTable.changed(
        \AVCaptureDevice.isAdjustingExposure, of: self, from: old.isAdjusting, to: new.isAdjusting)
    }
    if old.durationNanoseconds != new.durationNanoseconds {
      observerTable.changed(
        \AVCaptureDevice.exposureDuration, of: self, from: CMTime(exposure: old), to: CMTime(exposure: new))
    }
    if old.iso != new.iso {
      observerTable.changed(\AVCaptureDevice.iso, of: self, from: old.iso ?? 0, to: new.iso ?? 0)
    }
  }
}

extension CMTime {
  fileprivate init(exposure: FrameExposure) {
    if let nanoseconds = exposure.durationNanoseconds {
      self.init(value: nanoseconds, timescale: 1_000_000_000)
    } else {
      self = .invalid
    }
  }
}
