package import AVFoundation

/// What a recording shall be, apart from the camera and the place.
package struct MoviePlan: Sendable {
  /// What files are.
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

  /// How pictures are coded.
  package enum Codec: String, CaseIterable, Sendable {
    case h264, hevc

    var type: AVVideoCodecType { self == .h264 ? .h264 : .hevc }
  }

  /// What files are.
  package var format = Format.mov
  /// How pictures are coded.
  package var codec = Codec.h264
  /// Bits of video in a second; `nil` leaves it to the size.
  package var bitRate: Int?
  /// Frames in a second; `nil` is the camera's usual rate.
  package var frameRate: Double?
  /// Width and height; `nil` is the size of the preset `high`.
  package var size: (width: Int, height: Int)?
  /// Whether sound is recorded where there is a microphone.
  package var hasAudio = true
  /// How long all files are together; `nil` records until a stop is requested.
  package var seconds: Double?
  /// How long each file is; `nil` makes one file.
  package var segmentSeconds: Double?

  /// The usual movie.
  package init() {}
}
