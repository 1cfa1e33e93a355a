import AVFoundation

/// Arranges the session's inputs and outputs for each mode; all on the engine's queue, between begin and commit.
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
    have(pictureOutput, mode == .depth)
    arrangePhotos()
    if mode == .scan {
      metadataOutput.setMetadataObjectsDelegate(self, queue: searchQueue)
      let wanted = CodeKinds.all.map(\.type)
      metadataOutput.metadataObjectTypes = metadataOutput.availableMetadataObjectTypes.filter(wanted.contains)
    }
    arrangeDepth()
  }

  /// Whether an output is in the session.
  func has(_ output: AVCaptureOutput) -> Bool { session.outputs.contains { $0 === output } }

  private func have(_ output: AVCaptureOutput, _ wanted: Bool) {
    if wanted, !has(output), session.canAddOutput(output) { session.addOutput(output) }
    if !wanted, has(output) { session.removeOutput(output) }
  }

  /// Adds the outputs that record videos; time-lapses have no audio.
  func arrangeFilm() {
    let isLive = settings.pace == .live
    have(movieOutput, mode == .video && isLive)
    have(frameOutput, mode == .video && !isLive)
    arrangeMicrophone()
  }

  /// Whether photos come with a movie.
  var takesLivePhotos: Bool { mode == .photo && settings.takesLivePhotos }

  /// Adds the chosen microphone where movies need one and the program may use it.
  func arrangeMicrophone() {
    let wanted =
      settings.usesMicrophone && (mode == .video && settings.pace == .live || takesLivePhotos)
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
    guard has(photoOutput) else { return }
    photoOutput.maxPhotoQualityPrioritization = .quality
    photoOutput.isZeroShutterLagEnabled = photoOutput.isZeroShutterLagSupported && settings.zeroShutterLag
    photoOutput.isResponsiveCaptureEnabled =
      photoOutput.isResponsiveCaptureSupported && settings.responsiveCapture
    photoOutput.isFastCapturePrioritizationEnabled =
      photoOutput.isFastCapturePrioritizationSupported && settings.fastCapture
    photoOutput.isLivePhotoCaptureEnabled = takesLivePhotos && photoOutput.isLivePhotoCaptureSupported
    photoOutput.isDepthDataDeliveryEnabled =
      mode == .photo && settings.takesDepth && photoOutput.isDepthDataDeliverySupported
  }

  /// Leaves work for later where the camera can and the library takes it; after a commit, which decides whether it can.
  func arrangeDeferral() {
    guard has(photoOutput) else { return }
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

  /// Applies the settings that depend on the session's connections; on the queue, after the commit.
  func afterChange() {
    mirror()
    applyRegion()
    turnDepth()
    arrangeDeferral()
    sendEffects()
    guard let device = input?.device else { return }
    send(
      .camera(
        CameraChoice(choice ?? device),
        CameraAbilities(device, photoOutput: has(photoOutput) ? photoOutput : nil)))
    send(.zoom(Double(device.videoZoomFactor) * device.zoomScale))
    send(.controls(ControlsReader(device: device).items()))
  }

  func mirror() {
    preview.setMirrored(input?.device.position == .front && settings.mirrorsFront)
    virtualCamera.noteChange()
  }
}
