internal import CoreMedia
internal import MediaFiles
internal import VideoCodecs

/// Finds the picture that is shown at a time.
struct FrameFinder {
  private let track: MovieFile.Track
  private let path: String

  init(_ track: MovieFile.Track, path: String) {
    self.track = track
    self.path = path
  }

  /// The picture that is shown at `time`, or, where the tolerances allow it, the key frame before it.
  ///
  /// - Returns: `nil` for a time outside of the track.
  func frame(at time: CMTime, before: CMTime, after: CMTime) throws -> VideoDecoder.Picture? {
    guard let format = track.format, time.isNumeric, time >= .zero else { return nil }
    let reader = try TrackReader(path: path, track: track)
    let last = track.timeRange.end
    if last.isNumeric, time > last { return nil }
    try reader.seek(to: max(time, track.timeRange.start))
    let decoder = try VideoDecoder(format)
    var best: VideoDecoder.Picture?
    /// Whether no later picture is better.
    func isFound(_ picture: VideoDecoder.Picture) -> Bool {
      if picture.time > time {
        // The first picture of all may come after the time.
        if best == nil { best = picture }
        return true
      }
      best = picture
      return time - picture.time <= before && before > .zero
    }
    while let sample = try reader.next() {
      for picture in try decoder.decode(sample) where isFound(picture) { return best }
    }
    for picture in try decoder.finish() where isFound(picture) { return best }
    return best
  }
}
