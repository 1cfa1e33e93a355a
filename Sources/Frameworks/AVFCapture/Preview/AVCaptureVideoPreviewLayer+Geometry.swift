internal import AVFCore
internal import CaptureDevice
internal import CoreMedia
public import Foundation
internal import GraphicsCore
internal import QuartzCore

/// Converting between the layer, the capture device, and metadata outputs.
///
/// Capture devices and metadata outputs share one space: (0, 0) is the top left corner of the sensor's own picture, unturned
/// and unmirrored, (1, 1) the bottom right one. Only while Center Stage shows a part of that, metadata outputs' space is the part.
/// Points outside of the picture convert to numbers below 0 or above 1.
extension AVCaptureVideoPreviewLayer {
  /// Where the picture lies in the layer's bounds.
  ///
  /// Follows the connection's turn and mirroring, ``videoGravity``, and the aspect of the device's active format, so that it
  /// is right before the session runs; frames of the stream have the same aspect. Without a connection the picture counts as
  /// filling the bounds, unturned.
  public var geometry: PreviewGeometry {
    guard let connection else {
      return PreviewGeometry(pictureSize: bounds.size, gravity: .resize, bounds: bounds)
    }
    let settings = connection.settings
    return PreviewGeometry(
      pictureSize: connection.pictureSize, rotationAngle: settings.rotation, isMirrored: settings.isMirrored,
      gravity: videoGravity, bounds: bounds)
  }

  /// A point of the layer in the space of capture devices' points of interest.
  ///
  /// Apple: `AVCaptureVideoPreviewLayer.captureDevicePointConverted(fromLayerPoint:)`.
  public func captureDevicePointConverted(fromLayerPoint pointInLayer: CGPoint) -> CGPoint {
    let point = geometry.picturePoint(fromLayerPoint: pointInLayer)
    return camera?.pointOfInterest(shownAt: point) ?? point
  }

  /// A point of the capture device's picture in the layer.
  ///
  /// Apple: `AVCaptureVideoPreviewLayer.layerPointConverted(fromCaptureDevicePoint:)`.
  public func layerPointConverted(fromCaptureDevicePoint captureDevicePointOfInterest: CGPoint) -> CGPoint {
    let point = camera?.place(ofPointOfInterest: captureDevicePointOfInterest) ?? captureDevicePointOfInterest
    return geometry.layerPoint(fromPicturePoint: point)
  }

  private var camera: AVCaptureDevice? {
    connection?.inputPorts.first.flatMap { $0.mediaType == .video ? $0.device : nil }
  }

  /// A rectangle of the layer in the space of metadata outputs.
  ///
  /// Apple: `AVCaptureVideoPreviewLayer.metadataOutputRectConverted(fromLayerRect:)`.
  public func metadataOutputRectConverted(fromLayerRect rectInLayerCoordinates: CGRect) -> CGRect {
    geometry.pictureRect(fromLayerRect: rectInLayerCoordinates)
  }

  /// A rectangle of a metadata output in the layer.
  ///
  /// Apple: `AVCaptureVideoPreviewLayer.layerRectConverted(fromMetadataOutputRect:)`.
  public func layerRectConverted(fromMetadataOutputRect rectInMetadataOutputCoordinates: CGRect) -> CGRect {
    geometry.layerRect(fromPictureRect: rectInMetadataOutputCoordinates)
  }

  /// What is detected in the metadata output's space, in the layer: its bounds, and its corners in their own order.
  ///
  /// The corners of a code stay in the order of the code itself (its top left corner first), wherever they lie in the layer.
  package func layerOutline(bounds: CGRect, corners: [CGPoint]) -> (bounds: CGRect, corners: [CGPoint]) {
    let geometry = geometry
    return (geometry.layerRect(fromPictureRect: bounds), corners.map(geometry.layerPoint(fromPicturePoint:)))
  }
}

extension AVCaptureConnection {
  /// The size of the unturned pictures: those of the device's active format.
  var pictureSize: CGSize {
    guard let port = inputPorts.first, port.mediaType == .video, let device = port.device else {
      return .zero
    }
    let size = CMVideoFormatDescriptionGetDimensions(device.activeFormat.formatDescription)
    return CGSize(width: Int(size.width), height: Int(size.height))
  }
}
