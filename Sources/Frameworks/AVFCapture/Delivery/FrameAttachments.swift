internal import CameraFrames
internal import PhotoProcessing

/// Keys under which frames and photos carry what Core Media has no name for.
public enum FrameAttachments {
  /// The device's own number of the frame in its stream, a `UInt32`; 0 is the first frame after start.
  ///
  /// An attachment of every sample buffer that a video data output delivers or drops, and a key of
  /// `AVCapturePhoto.metadata` (not written into the file). Both count the same stream: the photo with number *n* shows
  /// the same exposure as the sample buffer with number *n*.
  public static let sequenceNumber = FrameKeys.sequenceNumber
}
