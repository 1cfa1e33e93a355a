public import Foundation

extension AVCaptureDevice.Format {
  /// The zoom factors that people should be offered; `nil` for a format that does not zoom.
  ///
  /// From 1 to where a pixel of the sensor fills five of the picture each way: what is enlarged further looks soft. Apple says no figures.
  ///
  /// Apple: `AVCaptureDevice.Format.systemRecommendedVideoZoomRange`.
  public var systemRecommendedVideoZoomRange: ClosedRange<CGFloat>? {
    guard videoMaxZoomFactor > 1 else { return nil }
    return 1...min(videoMaxZoomFactor, max(videoZoomFactorUpscaleThreshold, 1) * 5)
  }

  /// The bias of exposure that people should be offered, in stops; `nil` for a format of a camera without.
  ///
  /// Two stops each way, as far as the camera has them: beyond, most of a picture is black or white. Apple says no figures.
  ///
  /// Apple: `AVCaptureDevice.Format.systemRecommendedExposureBiasRange`.
  public var systemRecommendedExposureBiasRange: ClosedRange<Float>? {
    guard let exposureBias else { return nil }
    return max(exposureBias.lowerBound, -2)...min(exposureBias.upperBound, 2)
  }

  /// Whether pictures of the format can be stabilized in some way.
  ///
  /// Apple: `AVCaptureDevice.Format.isVideoStabilizationSupported`; deprecated there.
  public var isVideoStabilizationSupported: Bool { streamFormat?.stabilizationModes.isEmpty == false }
}
