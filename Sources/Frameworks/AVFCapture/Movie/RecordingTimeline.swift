/// Which moments of the devices' time are in a recording, and when there; a plain value, in nanoseconds.
///
/// Each part begins with a sample of the leading media (pictures where there are any), and the next one begins where it ended,
/// however long the pause was.
struct RecordingTimeline: Sendable, Hashable {
  struct Part: Sendable, Hashable {
    let start: Int64
    /// `nil` while it is recorded.
    var end: Int64?
    /// By how much its moments are later than they are in the movie.
    let removed: Int64
  }

  /// A piece of audio that is in the recording.
  struct Piece: Sendable, Hashable {
    let start: Int64
    let end: Int64
    let removed: Int64
  }

  private(set) var parts: [Part] = []

  /// Whether a part is recorded at present.
  var isOpen: Bool { parts.last.map { $0.end == nil } ?? false }

  /// The movie's beginning in the devices' time; `nil` before there is one.
  var start: Int64? { parts.first?.start }

  /// Begins a part with a sample of the leading media.
  mutating func begin(at moment: Int64) {
    guard !isOpen else { return }
    var removed: Int64 = 0
    if let last = parts.last, let end = last.end { removed = last.removed + moment - end }
    parts.append(Part(start: moment, removed: removed))
  }

  /// Ends the part that is recorded.
  mutating func end(at moment: Int64) {
    guard isOpen else { return }
    parts[parts.count - 1].end = max(moment, parts[parts.count - 1].start)
  }

  /// When a moment of the newest part is in the movie, still in the devices' time.
  func movieTime(of moment: Int64) -> Int64 { moment - (parts.last?.removed ?? 0) }

  /// What of a chunk is recorded.
  func pieces(from start: Int64, to end: Int64) -> [Piece] {
    parts.compactMap { part in
      let from = max(start, part.start)
      let to = min(end, part.end ?? end)
      return from < to ? Piece(start: from, end: to, removed: part.removed) : nil
    }
  }
}
