internal import CoreMedia
internal import CoreVideo
internal import MediaFiles
internal import VideoCodecs

/// The pictures of a movie from its first to its last, over and over.
///
/// Not thread-safe.
final class LoopedPictures {
  private let film: LoopedMovie
  private let track: MovieFile.Track
  private var reader: TrackReader?
  private var decoder: VideoDecoder?
  private var ready: [VideoDecoder.Picture] = []
  private var loop: Int64 = 0
  private var hasPicture = false
  /// Whether what is ready are the last pictures before the movie begins anew.
  private var isEnding = false

  init(_ film: LoopedMovie, _ track: MovieFile.Track) {
    self.film = film
    self.track = track
  }

  /// The next picture, and how long after the movie's first beginning it is shown.
  ///
  /// - Throws: Why the movie cannot be played on.
  func next() throws -> (pixels: CVPixelBuffer, nanoseconds: Int64) {
    while true {
      if let picture = ready.first {
        ready.removeFirst()
        hasPicture = true
        let time = picture.time.convertScale(1_000_000_000, method: .roundHalfAwayFromZero).value
        guard time >= 0, time < film.nanoseconds else { continue }
        return (picture.pixels, loop * film.nanoseconds + time)
      }
      if isEnding {
        (reader, decoder) = (nil, nil)
        isEnding = false
        loop += 1
      }
      if reader == nil { try begin() }
      if let sample = try reader?.next() {
        ready = try decoder?.decode(sample) ?? []
      } else {
        ready = try decoder?.finish() ?? []
        isEnding = true
        guard hasPicture || !ready.isEmpty else {
          throw MovieFileError(.damaged, "The movie \(film.path) has no picture that can be decoded.")
        }
      }
    }
  }

  private func begin() throws {
    guard let format = track.format else { return }
    reader = try TrackReader(path: film.path, track: track)
    decoder = try VideoDecoder(format)
  }
}
