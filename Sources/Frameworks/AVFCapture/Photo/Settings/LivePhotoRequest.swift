internal import CaptureDevice
internal import Foundation
internal import MediaFiles

/// The request for the movie of a Live Photo.
struct LivePhotoRequest: Sendable {
  /// The file to be, which must not be there.
  var url: URL
  /// The name that the movie's metadata and the photo's maker note share.
  var identifier = UUID().uuidString
  /// The size of the movie's pictures, which lie as the sensor.
  var size: FrameSize
  /// How the connection turned and mirrored at the press: the track's matrix says so.
  var rotation: Int
  var isMirrored: Bool
  /// What the movie says of itself beside its name and its date.
  var metadata: [MovieMetadata]
  /// Whether the movie ends where the camera is swung away.
  var isTrimmed = true
}
