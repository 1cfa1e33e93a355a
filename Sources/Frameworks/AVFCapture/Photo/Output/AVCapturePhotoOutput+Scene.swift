internal import CaptureDevice
internal import Dispatch
internal import FoundationExtras
internal import PhotoProcessing

// Scene monitoring, and still image stabilization: Apple's older name for photos that are fused of several frames.
extension AVCapturePhotoOutput {
  /// The settings that ``isFlashScene`` and ``isStillImageStabilizationScene`` answer for; `nil` at first.
  ///
  /// Copied when it is set, and a copy when it is read: a change of that needs setting again. Its `flashMode`,
  /// `isAutoStillImageStabilizationEnabled` and `photoQualityPrioritization` count.
  ///
  /// Apple: `AVCapturePhotoOutput.photoSettingsForSceneMonitoring`.
  public var photoSettingsForSceneMonitoring: AVCapturePhotoSettings? {
    get { flashScene.settings }
    set {
      let flash = flashScene.monitor(newValue, isMet: isDark)
      let fusion = fusionScene.monitor(newValue, isMet: isDim)
      observerTable.changed(\AVCapturePhotoOutput.isFlashScene, of: self, from: flash.old, to: flash.new)
      observerTable.changed(
        \AVCapturePhotoOutput.isStillImageStabilizationScene, of: self, from: fusion.old, to: fusion.new)
    }
  }

  /// Whether photos can be made of several frames: with a camera, unless ``maxPhotoQualityPrioritization`` is `.speed`.
  ///
  /// Observable.
  ///
  /// Apple: `AVCapturePhotoOutput.isStillImageStabilizationSupported`.
  public var isStillImageStabilizationSupported: Bool {
    observerTable.access(\AVCapturePhotoOutput.isStillImageStabilizationSupported)
    return PhotoOutputCapabilities(camera).fusesFrames && maxPhotoQualityPrioritization != .speed
  }

  /// Whether there is so little light that a photo would be made of several frames.
  ///
  /// `false` unless ``photoSettingsForSceneMonitoring`` is set, has `isAutoStillImageStabilizationEnabled` and asks for more than
  /// `.speed`; and for a camera that does not report its ISO. Observable.
  ///
  /// Apple: `AVCapturePhotoOutput.isStillImageStabilizationScene`.
  public var isStillImageStabilizationScene: Bool {
    observerTable.access(\AVCapturePhotoOutput.isStillImageStabilizationScene)
    return fusionScene.value(isMet: isDim)
  }

  private var isDim: Bool {
    guard PhotoOutputCapabilities(camera).fusesFrames else { return false }
    return BurstPlan.isDim(videoDevice?.driver.controlState)
  }

  /// Notes a frame's light, on the reader thread.
  func noteScene(_ conditions: FrameConditions) {
    report(flashScene.note(conditions), of: \.isFlashScene)
    report(fusionScene.note(conditions), of: \.isStillImageStabilizationScene)
  }

  private func report(
    _ change: (old: Bool, new: Bool)?, of property: any KeyPath<AVCapturePhotoOutput, Bool> & Sendable
  ) {
    guard let change else { return }
    callbackQueue.carry { [weak self] in
      guard let self else { return }
      observerTable.changed(property, of: self, from: change.old, to: change.new)
    }
  }
}
