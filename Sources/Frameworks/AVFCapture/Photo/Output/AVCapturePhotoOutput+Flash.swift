internal import CaptureDevice
internal import Dispatch
public import Foundation
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
    return PhotoOutputCapabilities(camera).flashModes
  }

  /// The flash modes that photos may ask for, as boxed raw values: what ``supportedFlashModes`` is refined from.
  ///
  /// Apple: `AVCapturePhotoOutput.__supportedFlashModes`.
  public var __supportedFlashModes: [NSNumber] {
    supportedFlashModes.map { NSNumber(value: $0.rawValue) }
  }

  /// Whether the scene is so dark that a photo with automatic flash would fire it.
  ///
  /// `false` unless ``photoSettingsForSceneMonitoring`` has a `flashMode` other than `.off` that is supported. Observable.
  ///
  /// Apple: `AVCapturePhotoOutput.isFlashScene`.
  public var isFlashScene: Bool {
    observerTable.access(\AVCapturePhotoOutput.isFlashScene)
    return flashScene.value(isMet: isDark)
  }

  /// Whether the camera would fire an automatic flash now.
  var isDark: Bool {
    // Not the public property: reading that inside another's getter would notify observers of the wrong one.
    guard PhotoOutputCapabilities(camera).flashModes != [.off] else { return false }
    return videoDevice?.driver.controlState.isDark ?? false
  }
}
