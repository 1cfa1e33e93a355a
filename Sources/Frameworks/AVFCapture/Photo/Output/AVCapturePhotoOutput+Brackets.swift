internal import CaptureDevice
internal import CoreMedia
internal import FoundationExtras

extension AVCapturePhotoOutput {
  /// How many photos one bracket may have; 0 where the camera's exposure cannot be set for one photo alone, and before a
  /// camera is connected.
  ///
  /// The kernel's cameras have none: an exposure that is set shows in some later frame, and the kernel does not say which.
  /// Virtual devices take brackets of biases alone, as they take no custom exposure.
  ///
  /// Observable.
  ///
  /// Apple: `AVCapturePhotoOutput.maxBracketedCapturePhotoCount`.
  public var maxBracketedCapturePhotoCount: Int {
    observerTable.access(\AVCapturePhotoOutput.maxBracketedCapturePhotoCount)
    return PhotoOutputCapabilities(camera).bracketCount
  }

  /// Whether the lens can be kept still during a bracket: no, no camera here steadies its lens.
  ///
  /// Apple: `AVCapturePhotoOutput.isLensStabilizationDuringBracketedCaptureSupported`.
  public var isLensStabilizationDuringBracketedCaptureSupported: Bool { false }

  /// Checks a bracket against the output and its camera; other photos pass.
  func checkBracket(_ settings: AVCapturePhotoSettings) throws(Refusal) {
    guard let bracket = settings as? AVCapturePhotoBracketSettings else { return }
    let exposures = bracket.bracketedSettings
    if let rule = AVCapturePhotoBracketSettings.mistake(in: exposures) { throw .mistake(rule) }
    guard exposures.count <= maxBracketedCapturePhotoCount else {
      throw .mistake(
        "A bracket of \(exposures.count) photos is larger than the photo output's maxBracketedCapturePhotoCount, \(maxBracketedCapturePhotoCount)."
      )
    }
    guard bracket.flashMode == .off else {
      throw .mistake("Brackets take no flash; leave their flashMode at .off.")
    }
    guard !bracket.isLensStabilizationEnabled else {
      throw .mistake(
        "isLensStabilizationEnabled needs the photo output's isLensStabilizationDuringBracketedCaptureSupported; ask it first."
      )
    }
    guard let device = videoDevice else { return }
    for exposure in exposures { try check(exposure.exposure, on: device) }
  }

  private func check(_ exposure: BracketExposure, on device: AVCaptureDevice) throws(Refusal) {
    switch exposure {
    case .bias(let bias):
      guard let range = device.facts.capabilities.exposureBias else {
        throw .mistake("\(device.localizedName) has no exposure bias, and so no automatic bracket.")
      }
      if let bias, !range.contains(bias) {
        throw .mistake(
          "exposureTargetBias \(bias) is not between the device's minExposureTargetBias \(range.lowerBound) and maxExposureTargetBias \(range.upperBound)."
        )
      }
    case .manual(let duration, let iso):
      let format = device.activeFormat
      guard device.isExposureModeSupported(.custom) else {
        throw .mistake("\(device.localizedName) has no custom exposure, and so no manual bracket.")
      }
      if let duration, duration < format.minExposureDuration || duration > format.maxExposureDuration {
        throw .mistake(
          "exposureDuration \(duration.seconds) s is not between the active format's minExposureDuration and maxExposureDuration."
        )
      }
      if let iso, iso < format.minISO || iso > format.maxISO {
        throw .mistake(
          "iso \(iso) is not between the active format's minISO \(format.minISO) and maxISO \(format.maxISO)."
        )
      }
    }
  }

  /// The camera that photos come from.
  var videoDevice: AVCaptureDevice? {
    videoConnections.flatMap(\.inputPorts).firstResult { ($0.input as? AVCaptureDeviceInput)?.device }
  }
}
