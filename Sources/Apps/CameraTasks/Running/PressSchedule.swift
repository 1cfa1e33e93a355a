/// The moments of a series of presses: start + slot × interval, for as long as it takes.
///
/// A slot that cannot be kept is left out: what follows it is pressed in its own, never in a burst. Each moment is computed from the start,
/// so that errors do not add up. A value without clocks; times are nanoseconds of a clock that goes on while the machine is asleep.
package struct PressSchedule: Sendable, Hashable {
  /// The slot of a press, and those before it that were missed since the last.
  package struct Place: Sendable, Hashable {
    /// The slot, counted from 0.
    package var slot: Int
    /// The slots that are left out.
    package var missed: Range<Int>
    /// When to press.
    package var moment: Int64
  }

  private let start: Int64
  private let interval: Int64
  /// The first slot that was neither pressed in nor missed.
  private var next = 0
  /// The slot that was chosen, until it is pressed in.
  private var chosen: Int?

  /// A schedule whose first slot is at `start`.
  ///
  /// - Parameter seconds: From one slot to the next; 0 is a series without a schedule, in which each press is in time.
  package init(start: Int64, intervalSeconds seconds: Double) {
    self.start = start
    interval = Int64((max(0, min(seconds, 1e9)) * 1e9).rounded())
  }

  /// The place of the next press, chosen at `now`: the first that is not over.
  package mutating func choose(at now: Int64) -> Place {
    guard interval > 0 else {
      chosen = next
      return Place(slot: next, missed: next..<next, moment: now)
    }
    let gone = max(0, now - start)
    let slot = max(next, Int((gone + interval - 1) / interval))
    chosen = slot
    return Place(slot: slot, missed: next..<slot, moment: start + Int64(slot) * interval)
  }

  /// Whether a press at `now` is still in the slot that was chosen; else another one must be chosen.
  ///
  /// A thread that wakes up late is in its slot until half of the interval has passed.
  package func isInTime(at now: Int64) -> Bool {
    guard interval > 0, let chosen else { return true }
    return now - (start + Int64(chosen) * interval) <= interval / 2
  }

  /// Notes that it was pressed in the slot that was chosen.
  package mutating func press() {
    if let chosen { next = chosen + 1 }
    chosen = nil
  }
}
