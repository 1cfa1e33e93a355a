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

  /// The mattes of parts of people that photos can come with.
  ///
  /// ``AVSemanticSegmentationMatte/MatteType/skin`` and ``AVSemanticSegmentationMatte/MatteType/hair`` with a simulated camera before
  /// whose lens are drawn people, whose mattes are exact; none with other cameras, as there is no free model that tells parts of people
  /// apart. Photos with a video effect have none.
  ///
  /// Apple: `AVCapturePhotoOutput.availableSemanticSegmentationMatteTypes`.
  public var availableSemanticSegmentationMatteTypes: [AVSemanticSegmentationMatte.MatteType] {
    let parts = videoDevice?.facts.capabilities.personParts ?? []
    return AVSemanticSegmentationMatte.MatteType.all.filter { $0.part.map(parts.contains) ?? false }
  }

  /// The mattes that photos may ask for; empty at first.
  ///
  /// Those that are not among ``availableSemanticSegmentationMatteTypes`` are a programming mistake without effect. Types that cease to be
  /// available are left out.
  ///
  /// Apple: `AVCapturePhotoOutput.enabledSemanticSegmentationMatteTypes`.
  public var enabledSemanticSegmentationMatteTypes: [AVSemanticSegmentationMatte.MatteType] {
    get {
      let available = availableSemanticSegmentationMatteTypes
      return people.withLock { $0.partTypes }.filter(available.contains)
    }
    set {
      let available = availableSemanticSegmentationMatteTypes
      guard newValue.allSatisfy(available.contains) else {
        return ProgrammingMistake.report(
          rule:
            "enabledSemanticSegmentationMatteTypes can hold availableSemanticSegmentationMatteTypes alone; ask for those first."
        )
      }
      people.withLock { $0.partTypes = newValue }
    }
  }

  /// The mattes of parts of people that settings ask for; `nil` for photos without.
  func checkPartMattes(_ settings: AVCapturePhotoSettings) throws(Refusal) -> PartMattesRequest? {
    let enabled = enabledSemanticSegmentationMatteTypes
    let types = settings.enabledSemanticSegmentationMatteTypes
    if let type = types.first(where: { !enabled.contains($0) }) {
      throw .mistake(
        "enabledSemanticSegmentationMatteTypes may hold those of the photo output's alone, and \(type.rawValue) is none; ask its availableSemanticSegmentationMatteTypes first."
      )
    }
    guard !types.isEmpty, settings.format != nil else { return nil }
    return PartMattesRequest(types: types, isEmbedded: settings.embedsSemanticSegmentationMattesInPhoto)
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
