internal import CameraTasks
internal import Foundation

/// What `obscura record --json` reports of one file.
struct RecordAnswer: Encodable, Sendable {
  var schema = "obscura.record"
  var version = 1
  var path: String
  var seconds: Double
  var bytes: Int64
  var frames: Int
  /// Frames that the camera made and the file lacks.
  var dropped: Int
  var codec: String
  var device: String

  init(_ movie: MovieSession.Movie, codec: MoviePlan.Codec, device: String) {
    path = movie.url.path
    seconds = movie.seconds
    bytes = movie.bytes
    frames = movie.frames
    dropped = movie.dropped
    self.codec = codec.rawValue
    self.device = device
  }
}
