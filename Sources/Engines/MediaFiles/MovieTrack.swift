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
  var isFinished = false
  /// Tracks that belong to it, by their place: what they are to it, such as `tmcd`.
  var references: [(type: String, track: Int)] = []
  /// How far media time zero lies before the session's start, once the header is written; `nil` for tracks that are not in it.
  var lead: Int64?

  init(_ settings: MovieTrackSettings) {
    self.settings = settings
    format = settings.format
    timescale = settings.timescale
  }

  /// A time in the track's units.
  func ticks(_ time: CMTime) -> Int64 {
    time.convertScale(max(timescale, 1), method: .roundHalfAwayFromZero).value
  }

  /// Samples that may be written: those of which it is known how long they last.
  func closedCount(all: Bool) -> Int {
    all || isFinished ? pending.count : max(0, pending.count - 1)
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
