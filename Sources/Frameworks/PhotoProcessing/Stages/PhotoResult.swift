package import CaptureDevice
package import CoreMedia
package import CoreVideo
package import Foundation

/// The result of processing a picture's frames: the file or picture, with preview and metadata.
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
  /// The values of the camera's controls for the frame; `nil` without a picture.
  package var controls: ControlState?
  /// The type of the camera that took it, as ``PhotoCamera/type``.
  package var sourceDeviceType: String?
  /// Whether this is the sensor's raw picture, or stands for one that failed.
  package var isRaw = false
  /// The parts of a raw picture's file, to write it once more.
  package var raw: RawPhoto?
  /// The identifier of its stored frames, if this is only a proxy.
  package var proxyIdentifier: String?
  /// The depth data that come with the photo: an object of the framework above, which makes it.
  package var depthData: (any AnyObject & Sendable)?
  /// Whether ``file`` holds them.
  package var isDepthEmbedded = false
  /// The matte of the people: an object of the framework above, which makes it.
  package var portraitMatte: (any AnyObject & Sendable)?
  /// Whether ``file`` holds it.
  package var isMatteEmbedded = false
  /// The mattes of parts of its people: objects of the framework above, which makes them.
  package var partMattes: [any AnyObject & Sendable] = []
  /// Whether ``file`` holds them.
  package var arePartMattesEmbedded = false
  /// Whether ``file`` holds more than the picture that it was encoded from.
  package var holdsMore: Bool { isDepthEmbedded || isMatteEmbedded || arePartMattesEmbedded }
  /// The calibration of the camera that took it: an object of the framework above, which makes it.
  package var calibration: (any AnyObject & Sendable)?
  /// How far its colours are those of the flash's own light; `nil` for other photos.
  package var constantColor: ConstantColorConfidence?
  /// Whether it is the ordinary photo beside one of constant colour, or stands for one that failed.
  package var isConstantColorFallback = false
  /// When it passed the stages; `nil` for what did not go through a pipeline.
  package var stages: PhotoStageTimes?

  /// No picture.
  package init() {}

  /// A result without pixels: the time, the metadata and the camera of a request's frame.
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
    metadata = PhotoMetadataBuilder.metadata(metadata, ofFrames: negative.frames)
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
