internal import CoreMedia

/// The edit list of a track: the parts of its media that are shown, and when; `elst` of a movie (ISO/IEC 14496-12, 8.6.6).
package struct EditList: Sendable {
  /// A part; in units of the track.
  package struct Part: Sendable, Hashable {
    /// When it is shown in the movie.
    let shown: Range<Int64>
    /// The time of the media that is shown first.
    let media: Int64
    /// Times that are no exact units of the movie are rounded: what of a sample would be shown for less than that is not.
    let slack: Int64

    /// The shift of the media's times.
    var shift: Int64 { shown.lowerBound - media }

    /// Whether a sample of this time of the media is shown.
    func shows(_ time: Int64) -> Bool { time >= media && time &+ shift < shown.upperBound - slack }
  }

  /// In the order of time; at least one.
  let parts: [Part]
  /// When nothing is shown, between the parts or before them.
  private let gaps: [Range<Int64>]

  /// Reads a track's edit list; `nil` for one without, for one that shows nothing, and where the samples are in fragments, whose times
  /// a list with one entry moves as a whole.
  ///
  /// - Parameter header: The content of a movie's header.
  init?(_ header: BoxReader, ofTrack number: Int) {
    guard !header.boxes.contains(where: { $0.type == "mvex" }), let scales = Self.scales(header, number),
      let list = TrackBoxes(header).box(ofTrack: number, at: ["edts", "elst"]),
      let version = header.u8(list.body.lowerBound), let count = header.u32(list.body.lowerBound + 4)
    else { return nil }
    let isLong = version == 1
    let size = isLong ? 20 : 12
    var parts: [Part] = []
    var gaps: [Range<Int64>] = []
    // In units of the movie, so that errors do not add up.
    var at: Int64 = 0
    func inTrack(_ time: Int64) -> Int64 {
      CMTime(value: time, timescale: scales.movie).convertScale(scales.track, method: .roundHalfAwayFromZero)
        .value
    }
    for index in 0..<min(count, list.body.count / size) {
      let place = list.body.lowerBound + 8 + index * size
      guard let duration = Self.number(header, place, isLong),
        let media = Self.number(header, place + (isLong ? 8 : 4), isLong), (0..<1 << 50).contains(duration)
      else { return nil }
      let end = at + duration
      // Thirteen days of a billion units a second, decades of a million; a damaged list is none.
      guard end < 1 << 50, media < 1 << 60, inTrack(end) < 1 << 60 else { return nil }
      defer { at = end }
      guard media >= 0 else {
        if duration > 0 { gaps.append(inTrack(at)..<max(inTrack(at), inTrack(end))) }
        continue
      }
      let isOpen = duration == 0 && index + 1 == count
      guard duration > 0 || isOpen else { continue }
      let begin = inTrack(at)
      parts.append(
        Part(
          shown: begin..<(isOpen ? 1 << 60 : max(begin, inTrack(end))), media: media,
          slack: Int64(scales.track / scales.movie / 2)))
    }
    guard !parts.isEmpty else { return nil }
    self.parts = parts
    self.gaps = gaps
  }

  /// The mappings from times of the media to times of the movie, in their order; an invalid source for an empty edit.
  ///
  /// - Parameters:
  ///   - end: When the track ends, for a part without an end.
  ///   - timescale: Of the track.
  func mappings(until end: CMTime, timescale: Int32) -> [CMTimeMapping] {
    func time(_ value: Int64) -> CMTime { CMTime(value: value, timescale: timescale) }
    let shown = parts.map { part in
      let last = part.shown.upperBound < 1 << 60 ? time(part.shown.upperBound) : end
      let target = CMTimeRange(start: time(part.shown.lowerBound), end: last)
      return CMTimeMapping(
        source: CMTimeRange(start: time(part.media), duration: target.duration), target: target)
    }
    let empty = gaps.map { gap in
      CMTimeMapping(
        source: .invalid, target: CMTimeRange(start: time(gap.lowerBound), end: time(gap.upperBound)))
    }
    return (shown + empty).sorted { $0.target.start < $1.target.start }
  }

  /// Units of time in a second of the movie and of the track.
  private static func scales(_ header: BoxReader, _ number: Int) -> (movie: Int32, track: Int32)? {
    guard let movie = header.boxes.first(where: { $0.type == "mvhd" }),
      let media = TrackBoxes(header).box(ofTrack: number, at: ["mdia", "mdhd"])
    else { return nil }
    func scale(_ box: BoxReader.Box) -> Int32? {
      let isLong = header.u8(box.body.lowerBound) == 1
      return header.u32(box.body.lowerBound + (isLong ? 20 : 12)).flatMap {
        $0 > 0 ? Int32(exactly: $0) : nil
      }
    }
    guard let movieScale = scale(movie), let trackScale = scale(media) else { return nil }
    return (movieScale, trackScale)
  }

  private static func number(_ header: BoxReader, _ place: Int, _ isLong: Bool) -> Int64? {
    guard let first = header.u32(place) else { return nil }
    guard isLong else { return first == 0xFFFF_FFFF ? -1 : Int64(first) }
    return header.u32(place + 4).map { Int64(truncatingIfNeeded: first << 32 | $0) }
  }
}
