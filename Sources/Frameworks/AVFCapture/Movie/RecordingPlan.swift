internal import AVFCore
internal import CaptureDevice
internal import CoreMedia
internal import Foundation
internal import GraphicsCore
internal import MediaFiles

/// What a file output is about to record, and how; read once when recording begins.
struct RecordingPlan: @unchecked Sendable {  // Safe because the dictionaries hold immutable values.
  /// The pictures.
  struct Video {
    /// How they are coded; `nil` writes what the camera has coded.
    var settings: [String: Any]?
    /// The coded size.
    var size: FrameSize
    /// How the connection turned and mirrored when recording began: the track's matrix says so.
    var rotation: Int
    var isMirrored: Bool
    /// How long a picture lasts by its rate, in nanoseconds.
    var usualDuration: Int64
  }

  /// The audio.
  struct Audio {
    /// How it is coded.
    var settings: [String: Any]
  }

  var url: URL
  var fileType: AVFileType
  var video: Video?
  var audio: Audio?
  /// How long the fragments are that survive a kill.
  var fragmentInterval = CMTime(value: 10, timescale: 1)
  var metadata: [MovieMetadata] = []
  /// Whether a camera or microphone may take the place of another.
  var continuesAcrossSwitches = false
  /// Those that bring the media.
  var connections: [AVCaptureConnection] = []
}

/// Why nothing can be recorded.
struct RecordingRefusal: Error {
  let error: AVError
  /// The rule that the client broke; `nil` when it broke none.
  var rule: String?
}
