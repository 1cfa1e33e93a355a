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
  /// Where none is shown, before the first one, behind the last one and in gaps, the nearest that the tolerances allow.
  func frame(at time: CMTime, before: CMTime, after: CMTime) throws -> VideoDecoder.Picture? {
    guard time.isNumeric else { return nil }
    if let segment = segment(at: time) {
      return try Self.picture(of: segment, at: time, before: before, after: after)
    }
    // At the very end the last one is still on show.
    let isEnd = time == segments.last?.target.end
    var (earlier, later): (VideoDecoder.Picture?, VideoDecoder.Picture?)
    if isEnd || before > .zero {
      earlier = try segments.last { $0.media != nil && $0.target.end <= time }.flatMap(Self.last)
    }
    if after > .zero {
      later = try segments.first { $0.media != nil && $0.target.start > time }.flatMap(Self.first)
    }
    let found = [earlier, later].compactMap { $0 }.filter { picture in
      picture.time <= time ? isEnd || time - picture.time <= before : picture.time - time <= after
    }
    return found.min { CMTimeAbsoluteValue($0.time - time) < CMTimeAbsoluteValue($1.time - time) }
  }

  /// The one that is shown at a time.
  ///
  /// A file whose pictures begin later than its audio shows the first one from zero on.
  private func segment(at time: CMTime) -> TrackSegment? {
    guard let last = segments.last else { return nil }
    let found: TrackSegment?
    if segments.count == 1, last.mapping == nil {
      found = time >= .zero && (!last.target.end.isNumeric || time < last.target.end) ? last : nil
    } else {
      found = segments.first { $0.target.containsTime(time) }
    }
    return found?.media == nil ? nil : found
  }

  /// The last picture of a segment.
  private static func last(of segment: TrackSegment) throws -> VideoDecoder.Picture? {
    guard let timescale = segment.media?.track.timescale else { return nil }
    let end = segment.target.end - CMTime(value: 1, timescale: timescale)
    return try picture(of: segment, at: max(end, segment.target.start), before: .zero, after: .zero)
  }

  /// The first picture of a segment.
  private static func first(of segment: TrackSegment) throws -> VideoDecoder.Picture? {
    try picture(of: segment, at: max(segment.target.start, .zero), before: .zero, after: .zero)
  }

  private static func picture(
    of segment: TrackSegment, at time: CMTime, before: CMTime, after: CMTime
  ) throws -> VideoDecoder.Picture? {
    guard let media = segment.media else { return nil }
    guard let mapping = segment.mapping else {
      return try picture(of: media, at: time, before: before, after: after)
    }
    let wanted = segment.mediaTime(time)
    // A key frame before the segment is not shown in the asset.
    let most = wanted - mapping.source.start
    let found = try picture(
      of: media, at: wanted, before: before.isNumeric ? min(before, most) : most, after: after)
    return found.map { picture in
      VideoDecoder.Picture(
        pixels: picture.pixels,
        time: max(segment.assetTime(picture.time), mapping.target.start),
        duration: segment.assetDuration(picture.duration))
    }
  }

  private static func picture(
    of media: TrackSegment.Media, at time: CMTime, before: CMTime, after: CMTime
  ) throws -> VideoDecoder.Picture? {
    let track = media.track
    guard let format = track.format else { return nil }
    let reader = try TrackReader(path: media.path, track: track)
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
