internal import CoreMedia
internal import MediaFiles
internal import VideoCodecs

/// Finds the picture that is shown at a time.
struct FrameFinder {
  private let segments: [TrackSegment]

  init(_ track: AVAssetTrack) {
    segments = track.mediaSegments
  }

  /// The picture that is shown at `time`, or, where the tolerances allow it, the key frame before it.
  ///
  /// - Returns: `nil` for a time outside of the track.
  func frame(at time: CMTime, before: CMTime, after: CMTime) throws -> VideoDecoder.Picture? {
    guard time.isNumeric, time >= .zero, let segment = segment(at: time), let media = segment.media else {
      return nil
    }
    guard let mapping = segment.mapping else {
      return try Self.picture(of: media, at: time, before: before, after: after)
    }
    let wanted = segment.mediaTime(time)
    // A key frame before the segment is not shown in the asset.
    let most = wanted - mapping.source.start
    let found = try Self.picture(
      of: media, at: wanted, before: before.isNumeric ? min(before, most) : most, after: after)
    return found.map { picture in
      VideoDecoder.Picture(
        pixels: picture.pixels,
        time: max(segment.assetTime(picture.time), mapping.target.start),
        duration: segment.assetDuration(picture.duration))
    }
  }

  /// The one that is shown at a time; at the very end the last one.
  private func segment(at time: CMTime) -> TrackSegment? {
    guard let last = segments.last else { return nil }
    if segments.count == 1, last.mapping == nil { return last }
    return segments.first { $0.target.containsTime(time) } ?? (last.target.end == time ? last : nil)
  }

  private static func picture(
    of media: TrackSegment.Media, at time: CMTime, before: CMTime, after: CMTime
  ) throws -> VideoDecoder.Picture? {
    let track = media.track
    guard let format = track.format else { return nil }
    let reader = try TrackReader(path: media.path, track: track)
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
