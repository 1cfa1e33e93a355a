internal import CaptureDevice
public import Foundation
internal import FoundationExtras

extension AVCaptureDevice {
  /// Sets a switch of the device's pictures, if it may be set; `isAllowed` is asked for switching on only.
  private func turn(
    _ name: String, _ isOn: Bool, _ control: CameraControl, _ isAllowed: Bool, _ whatToAsk: String
  ) {
    guard mayChange(name) else { return }
    guard isAllowed else {
      return ProgrammingMistake.report(
        rule: "\(name) cannot be \(isOn) on \(localizedName); ask \(whatToAsk) first.")
    }
    change(name, control)
  }

  // MARK: Low light

  /// Whether the device can brighten pictures in the dark beyond what its ISO values give.
  ///
  /// Apple: `AVCaptureDevice.isLowLightBoostSupported`.
  public var isLowLightBoostSupported: Bool { capabilities.hasLowLightBoost }

  /// Whether the device brightens pictures now.
  ///
  /// Observable.
  ///
  /// Apple: `AVCaptureDevice.isLowLightBoostEnabled`.
  public var isLowLightBoostEnabled: Bool {
    observerTable.access(\AVCaptureDevice.isLowLightBoostEnabled)
    return controls.isLowLightBoosted
  }

  /// Whether the device may brighten pictures when it is dark; ``isLowLightBoostEnabled`` says whether it does.
  ///
  /// `false` until it is set. A device that cannot, and setting without the lock, are programming mistakes without effect.
  /// Observable.
  ///
  /// Apple: `AVCaptureDevice.automaticallyEnablesLowLightBoostWhenAvailable`.
  public var automaticallyEnablesLowLightBoostWhenAvailable: Bool {
    get {
      observerTable.access(\AVCaptureDevice.automaticallyEnablesLowLightBoostWhenAvailable)
      return controls.allowsLowLightBoost
    }
    set {
      turn(
        "automaticallyEnablesLowLightBoostWhenAvailable", newValue, .lowLightBoost(newValue),
        isLowLightBoostSupported, "isLowLightBoostSupported")
    }
  }

  // MARK: Tone and shape

  /// Whether one tone curve serves the whole picture, not one for each place.
  ///
  /// `false` until it is set; a new active format resets it, and so do a new preset of the device's session, and adding its
  /// input to a session. On with a format that lacks it, and setting without the lock, are programming mistakes without effect.
  /// Observable.
  ///
  /// Apple: `AVCaptureDevice.isGlobalToneMappingEnabled`.
  public var isGlobalToneMappingEnabled: Bool {
    get {
      observerTable.access(\AVCaptureDevice.isGlobalToneMappingEnabled)
      return controls.isGloballyToneMapped
    }
    set {
      let isSupported = activeFormat.isGlobalToneMappingSupported
      // Off is what it is already where it is not supported.
      if !newValue, !isSupported, configuration.isHeld { return }
      turn(
        "isGlobalToneMappingEnabled", newValue, .globalToneMapping(newValue), isSupported,
        "the active format's isGlobalToneMappingSupported")
    }
  }

  /// Whether the device can take back its lens's bending of straight lines.
  ///
  /// Apple: `AVCaptureDevice.isGeometricDistortionCorrectionSupported`.
  public var isGeometricDistortionCorrectionSupported: Bool { capabilities.hasDistortionCorrection }

  /// Whether the lens's bending of straight lines is taken back.
  ///
  /// On from the start where the device can. A device that cannot, and setting without the lock, are programming mistakes
  /// without effect. Observable.
  ///
  /// Apple: `AVCaptureDevice.isGeometricDistortionCorrectionEnabled`.
  public var isGeometricDistortionCorrectionEnabled: Bool {
    get {
      observerTable.access(\AVCaptureDevice.isGeometricDistortionCorrectionEnabled)
      return controls.isDistortionCorrected
    }
    set {
      // Center Stage depends on it.
      changingCenterStage {
        turn(
          "isGeometricDistortionCorrectionEnabled", newValue, .distortionCorrection(newValue),
          isGeometricDistortionCorrectionSupported, "isGeometricDistortionCorrectionSupported")
      }
    }
  }

  // MARK: The scene

  /// What is before the camera has changed greatly; the notification's object is the device.
  ///
  /// Posted on a queue of the session, only while ``isSubjectAreaChangeMonitoringEnabled``.
  ///
  /// Apple: `AVCaptureDevice.subjectAreaDidChangeNotification`.
  public static let subjectAreaDidChangeNotification = Notification.Name(
    "AVCaptureDeviceSubjectAreaDidChangeNotification")

  /// Whether great changes of the scene are reported with ``subjectAreaDidChangeNotification``.
  ///
  /// `false` until it is set. On a device that cannot watch its scene it stays `false`, without a mistake: there is nothing to
  /// ask it by. Setting without the lock is a programming mistake without effect. Observable.
  ///
  /// Apple: `AVCaptureDevice.isSubjectAreaChangeMonitoringEnabled`.
  public var isSubjectAreaChangeMonitoringEnabled: Bool {
    get {
      observerTable.access(\AVCaptureDevice.isSubjectAreaChangeMonitoringEnabled)
      return controls.isMonitoringScene
    }
    set {
      guard mayChange("isSubjectAreaChangeMonitoringEnabled"), capabilities.monitorsScene else { return }
      change("subject area change monitoring", .sceneMonitoring(newValue))
    }
  }

  func notifySubjectAreaChanged() {
    NotificationCenter.default.post(name: Self.subjectAreaDidChangeNotification, object: self)
  }
}

extension Notification.Name {
  /// The older spelling of ``AVCaptureDevice/subjectAreaDidChangeNotification``.
  public static let AVCaptureDeviceSubjectAreaDidChange = AVCaptureDevice.subjectAreaDidChangeNotification
}
