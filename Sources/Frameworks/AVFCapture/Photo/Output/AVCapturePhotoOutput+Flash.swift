internal import CaptureDevice
internal import Dispatch
internal import Foundation
internal import FoundationExtras
internal import Linux

extension AVCapturePhotoOutput {
  /// The flash modes that photos may ask for; only `.off` where the camera has no flash, and before one is connected.
  ///
  /// Observable.
  ///
  /// Apple: `AVCapturePhotoOutput.supportedFlashModes`.
  public var supportedFlashModes: [AVCaptureDevice.FlashMode] {
    observerTable.access(\AVCapturePhotoOutput.supportedFlashModes)
    return PhotoOffers(camera).flashModes
  }

  /// Which flash mode ``isFlashScene`` is asked for; `nil` at first.
  ///
  /// Copied when it is set, and a copy when it is read: a change of that needs setting again. Only its `flashMode` counts.
  ///
  /// Apple: `AVCapturePhotoOutput.photoSettingsForSceneMonitoring`.
  public var photoSettingsForSceneMonitoring: AVCapturePhotoSettings? {
    get { flashScene.settings }
    set {
      let (old, new) = flashScene.monitor(newValue, isDark: isDark)
      observerTable.changed(\AVCapturePhotoOutput.isFlashScene, of: self, from: old, to: new)
    }
  }

  /// Whether the scene is so dark that a photo with automatic flash would fire it.
  ///
  /// `false` unless ``photoSettingsForSceneMonitoring`` has a `flashMode` other than `.off` that is supported. Observable.
  ///
  /// Apple: `AVCapturePhotoOutput.isFlashScene`.
  public var isFlashScene: Bool {
    observerTable.access(\AVCapturePhotoOutput.isFlashScene)
    return flashScene.value(isDark: isDark)
  }

  /// Whether the camera would fire an automatic flash now.
  private var isDark: Bool {
    // Not the public property: reading that inside another's getter would notify observers of the wrong one.
    guard PhotoOffers(camera).flashModes != [.off] else { return false }
    return videoDevice?.driver.controlState.isDark ?? false
  }

  /// Notes a frame's light, on the reader thread.
  func noteScene(_ conditions: FrameConditions) {
    guard let change = flashScene.note(conditions) else { return }
    callbackQueue.async { [weak self] in
      guard let self else { return }
      observerTable.changed(
        \AVCapturePhotoOutput.isFlashScene, of: self, from: change.old, to: change.new)
    }
  }
}
