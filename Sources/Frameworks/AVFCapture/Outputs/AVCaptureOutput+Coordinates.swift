internal import AVFCore
internal import CaptureDevice
internal import CoreMedia
internal import CoreVideo
public import Foundation
internal import GraphicsCore
internal import PixelTransforms

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

  /// From the sensor's picture to what the output delivers; `nil` without a video connection.
  private var pictureTransform: CGAffineTransform? {
    guard let connection = connection(with: .video) else { return nil }
    if let output = self as? AVCaptureVideoDataOutput {
      return output.pictureTransform(of: connection)
    }
    guard let dimensions = (self as? AVCapturePhotoOutput)?.maxPhotoDimensions, dimensions.width > 0,
      dimensions.height > 0
    else { return nil }
    return CGAffineTransform(scaleX: CGFloat(dimensions.width), y: CGFloat(dimensions.height))
  }
}

extension AVCaptureVideoDataOutput {
  /// From the sensor's picture to a buffer, by the very cut that ``VideoDataRoute`` makes.
  fileprivate func pictureTransform(of connection: AVCaptureConnection) -> CGAffineTransform? {
    guard let plan = session?.plannedConnection(connection),
      case .videoData(_, let wanted, _) = requirements.role
    else { return nil }
    let encoding: OSType =
      switch plan.stream.format.encoding {
      case .pixels(let format): format
      case .motionJPEG: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
      }
    let source = PixelSize(plan.stream.size)
    let size = PixelSize(wanted ?? plan.turnedSize)
    let part = FrameTransform(
      rotation: QuarterTurn(degrees: plan.rotation) ?? .none, isMirrored: plan.isMirrored, size: size,
      scaling: .fill
    ).visiblePart(of: source, pixelFormat: encoding)
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
