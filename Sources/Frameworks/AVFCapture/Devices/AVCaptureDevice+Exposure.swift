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
    exposureMode.driverMode.map(facts.exposureModes.contains) ?? false
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
      return ExposureMode(driver.exposureState.mode)
    }
    set {
      guard mayChange("exposureMode") else { return }
      guard isExposureModeSupported(newValue), let mode = newValue.driverMode else {
        return ProgrammingMistake.report(
          rule:
            "exposureMode cannot be \(newValue) on \(localizedName); ask isExposureModeSupported(_:) first.")
      }
      observerTable.changing(\AVCaptureDevice.exposureMode, of: self) {
        do throws(CaptureDeviceError) {
          try driver.setExposureMode(mode)
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
    state.withLock { $0.exposure } ?? driver.exposureState.exposure
  }

  /// Notes how a frame was exposed, on the reader thread; returns the work of telling observers, if there is any.
  func note(_ exposure: FrameExposure) -> (@Sendable () -> Void)? {
    let old = state.withLock { state in
      defer { state.exposure = exposure }
      return state.exposure
    }
    guard let old, old != exposure, observerTable.count > 0 else { return nil }
    return { [weak self] in self?.tellExposure(from: old, to: exposure) }
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
