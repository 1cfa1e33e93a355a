internal import FoundationExtras
internal import PeopleFinding

// What Apple's devices have and no camera here has. Each answers as a device without the hardware does: not supported, off,
// and a programming mistake without effect to switch on.
extension AVCapturePhotoOutput {
  private func refuse(_ wanted: Bool, _ property: String, ask question: String) {
    guard wanted else { return }
    ProgrammingMistake.report(rule: "\(property) cannot be true here; ask \(question) first.")
  }

  // MARK: Raw

  /// Whether Apple ProRAW formats can be had: no.
  ///
  /// Apple: `AVCapturePhotoOutput.isAppleProRAWSupported`.
  public var isAppleProRAWSupported: Bool { false }

  /// Whether Apple ProRAW formats are among ``availableRawPhotoPixelFormatTypes``.
  ///
  /// `true` is a programming mistake without effect while ``isAppleProRAWSupported`` is `false`.
  ///
  /// Apple: `AVCapturePhotoOutput.isAppleProRAWEnabled`.
  public var isAppleProRAWEnabled: Bool {
    get { false }
    set { refuse(newValue, "isAppleProRAWEnabled", ask: "isAppleProRAWSupported") }
  }

  // MARK: Corrections

  /// Whether red eyes can be made dark in photos with flash.
  ///
  /// They can with a camera that has a flash, where faces can be found: that needs a model, which `obscura doctor` says how to get.
  ///
  /// Apple: `AVCapturePhotoOutput.isAutoRedEyeReductionSupported`.
  public var isAutoRedEyeReductionSupported: Bool {
    videoDevice?.hasFlash == true && ModelFolder.current.obstacle(to: .faces) == nil
  }

  /// Whether photos can be turned as if the sensor lay otherwise: no, the connection's turn is noted in the file.
  ///
  /// Apple: `AVCapturePhotoOutput.isCameraSensorOrientationCompensationSupported`.
  public var isCameraSensorOrientationCompensationSupported: Bool { false }

  /// Whether photos are turned as if the sensor lay otherwise.
  ///
  /// `true` is a programming mistake without effect while ``isCameraSensorOrientationCompensationSupported`` is `false`.
  ///
  /// Apple: `AVCapturePhotoOutput.isCameraSensorOrientationCompensationEnabled`.
  public var isCameraSensorOrientationCompensationEnabled: Bool {
    get { false }
    set {
      refuse(
        newValue, "isCameraSensorOrientationCompensationEnabled",
        ask: "isCameraSensorOrientationCompensationSupported")
    }
  }

  // MARK: Audio

  /// Whether photos can be taken without the shutter sound: yes, nothing here plays one.
  ///
  /// Apple: `AVCapturePhotoOutput.isShutterSoundSuppressionSupported`.
  public var isShutterSoundSuppressionSupported: Bool { true }
}
