internal import AVFoundation
internal import Foundation

extension PhotoControls {
  // MARK: What the camera can do

  /// Checks everything that was asked against the camera in its present format.
  /// - Throws: ``CameraTaskError/Code/formatNotSupported``: what the camera cannot do, why, and its range.
  func check(_ camera: AVCaptureDevice, _ output: AVCapturePhotoOutput) throws(CameraTaskError) {
    if let zoom {
      try check(
        zoom, "--zoom", from: camera.minAvailableVideoZoomFactor, to: camera.maxAvailableVideoZoomFactor,
        camera, does: "zooms", lacks: "cannot zoom in this format")
    }
    if let bias {
      try check(
        Double(bias), "--ev", from: Double(camera.minExposureTargetBias),
        to: Double(camera.maxExposureTargetBias), camera, does: "takes exposure compensation",
        lacks: "has no exposure compensation")
    }
    try checkExposure(camera)
    try checkFocus(camera)
    try checkWhiteBalance(camera)
    if let flash, !output.supportedFlashModes.contains(flash.mode) {
      throw refusal(camera, "has no flash that can be \(flash.rawValue)", "leave --flash out")
    }
  }

  private func checkExposure(_ camera: AVCaptureDevice) throws(CameraTaskError) {
    guard iso != nil || shutterSeconds != nil else { return }
    guard camera.isExposureModeSupported(.custom) else {
      throw refusal(camera, "has no manual exposure", "leave --iso and --shutter out")
    }
    let format = camera.activeFormat
    if let iso {
      try check(
        Double(iso), "--iso", from: Double(format.minISO), to: Double(format.maxISO), camera,
        does: "has ISO values in this format", lacks: "has no ISO values in this format")
    }
    if let shutterSeconds {
      let (shortest, longest) = (format.minExposureDuration.seconds, format.maxExposureDuration.seconds)
      guard shutterSeconds >= shortest * 0.999, shutterSeconds <= longest * 1.001 else {
        throw refusal(
          camera,
          "exposes from \(Figures.exposureText(shortest)) to \(Figures.exposureText(longest)) in this format, not for \(Figures.exposureText(shutterSeconds))",
          "give --shutter a time between")
      }
    }
  }

  private func checkFocus(_ camera: AVCaptureDevice) throws(CameraTaskError) {
    switch focus {
    case nil: break
    case .auto:
      guard focusMode(camera, isContinuous: true) != nil else {
        throw refusal(camera, "has no auto focus", "leave --focus out")
      }
    case .lens:
      guard camera.isLockingFocusWithCustomLensPositionSupported else {
        throw refusal(camera, "has a lens that cannot be put anywhere", "leave --focus out")
      }
    case .point:
      guard camera.isFocusPointOfInterestSupported, focusMode(camera, isContinuous: false) != nil else {
        throw refusal(camera, "cannot focus on a place in the picture", "leave --focus out")
      }
    }
  }

  private func checkWhiteBalance(_ camera: AVCaptureDevice) throws(CameraTaskError) {
    switch whiteBalance {
    case nil: break
    case .auto:
      guard camera.isWhiteBalanceModeSupported(.continuousAutoWhiteBalance) else {
        throw refusal(camera, "has no automatic white balance", "leave --wb out")
      }
    case .temperature(let kelvin):
      guard camera.isLockingWhiteBalanceWithCustomDeviceGainsSupported else {
        throw refusal(camera, "has no white balance that can be set", "leave --wb out")
      }
      let gains = camera.deviceWhiteBalanceGains(for: .init(temperature: kelvin, tint: 0))
      let most = max(gains.redGain, gains.greenGain, gains.blueGain)
      let least = min(gains.redGain, gains.greenGain, gains.blueGain)
      guard least >= 1, most <= camera.maxWhiteBalanceGain else {
        throw refusal(
          camera,
          "would need a gain of \(Figures.text(Double(most))) for \(Figures.text(Double(kelvin))) K and has 1 to \(Figures.text(Double(camera.maxWhiteBalanceGain)))",
          "give --wb a temperature nearer to daylight, 5600")
      }
    }
  }

  private func check(
    _ value: Double, _ option: String, from least: Double, to most: Double, _ camera: AVCaptureDevice,
    does: String, lacks: String
  ) throws(CameraTaskError) {
    guard least < most else { throw refusal(camera, lacks, "leave \(option) out") }
    guard value >= least, value <= most else {
      throw refusal(
        camera, "\(does) from \(Figures.text(least)) to \(Figures.text(most)), not \(Figures.text(value))",
        "give \(option) a value between")
    }
  }

  private func refusal(_ camera: AVCaptureDevice, _ reason: String, _ advice: String) -> CameraTaskError {
    CameraTaskError(.formatNotSupported, "\(camera.localizedName) \(reason); \(advice).")
  }

  // MARK: Setting

  /// Sets what needs no look at the scene; before the camera runs, so that its first frame shows it.
  ///
  /// - Parameters:
  ///   - rotationAngle: How the photo is turned to stand upright, in degrees clockwise.
  ///   - isImmediate: Whether there is no time to see what auto exposure would choose.
  /// - Throws: ``CameraTaskError`` when the camera cannot be configured.
  func set(on camera: AVCaptureDevice, rotationAngle: Double, isImmediate: Bool) throws(CameraTaskError) {
    try configure(camera) {
      if let zoom { camera.videoZoomFactor = zoom }
      if let bias { camera.setExposureTargetBias(bias) }
      switch focus {
      case nil: break
      case .auto:
        if let mode = focusMode(camera, isContinuous: true) { camera.focusMode = mode }
      case .lens(let position):
        camera.setFocusModeLocked(lensPosition: position)
      case .point(let x, let y):
        camera.focusPointOfInterest = Self.sensorPoint(x, y, rotationAngle: rotationAngle)
        if let mode = focusMode(camera, isContinuous: false) { camera.focusMode = mode }
      }
      switch whiteBalance {
      case nil: break
      case .auto:
        camera.whiteBalanceMode = .continuousAutoWhiteBalance
      case .temperature(let kelvin):
        camera.setWhiteBalanceModeLocked(
          with: camera.deviceWhiteBalanceGains(for: .init(temperature: kelvin, tint: 0)))
      }
      if iso != nil, shutterSeconds != nil || isImmediate {
        camera.setExposureModeCustom(
          duration: duration(camera) ?? AVCaptureDevice.currentExposureDuration,
          iso: iso ?? AVCaptureDevice.currentISO)
      } else if shutterSeconds != nil, isImmediate {
        camera.setExposureModeCustom(
          duration: duration(camera) ?? AVCaptureDevice.currentExposureDuration,
          iso: AVCaptureDevice.currentISO)
      } else if bias != nil || iso != nil || shutterSeconds != nil,
        camera.isExposureModeSupported(.continuousAutoExposure)
      {
        camera.exposureMode = .continuousAutoExposure
      }
    }
  }

  /// Whether one half of the exposure was given, and the other follows from what auto exposure chose.
  var isExposureHalfGiven: Bool { (iso == nil) != (shutterSeconds == nil) }

  /// Sets the exposure of which one half was given: as bright as auto exposure has it, as far as the camera reaches.
  ///
  /// - Parameter completion: Called when the first frame shows it.
  /// - Throws: ``CameraTaskError`` when the camera cannot be configured.
  func setExposureFromLight(on camera: AVCaptureDevice, completion: @escaping @Sendable () -> Void)
    throws(CameraTaskError)
  {
    let format = camera.activeFormat
    let product = camera.exposureDuration.seconds * Double(camera.iso)
    let (shortest, longest) = (format.minExposureDuration.seconds, format.maxExposureDuration.seconds)
    try configure(camera) {
      if let iso {
        let seconds = product.isFinite && product > 0 ? product / Double(iso) : longest
        camera.setExposureModeCustom(
          duration: CMTime(seconds: min(max(seconds, shortest), longest), preferredTimescale: 1_000_000_000),
          iso: iso
        ) { _ in completion() }
      } else if let duration = duration(camera) {
        let wanted = product.isFinite && product > 0 ? Float(product / duration.seconds) : format.minISO
        camera.setExposureModeCustom(
          duration: duration, iso: min(max(wanted, format.minISO), format.maxISO)
        ) { _ in completion() }
      }
    }
  }

  private func duration(_ camera: AVCaptureDevice) -> CMTime? {
    guard let shutterSeconds else { return nil }
    let format = camera.activeFormat
    let time = CMTime(seconds: shutterSeconds, preferredTimescale: 1_000_000_000)
    return min(max(time, format.minExposureDuration), format.maxExposureDuration)
  }

  private func focusMode(_ camera: AVCaptureDevice, isContinuous: Bool) -> AVCaptureDevice.FocusMode? {
    let modes: [AVCaptureDevice.FocusMode] =
      isContinuous ? [.continuousAutoFocus, .autoFocus] : [.autoFocus, .continuousAutoFocus]
    return modes.first { camera.isFocusModeSupported($0) }
  }

  private func configure(_ camera: AVCaptureDevice, _ body: () -> Void) throws(CameraTaskError) {
    do {
      try camera.lockForConfiguration()
    } catch {
      throw CameraTaskError(error, device: camera)
    }
    defer { camera.unlockForConfiguration() }
    body()
  }

  /// The place on the sensor of a place of the upright photo.
  static func sensorPoint(_ x: Double, _ y: Double, rotationAngle: Double) -> CGPoint {
    switch Int(rotationAngle) {
    case 90: CGPoint(x: y, y: 1 - x)
    case 180: CGPoint(x: 1 - x, y: 1 - y)
    case 270: CGPoint(x: 1 - y, y: x)
    default: CGPoint(x: x, y: y)
    }
  }
}
