internal import FoundationExtras

extension AVCapturePhotoOutput {
  /// Whether both cameras of a dual camera can take a photo at the same time.
  ///
  /// With `builtInDualCamera` alone, of wide and telephoto lens; other virtual devices have
  /// ``isVirtualDeviceConstituentPhotoDeliverySupported``, which takes this one's place for dual cameras, too. `false` without a camera.
  ///
  /// Apple: `AVCapturePhotoOutput.isDualCameraDualPhotoDeliverySupported`; deprecated there.
  public var isDualCameraDualPhotoDeliverySupported: Bool {
    isVirtualDeviceConstituentPhotoDeliverySupported && videoDevice?.deviceType == .builtInDualCamera
  }

  /// Whether photos may ask for both cameras, by `AVCapturePhotoSettings.isDualCameraDualPhotoDeliveryEnabled`; `false` at first.
  ///
  /// The older name of ``isVirtualDeviceConstituentPhotoDeliveryEnabled``: with a dual camera setting one sets the other. `false` with
  /// any other camera, where `true` is a programming mistake without effect.
  ///
  /// Apple: `AVCapturePhotoOutput.isDualCameraDualPhotoDeliveryEnabled`; deprecated there.
  public var isDualCameraDualPhotoDeliveryEnabled: Bool {
    get { isVirtualDeviceConstituentPhotoDeliveryEnabled && isDualCameraDualPhotoDeliverySupported }
    set {
      guard isDualCameraDualPhotoDeliverySupported else {
        guard newValue else { return }
        return ProgrammingMistake.report(
          rule: "isDualCameraDualPhotoDeliveryEnabled cannot be true here; ask "
            + "isDualCameraDualPhotoDeliverySupported first.")
      }
      isVirtualDeviceConstituentPhotoDeliveryEnabled = newValue
    }
  }

  /// The settings with both cameras as the chosen ones where they ask for them by the older name; others as they are.
  func choosingBothCameras(_ settings: AVCapturePhotoSettings) -> AVCapturePhotoSettings {
    guard settings.isDualCameraDualPhotoDeliveryEnabled, isDualCameraDualPhotoDeliveryEnabled,
      settings.virtualDeviceConstituentPhotoDeliveryEnabledDevices.isEmpty, let videoDevice,
      let chosen = settings.copy() as? AVCapturePhotoSettings
    else { return settings }
    chosen.virtualDeviceConstituentPhotoDeliveryEnabledDevices = videoDevice.constituentDevices
    return chosen
  }
}
