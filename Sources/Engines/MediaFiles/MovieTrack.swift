internal import CoreMedia

/// A track of a movie that is written.
struct MovieTrack {
  let settings: MovieTrackSettings
  var format: CMFormatDescription?
  /// 0 until the first sample.
  var timescale: Int32
  /// In the order of decoding; all but the newest have a following one that says how long they last.
  var pending: [PendingSample] = []
  var table = SampleTable()
  /// The newest that was written.
  private(set) var lastWritten: SampleTimes?
  /// Whether it is only guessed how long that one lasts.
  private var isGuessed = false
  var isFinished = false
  /// Tracks that belong to it, by their place: what they are to it, such as `tmcd`.
  var references: [(type: String, track: Int)] = []
  /// The time from media time zero to the session's start, once the header is written; `nil` for tracks that are not in it.
  var lead: Int64?

  init(_ settings: MovieTrackSettings) {
    self.settings = settings
    format = settings.format
    timescale = settings.timescale
  }

  /// Gives a timescale to a track that has none from its settings or its samples.
  mutating func completeTimescale() {
    guard timescale == 0 else { return }
    timescale = format?.audioStreamBasicDescription.flatMap { Int32(exactly: $0.mSampleRate) } ?? 90_000
  }

  /// A time in the track's units.
  func ticks(_ time: CMTime) -> Int64 {
    time.convertScale(max(timescale, 1), method: .roundHalfAwayFromZero).value
  }

  /// Notes that the first pending sample was written.
  mutating func noteWritten(_ sample: PendingSample, span: Int64) {
    table.add(sample, span: span)
    lastWritten = sample.times
    isGuessed = true
  }

  /// Notes that the first pending sample was handed over, of which no table is kept.
  mutating func noteHandedOver(_ sample: PendingSample) { lastWritten = sample.times }

  /// Notes how long the newest sample that was written lasts, now that the one behind it has come.
  mutating func settleSpan(before next: PendingSample) {
    guard pending.isEmpty, let lastWritten, isGuessed else { return }
    isGuessed = false
    table.correctLast(lastWritten, span: max(0, next.decoding - lastWritten.decoding))
  }

  /// Whether nothing may come for long although more will: metadata comes when there is news.
  var mayBeSilent: Bool { settings.mediaType == kCMMediaType_Metadata }

  /// Says of metadata of unknown duration, behind which nothing has come, that it holds until a moment.
  mutating func holdLast(until moment: CMTime) {
    guard mayBeSilent, let last = pending.last, last.duration == 0, last.decoding < ticks(moment) else {
      return
    }
    pending[pending.count - 1].duration = ticks(moment) - last.decoding
  }

  /// Samples that may be written: those of which it is known how long they last, and all of metadata, which may hold for long.
  func closedCount(all: Bool) -> Int {
    let isWhole = all || isFinished || mayBeSilent
    return isWhole ? pending.count : max(0, pending.count - 1)
  }

  /// From the decoding of a pending sample to that of the one behind it.
  func span(of index: Int) -> Int64 {
    let sample = pending[index]
    if index + 1 < pending.count { return max(0, pending[index + 1].decoding - sample.decoding) }
    if sample.duration > 0 { return sample.duration * Int64(sample.count) }
    // The last frame of unknown duration lasts as long as the one before it.
    if index > 0 { return sample.decoding - pending[index - 1].decoding }
    return table.durations.last?.delta ?? Int64(max(timescale / 30, 1))
  }
}
