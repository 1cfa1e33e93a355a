package import CoreMedia
internal import Foundation
internal import FoundationExtras

/// Writes a movie as segments in memory: a header, and then pieces that each begin with a key frame and can be loaded one by one.
///
/// Times of the media are those of the samples; where its first sample is decoded before zero, an edit moves it. A track that falls
/// silent beside the one that leads holds nothing back for long: what it brings later is in a later segment, and a track that brings its first
/// sample, and with it its format, once the header is written is left out. The one that leads, the pictures where there are any, is waited for,
/// for a segment begins with one of its key frames. Not thread-safe.
package final class SegmentWriter: SampleFile {
  /// The kinds of segments.
  package enum Profile: Sendable {
    /// For Apple's HTTP Live Streaming.
    case liveStreaming
    /// The Common Media Application Format: one track.
    case commonMedia
  }

  private let profile: Profile
  private let metadata: [MovieMetadata]
  private let timescale: Int32
  private var boundaries: SegmentBoundaries
  private let deliver: (MovieSegment) -> Void
  private var tracks: [MovieTrack] = []
  /// Key frames that begin a segment which is not complete yet, by when they are decoded and shown.
  private var cuts: [(decoding: Int64, time: CMTime)] = []
  private var hasHeader = false
  private var sequence = 0
  private var isWaitingForKey = false
  private var sessionStart: CMTime?
  private var sessionEnd: CMTime?
  /// How far the leader may be past a cut that other tracks have not come to: inputs that wait for each other are a second apart, and
  /// encoders hold some.
  private static let longestLag = CMTime(value: 2, timescale: 1)
  /// How far the leader may be past its first sample before others have begun: a header without their tracks is for good.
  private static let longestDelay = CMTime(value: 10, timescale: 1)
  private static let container = MovieContainer.mpeg4

  /// - Parameters:
  ///   - timescale: Units of time in a second of the movie; 0 takes that of a track.
  ///   - boundaries: When segments shall begin.
  ///   - deliver: Gets each segment.
  package init(
    _ profile: Profile, metadata: [MovieMetadata], timescale: Int32, boundaries: SegmentBoundaries,
    deliver: @escaping (MovieSegment) -> Void
  ) {
    (self.profile, self.metadata, self.timescale) = (profile, metadata, timescale)
    (self.boundaries, self.deliver) = (boundaries, deliver)
  }

  package func addTrack(_ settings: MovieTrackSettings) throws(MovieFileError) -> Int {
    if let format = settings.format { try Self.container.check(format) }
    tracks.append(MovieTrack(settings))
    return tracks.count - 1
  }

  package func associate(_ other: Int, with number: Int, as type: String) {
    tracks[number].references.append((type, other))
  }

  /// The track whose key frames begin segments.
  private var leader: Int { tracks.firstIndex { $0.settings.mediaType == kCMMediaType_Video } ?? 0 }

  /// Says which time of the samples is the beginning; before the first sample.
  ///
  /// Coded samples before it are left out, but for those without which the first one behind it cannot be decoded.
  package func begin(at time: CMTime) { sessionStart = time }

  /// Says that samples from a time on are left out; those of segments that were handed over are.
  package func end(at time: CMTime) { sessionEnd = time }

  package func takes(_ sample: CMSampleBuffer) -> Bool {
    let (begin, duration) = (sample.presentationTimeStamp, sample.duration)
    let end = duration.isNumeric ? begin + duration : begin
    if let sessionStart, begin < sessionStart, end <= sessionStart { return false }
    return sessionEnd.map { begin < $0 } ?? true
  }

  package func append(_ sample: CMSampleBuffer, to number: Int) throws(MovieFileError) {
    guard !hasHeader || tracks[number].lead != nil else { return }
    try tracks[number].takeFormat(of: sample, in: Self.container)
    for pending in try tracks[number].pendingSamples(sample) {
      if let sessionStart, pending.isKey, tracks[number].lastWritten == nil,
        time(pending.presentation, of: number) <= sessionStart
      {
        tracks[number].pending.removeAll()
      }
      try tracks[number].take(pending)
      if number == leader { lookForCut(pending) }
    }
    deliverComplete()
  }

  package func finishTrack(_ number: Int) {
    tracks[number].isFinished = true
    deliverComplete()
  }

  /// Has the next key frame begin a segment.
  package func cutNext() { isWaitingForKey = true }

  /// Hands over what is left.
  package func finish() {
    for index in tracks.indices { tracks[index].isFinished = true }
    deliverComplete()
    if let sessionEnd { leaveOut(from: sessionEnd) }
    writeSegment(before: nil)
  }

  /// Forgets the last samples that are shown from a time on; others may be needed by those behind them.
  private func leaveOut(from end: CMTime) {
    for index in tracks.indices {
      while let last = tracks[index].pending.last, time(last.presentation, of: index) >= end {
        tracks[index].pending.removeLast()
      }
    }
  }

  // MARK: Cutting

  private func lookForCut(_ sample: PendingSample) {
    let time = time(sample.presentation, of: leader)
    guard sample.isKey || tracks[leader].settings.mediaType == kCMMediaType_Audio else { return }
    let isFirst = tracks[leader].pending.count == 1 && tracks[leader].lastWritten == nil
    guard boundaries.pass(time) || isWaitingForKey, !isFirst else { return }
    isWaitingForKey = false
    cuts.append((sample.decoding, time))
  }

  /// Hands over the segments of which no track brings more.
  private func deliverComplete() {
    if !hasHeader, tracks.contains(where: { !$0.pending.isEmpty }), isHeaderDue { writeHeader() }
    while let cut = cuts.first, hasHeader, sessionEnd.map({ cut.time < $0 }) ?? true, isDue(cut.time) {
      cuts.removeFirst()
      writeSegment(before: cut)
    }
  }

  private var isHeaderDue: Bool {
    if tracks.allSatisfy({ $0.isFinished || !$0.pending.isEmpty || $0.mayBeSilent }) { return true }
    guard let first = tracks[leader].pending.first else { return false }
    return isLeaderPast(time(first.decoding, of: leader) + Self.longestDelay)
  }

  /// Whether no track brings more before a cut, or is waited for.
  private func isDue(_ cut: CMTime) -> Bool {
    isLeaderPast(cut + Self.longestLag)
      || tracks.indices.allSatisfy { index in
        index == leader || tracks[index].isFinished || tracks[index].mayBeSilent
          || tracks[index].pending.last.map { time($0.decoding, of: index) >= cut } ?? false
      }
  }

  private func isLeaderPast(_ moment: CMTime) -> Bool {
    tracks[leader].pending.last.map { time($0.decoding, of: leader) >= moment } ?? false
  }

  private func time(_ ticks: Int64, of index: Int) -> CMTime {
    CMTime(value: ticks, timescale: max(tracks[index].timescale, 1))
  }

  // MARK: Writing

  private func writeHeader() {
    hasHeader = true
    for index in tracks.indices {
      let first = tracks[index].pending.first
      // One whose format is known can still begin.
      guard first != nil || (tracks[index].format != nil && !tracks[index].isFinished) else { continue }
      tracks[index].completeTimescale()
      tracks[index].lead = max(0, -(first?.decoding ?? 0))
    }
    let present = tracks.enumerated().filter { $0.element.lead != nil }.map { ($0.offset + 1, $0.element) }
    let scale = timescale > 0 ? timescale : present.map(\.1.timescale).max() ?? 600
    let header = MovieHeader(
      container: Self.container, timescale: scale, sessionStart: .zero, sessionEnd: nil, metadata: metadata,
      isFragmented: true, created: MovieHeader.seconds(of: WorldTime.current.date))
    let bytes = fileType + header.bytes(present)
    deliver(
      MovieSegment(
        isHeader: true, data: Data(bytes),
        tracks: present.map { number, track in
          MovieSegment.Track(
            number: number, mediaType: track.settings.mediaType, earliest: .invalid, duration: .invalid,
            first: nil)
        }))
  }

  private var fileType: [UInt8] {
    switch profile {
    case .liveStreaming: brands("ftyp", "mp42", 1, ["mp41", "mp42", "isom", "hlsf"])
    case .commonMedia: brands("ftyp", "iso6", 0, ["iso6", "cmfc"])
    }
  }

  private func brands(_ type: String, _ major: String, _ minor: Int, _ brands: [String]) -> [UInt8] {
    var out = BoxWriter()
    out.box(type) { out in
      out.code(major)
      out.u32(minor)
      for brand in brands { out.code(brand) }
    }
    return out.bytes
  }

  /// Writes what comes before a cut; `nil` for all.
  private func writeSegment(before cut: (decoding: Int64, time: CMTime)?) {
    var parts: [MovieFragment.Part] = []
    var counts = [Int](repeating: 0, count: tracks.count)
    for index in tracks.indices where tracks[index].lead != nil {
      if let cut { tracks[index].holdLast(until: cut.time) }
      let track = tracks[index]
      let end = track.pending.firstIndex { sample in
        guard let cut else { return false }
        return index == leader
          ? sample.decoding >= cut.decoding : time(sample.decoding, of: index) >= cut.time
      }
      counts[index] = end ?? track.pending.count
      parts += track.parts(counts[index], number: index + 1, origin: -(track.lead ?? 0))
    }
    guard !parts.isEmpty else { return }
    sequence += 1
    let (head, places) = MovieFragment(sequence: sequence, parts: parts).header()
    let type = brands("styp", "msdh", 0, ["msdh"])
    var data = Data(type + head)
    for sample in parts.flatMap({ $0.samples.map(\.sample) }) {
      // Samples are of memory, which can always be read.
      data.append((try? sample.data.dataBytes()) ?? Data(count: sample.data.dataLength))
    }
    let reports = zip(parts, places).map { part, place in report(part, at: type.count + place) }
    for index in tracks.indices {
      if counts[index] > 0 { tracks[index].noteHandedOver(tracks[index].pending[counts[index] - 1]) }
      tracks[index].pending.removeFirst(counts[index])
    }
    deliver(MovieSegment(isHeader: false, data: data, tracks: reports))
  }

  private func report(_ part: MovieFragment.Part, at place: Int) -> MovieSegment.Track {
    let index = part.number - 1
    let first = part.samples.first?.sample
    return MovieSegment.Track(
      number: part.number, mediaType: tracks[index].settings.mediaType,
      earliest: time(part.samples.map(\.sample.presentation).min() ?? 0, of: index),
      duration: time(part.samples.reduce(0) { $0 + $1.span }, of: index),
      first: first.map { sample in
        MovieSegment.Sample(
          time: time(sample.presentation, of: index), offset: place, length: sample.data.dataLength,
          isKey: sample.isKey)
      })
  }
}
