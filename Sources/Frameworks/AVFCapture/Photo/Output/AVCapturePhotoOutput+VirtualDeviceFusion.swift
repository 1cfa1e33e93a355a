internal import CaptureDevice
internal import FoundationExtras

extension AVCapturePhotoOutput {
  /// Whether a photo of a virtual device can be made of the pictures of two of its cameras.
  ///
  /// With a virtual device whose cameras take pictures at the same time, unless ``maxPhotoQualityPrioritization`` is `.speed`. Between two
  /// lenses' zoom factors, where the wider one's picture has to be enlarged, the longer one sees the middle of the same picture: a photo gets its
  /// fine detail there. This is done in light that is enough for one frame (below ISO 400), for all qualities but `.speed`, without flash and
  /// effects, and where the longer lens can focus; `AVCaptureResolvedPhotoSettings.isVirtualDeviceFusionEnabled` says at the press
  /// whether it is. Observable.
  ///
  /// Apple: `AVCapturePhotoOutput.isVirtualDeviceFusionSupported`.
  public var isVirtualDeviceFusionSupported: Bool {
    observerTable.access(\AVCapturePhotoOutput.isVirtualDeviceFusionSupported)
    return PhotoOutputCapabilities(camera).fusesConstituents && maxPhotoQualityPrioritization != .speed
  }

  /// The older name of ``isVirtualDeviceFusionSupported``.
  ///
  /// Apple: `AVCapturePhotoOutput.isDualCameraFusionSupported`; deprecated there.
  public var isDualCameraFusionSupported: Bool { isVirtualDeviceFusionSupported }
}
