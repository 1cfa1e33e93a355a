public import Foundation

// Depth maps show what the frames show, at each zoom: a device's depth sensor is cropped as its picture is.
extension AVCaptureDevice.Format {
  /// The zoom factors at which depth can be had: all that the format has, as one range; empty for a format without depth.
  ///
  /// Apple: `AVCaptureDevice.Format.supportedVideoZoomRangesForDepthDataDelivery`.
  public var supportedVideoZoomRangesForDepthDataDelivery: [ClosedRange<CGFloat>] {
    supportedDepthDataFormats.isEmpty ? [] : [1...videoMaxZoomFactor]
  }

  /// Single zoom factors at which alone depth can be had: none, see ``supportedVideoZoomRangesForDepthDataDelivery``.
  ///
  /// Apple: `AVCaptureDevice.Format.supportedVideoZoomFactorsForDepthDataDelivery`.
  public var supportedVideoZoomFactorsForDepthDataDelivery: [CGFloat] { [] }

  /// Whether a device with depth may be zoomed out of those ranges: no, they hold every zoom factor of the format.
  ///
  /// Apple: `AVCaptureDevice.Format.zoomFactorsOutsideOfVideoZoomRangesForDepthDeliverySupported`.
  public var zoomFactorsOutsideOfVideoZoomRangesForDepthDeliverySupported: Bool { false }

  /// The least zoom factor at which depth can be had; 1 for a format without depth.
  ///
  /// Apple: `AVCaptureDevice.Format.videoMinZoomFactorForDepthDataDelivery`; deprecated there.
  public var videoMinZoomFactorForDepthDataDelivery: CGFloat {
    supportedVideoZoomRangesForDepthDataDelivery.first?.lowerBound ?? 1
  }

  /// The greatest zoom factor at which depth can be had; 1 for a format without depth.
  ///
  /// Apple: `AVCaptureDevice.Format.videoMaxZoomFactorForDepthDataDelivery`; deprecated there.
  public var videoMaxZoomFactorForDepthDataDelivery: CGFloat {
    supportedVideoZoomRangesForDepthDataDelivery.last?.upperBound ?? 1
  }
}
