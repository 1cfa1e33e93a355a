internal import FoundationExtras
internal import Linux
internal import PeopleFinding
internal import PixelTransforms

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

  /// Whether the pixels of photos can be turned as if the sensor lay as in most machines of its kind.
  ///
  /// They can where it does not: a board's camera that is mounted upside down, which the kernel says. Raw pictures are never turned.
  ///
  /// Apple: `AVCapturePhotoOutput.isCameraSensorOrientationCompensationSupported`.
  public var isCameraSensorOrientationCompensationSupported: Bool { sensorTurn != .none }

  /// Whether the pixels of photos, their depth and their mattes are turned so; `true` at first where it is supported.
  ///
  /// The turn that viewers make is less by as much, so that a photo looks the same to them. Programs that heed it need no compensation, and
  /// photos take less time without. `true` without support is a programming mistake without effect.
  ///
  /// Apple: `AVCapturePhotoOutput.isCameraSensorOrientationCompensationEnabled`.
  public var isCameraSensorOrientationCompensationEnabled: Bool {
    get { compensatesSensor.withLock { $0 } && isCameraSensorOrientationCompensationSupported }
    set {
      guard !newValue || isCameraSensorOrientationCompensationSupported else {
        return refuse(
          newValue, "isCameraSensorOrientationCompensationEnabled",
          ask: "isCameraSensorOrientationCompensationSupported")
      }
      compensatesSensor.withLock { $0 = newValue }
    }
  }

  /// The turn of photos that compensates how the sensor lies.
  var sensorTurn: QuarterTurn {
    videoDevice.flatMap { QuarterTurn(degrees: $0.facts.sensorRotation - $0.facts.usualSensorRotation) }
      ?? .none
  }

  // MARK: Audio

  /// Whether photos can be taken without the shutter sound: yes, nothing here plays one.
  ///
  /// Apple: `AVCapturePhotoOutput.isShutterSoundSuppressionSupported`.
  public var isShutterSoundSuppressionSupported: Bool { true }
}
