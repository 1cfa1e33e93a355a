internal import CoreMedia
internal import MediaFiles
internal import VideoCodecs

/// Finds whether tracks can be decoded.
enum TrackDecoders {
  /// Whether there is a decoder for a track.
  static func isDecodable(_ track: MovieFile.Track) -> Bool {
    guard let format = track.format else { return false }
    switch track.mediaType {
    case kCMMediaType_Video: return (try? VideoDecoder(format, threads: 1)) != nil
    case kCMMediaType_Audio: return (try? AudioDecoder(format)) != nil
    default: return false
    }
  }
}
