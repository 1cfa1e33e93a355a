import AVFoundation

/// What the session consists of for each mode; all on the engine's queue, between begin and commit.
extension CaptureEngine {
  /// Puts outputs and preset right for the mode and the camera.
  func arrange() {
    let preset: AVCaptureSession.Preset =
      switch mode {
      case .depth: .vga640x480
      case .video: .high
      case .photo, .scan: .photo
      }
    if session.canSetSessionPreset(preset) {
      session.sessionPreset = preset
    } else if session.canSetSessionPreset(.high) {
      session.sessionPreset = .high
    }
    have(photoOutput, mode == .photo || mode == .scan)
    arrangeFilm()
    have(metadataOutput, mode == .scan)
    have(depthOutput, mode == .depth)
    arrangePhotos()
    if mode == .scan {
      metadataOutput.setMetadataObjectsDelegate(self, queue: searchQueue)
      let wanted = CodeKinds.all.map(\.type)
      metadataOutput.metadataObjectTypes = metadataOutput.availableMetadataObjectTypes.filter(wanted.contains)
    }
    if mode == .depth {
      depthOutput.setDelegate(self, callbackQueue: depthQueue)
      depthOutput.isFilteringEnabled = true
    }
  }

  private func have(_ output: AVCaptureOutput, _ wanted: Bool) {
    let isThere = session.outputs.contains { $0 === output }
    if wanted, !isThere, session.canAddOutput(output) { session.addOutput(output) }
    if !wanted, isThere { session.removeOutput(output) }
  }

  /// What films are made by: time-lapses have no sound.
  func arrangeFilm() {
    let (isVideo, usesMovieOutput) = (mode == .video, settings.usesMovieOutput)
    have(movieOutput, isVideo && usesMovieOutput)
    have(frameOutput, isVideo && !usesMovieOutput)
    have(soundOutput, isVideo && !usesMovieOutput && settings.pace == .live)
    arrangeMicrophone()
  }

  /// Movies have the sound of the microphone that there is and that may be used.
  func arrangeMicrophone() {
    let wanted = settings.usesMicrophone && mode == .video && settings.pace == .live
    if wanted, microphone == nil, AVCaptureDevice.authorizationStatus(for: .audio) == .authorized,
      let device = Self.microphone(settings.microphone), let new = try? AVCaptureDeviceInput(device: device),
      session.canAddInput(new)
    {
      session.addInput(new)
      microphone = new
    } else if let old = microphone, !wanted || Self.microphone(settings.microphone) !== old.device {
      session.removeInput(old)
      microphone = nil
      if wanted { arrangeMicrophone() }
    }
  }

  /// The chosen microphone where it is there, else the machine's own.
  private static func microphone(_ id: String?) -> AVCaptureDevice? {
    microphones().first { $0.uniqueID == id } ?? AVCaptureDevice.default(for: .audio)
  }

  /// The microphones that there are.
  static func microphones() -> [AVCaptureDevice] {
    AVCaptureDevice.DiscoverySession(
      deviceTypes: [.microphone], mediaType: .audio, position: .unspecified
    ).devices
  }

  /// The switches of responsive photos, as far as the camera has them.
  func arrangePhotos() {
    guard session.outputs.contains(where: { $0 === photoOutput }) else { return }
    photoOutput.maxPhotoQualityPrioritization = .quality
    photoOutput.isZeroShutterLagEnabled = photoOutput.isZeroShutterLagSupported && settings.zeroShutterLag
    photoOutput.isResponsiveCaptureEnabled =
      photoOutput.isResponsiveCaptureSupported && settings.responsiveCapture
    photoOutput.isFastCapturePrioritizationEnabled =
      photoOutput.isFastCapturePrioritizationSupported && settings.fastCapture
  }

  /// Leaves work for later where the camera can and the library takes it; after a commit, which decides whether it can.
  func arrangeDeferral() {
    guard session.outputs.contains(where: { $0 === photoOutput }) else { return }
    photoOutput.isAutoDeferredPhotoDeliveryEnabled =
      photoOutput.isAutoDeferredPhotoDeliverySupported && settings.deferredProcessing
      && settings.folder == nil && hasLibrary
  }

  /// The library takes photos: only it can finish one later.
  func noteLibrary() {
    queue.async {
      self.hasLibrary = true
      self.arrangeDeferral()
    }
  }

  /// What follows a change of the session; on the queue, after the commit.
  func afterChange() {
    mirror()
    applyRegion()
    turnDepth()
    arrangeDeferral()
    guard let device = input?.device else { return }
    send(.camera(CameraChoice(choice ?? device), abilities(of: device)))
    send(.zoom(Double(device.videoZoomFactor) * zoomScale(device)))
    send(.controls(ControlDesk(device: device).items()))
  }

  func mirror() {
    preview.setMirrored(input?.device.position == .front && settings.mirrorsFront)
    virtualCamera.noteChange()
  }

  /// From the device's factors to those that are shown.
  func zoomScale(_ device: AVCaptureDevice) -> Double { Double(device.displayVideoZoomFactorMultiplier) }

  private func abilities(of device: AVCaptureDevice) -> CameraAbilities {
    var abilities = CameraAbilities()
    let scale = zoomScale(device)
    let least = Double(device.minAvailableVideoZoomFactor) * scale
    // Beyond ten times there is little to see.
    let most = max(least, min(Double(device.maxAvailableVideoZoomFactor) * scale, 10))
    abilities.zoom = least...most
    let switches = device.virtualDeviceSwitchOverVideoZoomFactors.map { $0.doubleValue * scale }
    var presets = [least] + switches
    for usual in [1.0, 2.0] where !presets.contains(where: { abs($0 - usual) < 0.05 }) {
      presets.append(usual)
    }
    abilities.zoomPresets = presets.filter { abilities.zoom.contains($0) }.sorted()
    abilities.canFocusAtPoint = device.isFocusPointOfInterestSupported
    abilities.canExposeAtPoint = device.isExposurePointOfInterestSupported
    if device.maxExposureTargetBias > device.minExposureTargetBias {
      abilities.bias =
        max(-2, Double(device.minExposureTargetBias))...min(2, Double(device.maxExposureTargetBias))
    }
    abilities.hasTorch = device.hasTorch
    guard session.outputs.contains(where: { $0 === photoOutput }) else { return abilities }
    let modes = photoOutput.supportedFlashModes
    abilities.flashModes = modes.contains(.on) ? FlashChoice.allCases.filter { modes.contains($0.mode) } : []
    abilities.supportsZeroShutterLag = photoOutput.isZeroShutterLagSupported
    abilities.supportsResponsiveCapture = photoOutput.isResponsiveCaptureSupported
    abilities.supportsFastCapture = photoOutput.isFastCapturePrioritizationSupported
    abilities.supportsDeferredProcessing = photoOutput.isAutoDeferredPhotoDeliverySupported
    let codecs = photoOutput.availablePhotoCodecTypes
    let givesPixels = photoOutput.availablePhotoPixelFormatTypes.contains(kCVPixelFormatType_32BGRA)
    abilities.givesPixels = givesPixels
    abilities.photoFormats = PhotoFormat.allCases.filter { format in
      format.codec.map { codecs.contains($0) } ?? givesPixels
    }
    let size = photoOutput.maxPhotoDimensions
    (abilities.photoWidth, abilities.photoHeight) = (Int(size.width), Int(size.height))
    return abilities
  }
}

extension FlashChoice {
  /// Apple's word.
  var mode: AVCaptureDevice.FlashMode {
    switch self {
    case .off: .off
    case .auto: .auto
    case .on: .on
    }
  }
}

extension PhotoFormat {
  /// Apple's word; `nil` for what is made here of pixels.
  var codec: AVVideoCodecType? {
    switch self {
    case .jpeg: .jpeg
    case .heic: .hevc
    case .png: nil
    }
  }
}

extension PhotoQuality {
  /// Apple's word.
  var prioritization: AVCapturePhotoOutput.QualityPrioritization {
    switch self {
    case .speed: .speed
    case .balanced: .balanced
    case .quality: .quality
    }
  }
}
