import AVFoundation

/// The camera of the tutorials without its buttons: what each of them does is one method here.
final class CustomCamera: NSObject {
  let session = AVCaptureSession()
  let previewLayer = AVCaptureVideoPreviewLayer()
  let photoOutput = AVCapturePhotoOutput()
  private(set) var input: AVCaptureDeviceInput
  private var rotation: AVCaptureDevice.RotationCoordinator

  init(position: AVCaptureDevice.Position) throws {
    input = try AVCaptureDeviceInput(device: Self.camera(at: position))
    rotation = AVCaptureDevice.RotationCoordinator(device: input.device, previewLayer: previewLayer)
    super.init()
    session.beginConfiguration()
    session.sessionPreset = .photo
    if session.canAddInput(input) { session.addInput(input) }
    if session.canAddOutput(photoOutput) { session.addOutput(photoOutput) }
    session.commitConfiguration()
    previewLayer.session = session
    previewLayer.videoGravity = .resizeAspectFill
    previewLayer.frame = CGRect(x: 0, y: 0, width: 390, height: 844)
  }

  private static func camera(at position: AVCaptureDevice.Position) throws -> AVCaptureDevice {
    let types: [AVCaptureDevice.DeviceType] = [
      .builtInTripleCamera, .builtInDualWideCamera, .builtInWideAngleCamera, .external,
    ]
    let found = AVCaptureDevice.DiscoverySession(deviceTypes: types, mediaType: .video, position: position)
    guard let camera = found.devices.first ?? AVCaptureDevice.default(for: .video) else {
      throw AVError(.deviceNotConnected)
    }
    return camera
  }

  /// Changes the device's settings while no other queue does.
  func configure(_ change: (AVCaptureDevice) throws -> Void) throws {
    try input.device.lockForConfiguration()
    defer { input.device.unlockForConfiguration() }
    try change(input.device)
  }

  /// A tap on the preview: sharp and rightly exposed there.
  func focus(at point: CGPoint) throws {
    let place = previewLayer.captureDevicePointConverted(fromLayerPoint: point)
    try configure { device in
      if device.isFocusPointOfInterestSupported, device.isFocusModeSupported(.autoFocus) {
        device.focusPointOfInterest = place
        device.focusMode = .autoFocus
      }
      if device.isExposurePointOfInterestSupported, device.isExposureModeSupported(.continuousAutoExposure) {
        device.exposurePointOfInterest = place
        device.exposureMode = .continuousAutoExposure
      }
    }
  }

  /// A pinch: the factor within what the device has.
  func zoom(to factor: CGFloat) throws {
    try configure { device in
      device.videoZoomFactor = min(
        max(factor, device.minAvailableVideoZoomFactor), device.maxAvailableVideoZoomFactor)
    }
  }

  /// A slider: stops brighter or darker; returns the time of the first frame that shows it.
  func bias(_ stops: Float) async throws -> CMTime {
    let device = input.device
    try device.lockForConfiguration()
    defer { device.unlockForConfiguration() }
    let bias = min(max(stops, device.minExposureTargetBias), device.maxExposureTargetBias)
    return await device.setExposureTargetBias(bias)
  }

  /// Warm or cold light, kept.
  func whiteBalance(kelvin: Float) throws {
    try configure { device in
      guard device.isLockingWhiteBalanceWithCustomDeviceGainsSupported else { return }
      var gains = device.deviceWhiteBalanceGains(
        for: AVCaptureDevice.WhiteBalanceTemperatureAndTintValues(temperature: kelvin, tint: 0))
      gains.redGain = min(max(gains.redGain, 1), device.maxWhiteBalanceGain)
      gains.greenGain = min(max(gains.greenGain, 1), device.maxWhiteBalanceGain)
      gains.blueGain = min(max(gains.blueGain, 1), device.maxWhiteBalanceGain)
      device.setWhiteBalanceModeLocked(with: gains)
    }
  }

  /// The lamp.
  func torch(_ isOn: Bool) throws {
    try configure { device in
      guard device.hasTorch, device.isTorchAvailable else { return }
      if isOn { try device.setTorchModeOn(level: 0.5) } else { device.torchMode = .off }
    }
  }

  /// From back to front and back again, without the preview or the outputs noticing more than a frame or two.
  func switchCamera() throws {
    let other: AVCaptureDevice.Position = input.device.position == .back ? .front : .back
    let new = try AVCaptureDeviceInput(device: Self.camera(at: other))
    session.beginConfiguration()
    defer { session.commitConfiguration() }
    session.removeInput(input)
    guard session.canAddInput(new) else { return session.addInput(input) }
    session.addInput(new)
    input = new
    rotation = AVCaptureDevice.RotationCoordinator(device: new.device, previewLayer: previewLayer)
  }

  /// The shutter.
  func takePhoto(_ delegate: any AVCapturePhotoCaptureDelegate) {
    let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.hevc])
    if photoOutput.supportedFlashModes.contains(.auto) { settings.flashMode = .auto }
    if let connection = photoOutput.connection(with: .video) {
      let angle = rotation.videoRotationAngleForHorizonLevelCapture
      if connection.isVideoRotationAngleSupported(angle) { connection.videoRotationAngle = angle }
    }
    photoOutput.capturePhoto(with: settings, delegate: delegate)
  }
}
