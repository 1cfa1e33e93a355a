internal import PeopleFinding

extension AVCaptureDevice.Format {
  /// Whether photos of the format can come with a matte of the people; see `AVCapturePhotoOutput.isPortraitEffectsMatteDeliverySupported`.
  ///
  /// They can where depth is measured while the format is active, and people can be found: that needs a model, which `obscura doctor` says
  /// how to get.
  ///
  /// Apple: `AVCaptureDevice.Format.isPortraitEffectsMatteStillImageDeliverySupported`.
  public var isPortraitEffectsMatteStillImageDeliverySupported: Bool {
    !supportedDepthDataFormats.isEmpty && ModelFolder.current.obstacle(to: .segmentation) == nil
  }
}
