internal import Foundation

/// The timed metadata of one input on its way into a recording; on the recording's queue.
///
/// It waits until the leading media has come so far, because a stop or a pause may still be before it.
struct RecordedMetadata {
  /// What holds from a moment on, until the next event.
  private struct Event {
    let time: Int64
    let data: Data
    /// Whether it only ends what holds.
    let isEnd: Bool
  }

  private var held: [Event] = []
  private var newestStart: Int64?
  private var lastWritten: Int64?
  /// A track's times have to go on; no two are closer than its unit.
  private static let unit: Int64 = 1_000

  /// Takes what holds from `start` on; nothing happens when that is not after the one before it.
  ///
  /// - Parameters:
  ///   - end: When it ends; `nil` when the next one ends it.
  ///   - nothing: The bytes that say so.
  mutating func hold(_ data: Data, from start: Int64, to end: Int64?, then nothing: Data) {
    if let newestStart, start <= newestStart { return }
    newestStart = start
    held.removeAll { $0.isEnd && $0.time >= start }
    held.append(Event(time: start, data: data, isEnd: false))
    if let end, end > start { held.append(Event(time: end, data: nothing, isEnd: true)) }
  }

  /// Hands out what is decided, with its times in the movie.
  ///
  /// - Parameter moment: How far the leading media has come; `nil` when no more comes.
  mutating func release(until moment: Int64?, on timeline: RecordingTimeline) -> [(time: Int64, data: Data)] {
    var released: [(time: Int64, data: Data)] = []
    while let first = held.first, first.time <= moment ?? .max,
      var time = timeline.movieTime(holdingFrom: first.time)
    {
      held.removeFirst()
      // Of all that began before a part does, the last holds.
      if let last = released.last, last.time == time { released.removeLast() }
      if released.isEmpty, let lastWritten { time = max(time, lastWritten + Self.unit) }
      released.append((time, first.data))
    }
    lastWritten = released.last?.time ?? lastWritten
    return released
  }
}
