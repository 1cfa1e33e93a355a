package import CaptureDevice
package import CoreMedia
package import CoreVideo
package import Foundation

/// What the pipeline made of a picture's frames.
package struct PhotoResult: Sendable {
  /// The exposure's begin on the monotonic clock; invalid when nothing was exposed.
  package var timestamp = CMTime.invalid
  package var metadata = PhotoMetadata()
  /// The finished file, for encodings that have one.
  package var file: Data?
  /// The finished picture, for uncompressed encodings.
  package var pixelBuffer: CVPixelBuffer?
  package var preview: CVPixelBuffer?
  /// The size of the thumbnail in ``file``.
  package var thumbnailSize: FrameSize?
  /// What the camera's controls stood at for the frame; `nil` without a picture.
  package var controls: ControlState?
  /// What kind of camera took it, as ``PhotoCamera/type``.
  package var sourceDeviceType: String?
  /// Under what its frames are stored, if this is only a proxy.
  package var proxyIdentifier: String?
  /// When it passed the stages; `nil` for what did not go through a pipeline.
  package var stages: PhotoStageTimes?

  /// No picture.
  package init() {}

  /// What is known of a picture without its pixels.
  package init(_ request: PhotoProcessingRequest, size: FrameSize, isWideColor: Bool) {
    sourceDeviceType = request.camera.deviceType(for: request.frame?.controls)
    guard let frame = request.frame else { return }
    timestamp = CMTime(frame.timestamp)
    metadata = PhotoMetadataBuilder.metadata(
      for: frame, size: size, isWideColor: isWideColor, request: request)
  }

  /// Encodes a developed picture, or hands its pixels over where those were asked for.
  package init(
    of negative: PhotoDeveloper.Negative, _ request: PhotoProcessingRequest, _ encoder: PhotoEncoder
  ) throws {
    self.init(request, size: negative.size, isWideColor: negative.isWideColor)
    preview = negative.preview
    controls = request.frame?.controls
    proxyIdentifier = request.proxyIdentifier
    // What a client can show before it has decoded the file.
    if proxyIdentifier != nil { pixelBuffer = negative.picture }
    switch request.encoding {
    case .pixels:
      pixelBuffer = negative.picture
    case .jpeg, .heic:
      let file = try encoder.encode(negative, metadata: metadata, for: request)
      FreshPictures.keep(negative, request, file: file)
      self.file = file
      thumbnailSize = negative.thumbnailSize
    }
  }
}
