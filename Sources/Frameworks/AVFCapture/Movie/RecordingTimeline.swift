/// The timeline of a recording: the moments of the devices' time that are in it, and when; a plain value, in nanoseconds.
///
/// The client wants spans: from the press, or the end of a pause, to the next pause or the stop. Each span is a part of the
/// recording that begins with its first sample of the leading media (pictures where there are any) and ends with the span; the next
/// part begins in the movie where it ended, however long the pause was. A sample belongs to the span in which it was captured,
/// whenever it comes.
struct RecordingTimeline: Sendable, Hashable {
  /// A span of time that the client wants recorded.
  struct Span: Sendable, Hashable {
    let start: Int64
    /// `nil` while nothing has ended it.
    var end: Int64?
  }

  struct Part: Sendable, Hashable {
    /// The number of its span.
    let span: Int
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

  /// The place of a sample of the leading media in the recording.
  enum Place: Sendable, Hashable {
    /// In no span.
    case outside
    /// In a span that has no part yet: the sample may begin it.
    case beginning
    /// In the newest part.
    case inside
  }

  private(set) var spans: [Span] = []
  /// The spans without the end that the recording has set itself.
  private var wanted: [Span] = []
  private var limit: Int64?
  private(set) var parts: [Part] = []
  /// How many spans have a part, or were passed without a sample.
  private var decided = 0
  /// A third of a second is no whole number of nanoseconds.
  static let tolerance: Int64 = 1_000

  /// The movie's beginning in the devices' time; `nil` before there is one.
  var start: Int64? { parts.first?.start }

  /// When the last span ends; `nil` while nothing has ended it, or there is none.
  var end: Int64? { limit ?? spans.last?.end }

  /// Whether there is nothing to wait for in the spans without a part: each is empty.
  var isEmpty: Bool {
    parts.isEmpty && spans.allSatisfy { span in span.end.map { $0 - span.start <= Self.tolerance } ?? false }
  }

  // MARK: What the client wants

  /// Ends the recording at a moment, whatever the client wants of the time after it.
  mutating func close(at moment: Int64) {
    limit = min(limit ?? moment, moment)
    cut()
  }

  /// Takes over what the client wants now.
  mutating func adopt(_ wanted: [Span]) {
    guard wanted != self.wanted else { return }
    self.wanted = wanted
    spans = wanted
    cut()
  }

  private mutating func cut() {
    if let limit {
      for (index, span) in spans.enumerated() where (span.end ?? .max) > limit {
        spans[index].end = max(limit, span.start)
      }
    }
    guard let part = parts.last, let end = spans[part.span].end else { return }
    parts[parts.count - 1].end = max(end, part.start)
  }

  // MARK: Samples

  /// The place of a sample of the leading media; they come in order.
  mutating func place(of moment: Int64) -> Place {
    if isInside(moment) { return .inside }
    while decided < spans.count, let end = spans[decided].end, moment >= end - Self.tolerance { decided += 1 }
    guard decided < spans.count, moment >= spans[decided].start - Self.tolerance else { return .outside }
    return .beginning
  }

  /// Whether a moment lies in the newest part; decides nothing, so that moments may come in any order.
  func isInside(_ moment: Int64) -> Bool {
    guard let part = parts.last, moment >= part.start - Self.tolerance else { return false }
    return part.end.map { moment < $0 - Self.tolerance } ?? true
  }

  /// Begins the part of the span that a sample lies in; ``place(of:)`` has said so.
  ///
  /// - Parameter end: When the part before it ended; `nil` for the first.
  mutating func begin(at moment: Int64, after end: Int64?) {
    guard decided < spans.count else { return }
    let removed = end.map { (parts.last?.removed ?? 0) + moment - $0 } ?? 0
    parts.append(Part(span: decided, start: moment, end: spans[decided].end, removed: removed))
    decided += 1
  }

  /// Whether it is known what of the time between two moments is recorded.
  func isDecided(from start: Int64, to end: Int64) -> Bool {
    spans[decided...].allSatisfy { span in span.start >= end || (span.end ?? .max) <= start }
  }

  /// When a moment of the newest part is in the movie, still in the devices' time.
  func movieTime(of moment: Int64) -> Int64 { moment - (parts.last?.removed ?? 0) }

  /// When in the movie begins what holds from a moment on, still in the devices' time: at that moment, or with the part after it; `nil`
  /// while there is none.
  func movieTime(holdingFrom moment: Int64) -> Int64? {
    parts.first { moment < $0.start || $0.end.map { moment < $0 } ?? true }.map {
      max(moment, $0.start) - $0.removed
    }
  }

  /// The pieces of a chunk that are recorded.
  func pieces(from start: Int64, to end: Int64) -> [Piece] {
    parts.compactMap { part in
      let from = max(start, part.start)
      let to = min(end, part.end ?? end)
      return from < to ? Piece(start: from, end: to, removed: part.removed) : nil
    }
  }
}
