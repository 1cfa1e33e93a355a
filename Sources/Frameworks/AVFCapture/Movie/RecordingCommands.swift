/// A client's orders to record, by the moments of the calls on the devices' clock; a plain value.
///
/// A moment is noted before it is known to any thread that brings samples, or while these wait: so a sample that comes later than
/// an order and was captured before it is recorded as the order says.
struct RecordingCommands: Sendable {
  private(set) var spans: [RecordingTimeline.Span] = []
  private(set) var isStopped = false

  private var isPaused: Bool { spans.last?.end != nil }

  /// Begins a span: the press, or the end of a pause.
  mutating func start(at moment: Int64) {
    guard !isStopped, spans.isEmpty || isPaused else { return }
    spans.append(.init(start: max(moment, spans.last?.end ?? moment), end: nil))
  }

  /// Ends the span.
  mutating func pause(at moment: Int64) {
    guard !isPaused, let last = spans.last else { return }
    spans[spans.count - 1].end = max(moment, last.start)
  }

  /// Ends the recording.
  mutating func stop(at moment: Int64) {
    pause(at: moment)
    isStopped = true
  }
}
