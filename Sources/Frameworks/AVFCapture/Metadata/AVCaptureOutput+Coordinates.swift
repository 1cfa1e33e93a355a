internal import CameraFrames
internal import AVFCore
internal import CaptureDevice
internal import CoreMedia
internal import CoreVideo
public import Foundation
internal import GraphicsCore
internal import PixelTransforms
internal import PhotoProcessing

/// Converting between what an output delivers and metadata outputs, whose space is the sensor's own picture from (0, 0) at
/// the top left corner to (1, 1).
///
/// An output's own space counts pixels of its pictures: of a video data output those of its buffers, which are turned,
/// mirrored, scaled and cut; of a photo output those of a photo of `maxPhotoDimensions`, whose pixels are neither turned nor
/// mirrored. Without a video connection rectangles come back as they are.
extension AVCaptureOutput {
  /// A rectangle in the output's pictures, in the space of metadata outputs.
  ///
  /// Apple: `AVCaptureOutput.metadataOutputRectConverted(fromOutputRect:)`.
  public func metadataOutputRectConverted(fromOutputRect rectInOutputCoordinates: CGRect) -> CGRect {
    pictureTransform.map { rectInOutputCoordinates.applying($0.inverted()) } ?? rectInOutputCoordinates
  }

  /// A rectangle in the space of metadata outputs, in the output's pictures.
  ///
  /// Apple: `AVCaptureOutput.outputRectConverted(fromMetadataOutputRect:)`.
  public func outputRectConverted(fromMetadataOutputRect rectInMetadataOutputCoordinates: CGRect) -> CGRect {
    pictureTransform.map { rectInMetadataOutputCoordinates.applying($0) } ?? rectInMetadataOutputCoordinates
  }

  /// What a metadata output has found, in the pictures that come here through `connection`.
  ///
  /// Bounds and corners count pixels of the output's own pictures, turned, mirrored, scaled and cut as those are. An object
  /// that was converted before is converted from where it was found.
  ///
  /// - Parameter connection: One of the output's own.
  /// - Returns: An object of the same kind; `nil` when it was found in pictures of another input than the connection's, or the
  ///   output has no pictures.
  ///
  /// Apple: `AVCaptureOutput.transformedMetadataObject(for:connection:)`.
  public func transformedMetadataObject(
    for metadataObject: AVMetadataObject, connection: AVCaptureConnection
  ) -> AVMetadataObject? {
    guard connection.output === self, let transform = pictureTransform(through: connection) else {
      return nil
    }
    return metadataObject.converted(through: connection) { bounds, corners in
      (bounds.applying(transform), corners.map { $0.applying(transform) })
    }
  }

  /// From the sensor's picture to what the output delivers; `nil` without a video connection.
  private var pictureTransform: CGAffineTransform? {
    connection(with: .video).flatMap(pictureTransform(through:))
  }

  private func pictureTransform(through connection: AVCaptureConnection) -> CGAffineTransform? {
    if let output = self as? AVCaptureVideoDataOutput {
      return output.pictureTransform(of: connection)
    }
    guard let dimensions = largestPicture, dimensions.width > 0,
      dimensions.height > 0
    else { return nil }
    return CGAffineTransform(scaleX: CGFloat(dimensions.width), y: CGFloat(dimensions.height))
  }
}

extension AVCaptureVideoDataOutput {
  /// From the sensor's picture to a buffer, by the very cut that ``VideoDataRoute`` makes.
  fileprivate func pictureTransform(of connection: AVCaptureConnection) -> CGAffineTransform? {
    guard let plan = plan(of: connection) else { return nil }
    let pixelFormat =
      plan.stream.format.encoding.pixelFormat
    let source = PixelSize(plan.stream.size)
    let size = PixelSize(requestedSize(under: plan) ?? plan.turnedSize)
    let part = FrameTransform(
      rotation: QuarterTurn(degrees: plan.rotation) ?? .none, isMirrored: plan.isMirrored, size: size,
      scaling: .fill
    ).visiblePart(of: source, pixelFormat: pixelFormat)
    let toPart = CGAffineTransform(
      a: CGFloat(source.width) / CGFloat(part.width), b: 0, c: 0,
      d: CGFloat(source.height) / CGFloat(part.height), tx: -CGFloat(part.x) / CGFloat(part.width),
      ty: -CGFloat(part.y) / CGFloat(part.height))
    return
      toPart
      .concatenating(OrientationTable.change(rotation: plan.rotation, isMirrored: plan.isMirrored).unit)
      .concatenating(CGAffineTransform(scaleX: CGFloat(size.width), y: CGFloat(size.height)))
  }
}
