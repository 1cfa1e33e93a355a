internal import FoundationExtras
internal import Linux
internal import PeopleFinding

extension AVCapturePhotoOutput {
  // MARK: People

  /// Whether photos can come with a matte of the people.
  ///
  /// They can where they can come with depth, beside which mattes are made, and where people can be found: that needs a model, which
  /// `obscura doctor` says how to get.
  ///
  /// Apple: `AVCapturePhotoOutput.isPortraitEffectsMatteDeliverySupported`.
  public var isPortraitEffectsMatteDeliverySupported: Bool {
    isDepthDataDeliverySupported && ModelFolder.current.obstacle(to: .segmentation) == nil
  }

  /// Whether photos may ask for a matte of the people; `false` at first.
  ///
  /// Settings that ask for one ask for depth, too. Goes back to `false` when ``isPortraitEffectsMatteDeliverySupported`` does; `true`
  /// without support is a programming mistake without effect.
  ///
  /// Apple: `AVCapturePhotoOutput.isPortraitEffectsMatteDeliveryEnabled`.
  public var isPortraitEffectsMatteDeliveryEnabled: Bool {
    get { people.withLock { $0.haveMattes } && isPortraitEffectsMatteDeliverySupported }
    set {
      guard !newValue || isPortraitEffectsMatteDeliverySupported else {
        return ProgrammingMistake.report(
          rule:
            "isPortraitEffectsMatteDeliveryEnabled cannot be true here; ask isPortraitEffectsMatteDeliverySupported first."
        )
      }
      people.withLock { $0.haveMattes = newValue }
    }
  }

  /// The matte that settings ask for; `nil` for photos without.
  func checkMatte(
    _ settings: AVCapturePhotoSettings, _ depth: PhotoDepthRequest?
  ) throws(Refusal) -> PhotoMatteRequest? {
    if let type = settings.enabledSemanticSegmentationMatteTypes.first(where: {
      !enabledSemanticSegmentationMatteTypes.contains($0)
    }) {
      throw .mistake(
        "enabledSemanticSegmentationMatteTypes may hold those of the photo output's alone, and \(type.rawValue) is none; ask its availableSemanticSegmentationMatteTypes first."
      )
    }
    guard settings.isPortraitEffectsMatteDeliveryEnabled else { return nil }
    guard isPortraitEffectsMatteDeliveryEnabled else {
      throw .mistake(
        "isPortraitEffectsMatteDeliveryEnabled needs the photo output's own; ask its isPortraitEffectsMatteDeliverySupported first."
      )
    }
    guard settings.isDepthDataDeliveryEnabled else {
      throw .mistake(
        "isPortraitEffectsMatteDeliveryEnabled needs the settings' isDepthDataDeliveryEnabled, too: mattes are made beside depth."
      )
    }
    // Of a raw picture alone there is no photo that the matte could be of.
    guard depth != nil, settings.format != nil else { return nil }
    return PhotoMatteRequest(isEmbedded: settings.embedsPortraitEffectsMatteInPhoto)
  }

  // MARK: Parts of people

  /// The mattes of skin, hair, teeth and glasses that photos can come with: none, no model here tells those apart.
  ///
  /// Apple: `AVCapturePhotoOutput.availableSemanticSegmentationMatteTypes`.
  public var availableSemanticSegmentationMatteTypes: [AVSemanticSegmentationMatte.MatteType] { [] }

  /// The mattes that photos may ask for; empty.
  ///
  /// One that is not among ``availableSemanticSegmentationMatteTypes`` is a programming mistake without effect.
  ///
  /// Apple: `AVCapturePhotoOutput.enabledSemanticSegmentationMatteTypes`.
  public var enabledSemanticSegmentationMatteTypes: [AVSemanticSegmentationMatte.MatteType] {
    get { [] }
    set {
      guard !newValue.isEmpty else { return }
      ProgrammingMistake.report(
        rule:
          "enabledSemanticSegmentationMatteTypes can hold nothing here; ask availableSemanticSegmentationMatteTypes first."
      )
    }
  }

  // MARK: Calibration

  /// Whether photos can come with the calibration of the cameras that took them.
  ///
  /// They can while ``isVirtualDeviceConstituentPhotoDeliveryEnabled``, the device does not correct its lenses' distortion, and
  /// ``isContentAwareDistortionCorrectionEnabled`` is off: what a single camera sees is known of its depth and frames.
  ///
  /// Apple: `AVCapturePhotoOutput.isCameraCalibrationDataDeliverySupported`.
  public var isCameraCalibrationDataDeliverySupported: Bool {
    isVirtualDeviceConstituentPhotoDeliveryEnabled
      && videoDevice?.isGeometricDistortionCorrectionEnabled == false
      && !isContentAwareDistortionCorrectionEnabled
  }

  /// Whether settings ask for calibration.
  func checkCalibration(_ settings: AVCapturePhotoSettings) throws(Refusal) -> Bool {
    guard settings.isCameraCalibrationDataDeliveryEnabled else { return false }
    guard isCameraCalibrationDataDeliverySupported,
      settings.virtualDeviceConstituentPhotoDeliveryEnabledDevices.count > 1
    else {
      throw .mistake(
        "isCameraCalibrationDataDeliveryEnabled needs the photo output's isCameraCalibrationDataDeliverySupported, and two cameras or more in the settings' virtualDeviceConstituentPhotoDeliveryEnabledDevices."
      )
    }
    return true
  }
}
