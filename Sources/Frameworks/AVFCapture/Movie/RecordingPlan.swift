internal import AVFCore
internal import CaptureDevice
internal import CoreMedia
internal import Foundation
internal import GraphicsCore
internal import Linux
internal import MediaFiles

/// The plan of a file output's recording: media, file and settings; read once when recording begins.
struct RecordingPlan: @unchecked Sendable {  // Safe because the dictionaries hold immutable values.
  /// The pictures.
  struct Video {
    /// How they are coded; `nil` writes what the camera has coded.
    var settings: [String: Any]?
    /// The coded size.
    var size: FrameSize
    /// Whether the camera's pictures use all values of luma.
    var isFullRange: Bool
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

  /// A track of timed metadata.
  struct Timed {
    /// The number of the input that brings it.
    var input: NodeID
    /// What its groups may hold.
    var format: CMFormatDescription
  }

  var url: URL
  var fileType: AVFileType
  var video: Video?
  var audio: Audio?
  /// The tracks of metadata that clients bring.
  var timed: [Timed] = []
  /// How long the fragments are that survive a kill, where that is shorter than those that are written anyway.
  var fragmentInterval = CMTime.invalid
  var metadata: [MovieMetadata] = []
  /// Whether a file that is there gives way once this one appears.
  var replacesFile = false
  /// Whether a camera or microphone may take the place of another.
  var continuesAcrossSwitches = false
  /// Those that bring the media.
  var connections: [AVCaptureConnection] = []
  /// From when on it records, in nanoseconds on ``clock``; `nil` is the press.
  var start: Int64?
  /// The clock of the devices' time stamps.
  var clock = CMClock.hostTimeClock

  /// The present moment on ``clock``, in nanoseconds.
  var now: Int64 { clock.now.nanoseconds }
}

/// The reason why nothing can be recorded.
struct RecordingRefusal: Error {
  let error: AVError
  /// The rule that the client broke; `nil` when it broke none.
  var rule: String?
}
