internal import CameraFrames
internal import CaptureDevice
internal import FoundationExtras
internal import Linux
internal import PeopleFinding
internal import PhotoProcessing

extension AVCapturePhotoOutput {
  // MARK: Heads at the edges

  /// Whether heads at the edges of photos can be made round, which a wide lens draws too long.
  ///
  /// They can with a camera whose lens, or that of a camera under it, is known to see 80° or more across, where faces can be found: that
  /// needs a model, which `obscura doctor` says how to get. Taking back the lens's own bending is the device's
  /// `isGeometricDistortionCorrectionSupported`.
  ///
  /// - Note: Unlike AVFoundation, which names neither cameras nor means: it is supported where a lens is known to see 80° or more across,
  ///   and heads become round by a stereographic picture about each face; all that is not near a face stays as the lens drew it.
  ///
  /// Apple: `AVCapturePhotoOutput.isContentAwareDistortionCorrectionSupported`.
  public var isContentAwareDistortionCorrectionSupported: Bool {
    guard let videoDevice, WidePortraitCorrector.isWide(CameraLenses(videoDevice)) else { return false }
    return ModelFolder.current.obstacle(to: .faces) == nil
  }

  /// Whether photos may ask for heads at the edges to be made round; `false` at first.
  ///
  /// Ends ``isCameraCalibrationDataDeliverySupported``. Goes back to `false` when ``isContentAwareDistortionCorrectionSupported`` does;
  /// `true` without support is a programming mistake without effect.
  ///
  /// Apple: `AVCapturePhotoOutput.isContentAwareDistortionCorrectionEnabled`.
  public var isContentAwareDistortionCorrectionEnabled: Bool {
    get { people.withLock { $0.haveRoundHeads } && isContentAwareDistortionCorrectionSupported }
    set {
      guard !newValue || isContentAwareDistortionCorrectionSupported else {
        return ProgrammingMistake.report(
          rule:
            "isContentAwareDistortionCorrectionEnabled cannot be true here; ask isContentAwareDistortionCorrectionSupported first."
        )
      }
      people.withLock { $0.haveRoundHeads = newValue }
    }
  }

  /// Checks what settings ask for heads at the edges against the output.
  func checkHeads(_ settings: AVCapturePhotoSettings) throws(Refusal) {
    guard settings.isAutoContentAwareDistortionCorrectionEnabled else { return }
    guard isContentAwareDistortionCorrectionEnabled else {
      throw .mistake(
        "isAutoContentAwareDistortionCorrectionEnabled needs the photo output's isContentAwareDistortionCorrectionEnabled; ask isContentAwareDistortionCorrectionSupported first."
      )
    }
  }

  /// Whether a photo's heads become round, at this press.
  func makesHeadsRound(
    _ settings: AVCapturePhotoSettings, _ order: PhotoOrder, _ controls: ControlState
  ) -> Bool {
    settings.isAutoContentAwareDistortionCorrectionEnabled && order.processing.isProcessed
      && order.depth == nil && order.constantColor == nil && order.isOfCameraInUse
      && WidePortraitCorrector.showsWideView(order.processing, controls)
  }
}
