internal import CaptureDevice
internal import FoundationExtras
internal import Linux

extension AVCaptureDevice {
  // MARK: Portrait

  /// Whether the user has enabled Portrait for this program.
  ///
  /// Users enable it with `obscura effects` or in the desktop camera; programs cannot. Observable with
  /// `AVCaptureDevice.observe(\.isPortraitEffectEnabled) { … }`.
  ///
  /// Apple: `AVCaptureDevice.isPortraitEffectEnabled`.
  public class var isPortraitEffectEnabled: Bool { VideoEffectSettings.shared.choices[.portrait].isOn }

  /// Whether Portrait is applied to the device's pictures: it is enabled, and the active format supports it.
  ///
  /// Observable.
  ///
  /// Apple: `AVCaptureDevice.isPortraitEffectActive`.
  public var isPortraitEffectActive: Bool {
    observerTable.access(\AVCaptureDevice.isPortraitEffectActive)
    return isActive(.portrait)
  }

  // MARK: Studio Light

  /// Whether the user has enabled Studio Light for this program.
  ///
  /// As ``isPortraitEffectEnabled``. Observable.
  ///
  /// Apple: `AVCaptureDevice.isStudioLightEnabled`.
  public class var isStudioLightEnabled: Bool { VideoEffectSettings.shared.choices[.studioLight].isOn }

  /// Whether Studio Light is applied to the device's pictures: it is enabled, and the active format supports it.
  ///
  /// Observable.
  ///
  /// Apple: `AVCaptureDevice.isStudioLightActive`.
  public var isStudioLightActive: Bool {
    observerTable.access(\AVCaptureDevice.isStudioLightActive)
    return isActive(.studioLight)
  }

  // MARK: Background

  /// Whether the user has enabled background replacement for this program.
  ///
  /// As ``isPortraitEffectEnabled``. Observable.
  ///
  /// Apple: `AVCaptureDevice.isBackgroundReplacementEnabled`.
  public class var isBackgroundReplacementEnabled: Bool {
    VideoEffectSettings.shared.choices[.background].isOn
  }

  /// Whether the background of the device's pictures is replaced: that is enabled, and the active format supports it.
  ///
  /// Observable.
  ///
  /// Apple: `AVCaptureDevice.isBackgroundReplacementActive`.
  public var isBackgroundReplacementActive: Bool {
    observerTable.access(\AVCaptureDevice.isBackgroundReplacementActive)
    return isActive(.background)
  }

  // MARK: Parts

  func isActive(_ effect: VideoEffect) -> Bool { effectFacts.isActive(effect) }

  /// The active format as the driver describes it; `nil` for microphones.
  var activeStreamFormat: StreamFormat? { state.withLock { $0.settings.format(of: $0.facts) } }
}
