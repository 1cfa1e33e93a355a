package import MediaFiles

extension MovieContainer {
  /// The container of a type of files; `nil` for types that cannot be written.
  package init?(_ type: AVFileType) {
    switch type {
    case .mov: self = .quickTime
    case .mp4: self = .mpeg4
    case .m4v: self = .appleVideo
    case .m4a: self = .appleAudio
    default: return nil
    }
  }
}
