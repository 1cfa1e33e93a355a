package import Linux

/// The moments at which something that failed is tried again: each second since it was there last, however long a trial takes.
package struct TrialTimes: Sendable, Hashable {
  /// From one trial to the next.
  package static let interval: Int64 = 1_000_000_000

  private var next: Int64 = 0

  /// Trials that may begin at once.
  package init() {}

  /// Begins to count: the first trial is a second later.
  package mutating func begin(at moment: MonotonicInstant) {
    next = moment.nanoseconds + Self.interval
  }

  /// Whether a trial is due; then the next one is at the first whole second that is still to come.
  package mutating func isDue(at moment: MonotonicInstant) -> Bool {
    let late = moment.nanoseconds - next
    guard late >= 0 else { return false }
    next += (late / Self.interval + 1) * Self.interval
    return true
  }
}
