internal import Foundation

extension AVCaptureVideoPreviewLayer {
  /// What a metadata output has found, in the layer: bounds and corners in its points, as they are seen.
  ///
  /// Follows the connection's turn and mirroring and the layer's gravity and bounds, so that a frame drawn from the result
  /// surrounds the object in the layer's picture. An object that was converted before is converted from where it was found.
  ///
  /// - Returns: An object of the same kind; `nil` when it was found in pictures of another input than the layer's, or the
  ///   layer has no connection.
  ///
  /// Apple: `AVCaptureVideoPreviewLayer.transformedMetadataObject(for:)`.
  public func transformedMetadataObject(for metadataObject: AVMetadataObject) -> AVMetadataObject? {
    guard let connection else { return nil }
    return metadataObject.converted(through: connection) { layerOutline(bounds: $0, corners: $1) }
  }
}
