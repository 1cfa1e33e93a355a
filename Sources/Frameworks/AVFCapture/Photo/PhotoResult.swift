package import CaptureDevice
package import CoreMedia
package import CoreVideo
package import Foundation

/// What the pipeline made of one frame.
package struct PhotoResult: Sendable {
  /// The exposure's begin on the monotonic clock.
  package var timestamp: CMTime
  package var metadata: PhotoMetadata
  /// The finished file, for encodings that have one.
  package var file: Data?
  /// The finished picture, for uncompressed encodings.
  package var pixelBuffer: CVPixelBuffer?
  package var preview: CVPixelBuffer?
  /// The size of the thumbnail in ``file``.
  package var thumbnailSize: FrameSize?
  /// What the camera's controls stood at for the frame.
  package var controls: ControlState?
  /// When it passed the stages; `nil` for what did not go through a pipeline.
  package var stages: PhotoStageTimes?

  package init(
    timestamp: CMTime = .invalid, metadata: PhotoMetadata = PhotoMetadata(), file: Data? = nil,
    pixelBuffer: CVPixelBuffer? = nil, preview: CVPixelBuffer? = nil, thumbnailSize: FrameSize? = nil
  ) {
    self.timestamp = timestamp
    self.metadata = metadata
    self.file = file
    self.pixelBuffer = pixelBuffer
    self.preview = preview
    self.thumbnailSize = thumbnailSize
  }
}
