package import AVFoundation

/// The settings of a recording, apart from the camera and the destination.
package struct MoviePlan: Sendable {
  /// The format of a movie's file.
  package enum Format: String, CaseIterable, Sendable {
    case mov, mp4, m4v

    /// The format that a file's extension names.
    package init?(fileExtension: String) { self.init(rawValue: fileExtension.lowercased()) }

    /// Apple's type.
    package var fileType: AVFileType {
      switch self {
      case .mov: .mov
      case .mp4: .mp4
      case .m4v: .m4v
      }
    }
  }

  /// The codec of a movie's pictures.
  package enum Codec: String, CaseIterable, Sendable {
    case h264, hevc

    var type: AVVideoCodecType { self == .h264 ? .h264 : .hevc }
  }

  /// The format of the files.
  package var format = Format.mov
  /// The codec of the pictures.
  package var codec = Codec.h264
  /// Bits of video in a second; `nil` leaves it to the size.
  package var bitRate: Int?
  /// Frames in a second; `nil` is the camera's usual rate.
  package var frameRate: Double?
  /// Width and height; `nil` is the size of the preset `high`.
  package var size: (width: Int, height: Int)?
  /// Whether audio is recorded where there is a microphone.
  package var hasAudio = true
  /// The duration of all files together; `nil` records until a stop is requested.
  package var seconds: Double?
  /// The duration of each file; `nil` makes one file.
  package var segmentSeconds: Double?

  /// Whether a movie begins with the first frame, also while exposure, focus and white balance have not settled.
  package var isImmediate = false

  /// The usual movie.
  package init() {}
}
