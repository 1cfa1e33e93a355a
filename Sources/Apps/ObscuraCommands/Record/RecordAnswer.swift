internal import CameraTasks
internal import Foundation

/// The JSON object of `obscura record --json` for one file.
struct RecordAnswer: Encodable, Sendable {
  var schema = "obscura.record"
  var version = 1
  var path: String
  var seconds: Double
  var bytes: Int64
  var frames: Int
  /// Frames that the file lacks.
  var dropped: Int
  /// Those of them that the camera did not deliver.
  var missing: Int
  var codec: String
  var device: String

  init(_ movie: MovieSession.Movie, codec: MoviePlan.Codec, device: String) {
    path = movie.url.path
    seconds = movie.seconds
    bytes = movie.bytes
    frames = movie.frames
    dropped = movie.dropped
    missing = movie.missing
    self.codec = codec.rawValue
    self.device = device
  }
}
