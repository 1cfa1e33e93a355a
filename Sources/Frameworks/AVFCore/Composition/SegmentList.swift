internal import CoreMedia
internal import MediaFiles

/// The segments of a composition's track: they follow each other from zero on, without gaps.
struct SegmentList: Sendable {
  private(set) var segments: [TrackSegment] = []

  init(_ segments: [TrackSegment] = []) {
    self.segments = segments
  }

  /// When the last one ends.
  var end: CMTime { segments.last?.target.end ?? .zero }

  /// The segments of a track, each with a mapping.
  static func of(_ track: AVAssetTrack) -> [TrackSegment] {
    track.mediaSegments.map { segment in
      guard segment.mapping == nil else { return segment }
      return TrackSegment(
        media: segment.media, mapping: CMTimeMapping(source: segment.target, target: segment.target))
    }
  }

  /// What of segments lies in a range, from zero on; nothing is shown where they are none.
  static func cut(_ segments: [TrackSegment], to range: CMTimeRange) -> [TrackSegment] {
    var found: [TrackSegment] = []
    var at = range.start
    for segment in segments {
      let begin = max(segment.target.start, range.start)
      let end = min(segment.target.end, range.end)
      guard begin < end else { continue }
      if begin > at { found.append(empty(at - range.start, begin - at)) }
      found.append(part(of: segment, from: begin, to: end, at: begin - range.start))
      at = end
    }
    return found
  }

  private static func empty(_ start: CMTime, _ duration: CMTime) -> TrackSegment {
    TrackSegment(
      media: nil,
      mapping: CMTimeMapping(source: .invalid, target: CMTimeRange(start: start, duration: duration)))
  }

  /// The part of a segment between two times, moved to `place`.
  private static func part(
    of segment: TrackSegment, from begin: CMTime, to end: CMTime, at place: CMTime
  ) -> TrackSegment {
    let target = CMTimeRange(start: place, duration: end - begin)
    guard segment.media != nil, let mapping = segment.mapping else {
      return TrackSegment(media: nil, mapping: CMTimeMapping(source: .invalid, target: target))
    }
    let start = begin == mapping.target.start ? mapping.source.start : segment.mediaTime(begin)
    let stop = end == mapping.target.end ? mapping.source.end : segment.mediaTime(end)
    return TrackSegment(
      media: segment.media,
      mapping: CMTimeMapping(source: CMTimeRange(start: start, end: stop), target: target))
  }

  private static func moved(_ segments: [TrackSegment], by time: CMTime) -> [TrackSegment] {
    segments.map { segment in
      var segment = segment
      let start = segment.target.start + time
      segment.mapping?.target.start = start
      return segment
    }
  }

  private func before(_ time: CMTime) -> [TrackSegment] {
    Self.cut(segments, to: CMTimeRange(start: .zero, end: time))
  }

  private func after(_ time: CMTime) -> [TrackSegment] {
    time < end ? Self.cut(segments, to: CMTimeRange(start: time, end: end)) : []
  }

  /// Inserts what lasts `duration`; what comes behind it moves.
  ///
  /// Beyond the end nothing is shown before it.
  mutating func insert(_ inserted: [TrackSegment], lasting duration: CMTime, at time: CMTime) {
    let time = time.isNumeric ? max(time, .zero) : end
    let rest = after(time)
    var list = before(time)
    let last = list.last?.target.end ?? .zero
    if last < time { list.append(Self.empty(last, time - last)) }
    list += Self.moved(inserted, by: time)
    if !rest.isEmpty {
      let end = list.last?.target.end ?? .zero
      if end < time + duration { list.append(Self.empty(end, time + duration - end)) }
      list += Self.moved(rest, by: time + duration)
    }
    segments = list
  }

  /// Inserts a range in which nothing is shown; at the end it changes nothing.
  mutating func insertEmpty(_ range: CMTimeRange) {
    guard range.start < end else { return }
    insert([], lasting: range.duration, at: range.start)
  }

  /// Removes a range; what comes behind it moves.
  mutating func remove(_ range: CMTimeRange) {
    let rest = after(range.end)
    var list = before(range.start)
    list += Self.moved(rest, by: min(range.start, end))
    segments = list
  }

  /// Makes a range last another time; what comes behind it moves.
  mutating func scale(_ range: CMTimeRange, to duration: CMTime) {
    let ratio = duration.seconds / range.duration.seconds
    var stretched = Self.cut(segments, to: range)
    for index in stretched.indices {
      let target = stretched[index].target
      func scaled(_ time: CMTime) -> CMTime {
        time == range.duration ? duration : CMTimeMultiplyByFloat64(time, multiplier: ratio)
      }
      let start = scaled(target.start)
      stretched[index].mapping?.target = CMTimeRange(start: start, end: scaled(target.end))
    }
    let rest = after(range.end)
    segments =
      before(range.start) + Self.moved(stretched, by: range.start)
      + Self.moved(rest, by: range.start + duration)
  }
}
