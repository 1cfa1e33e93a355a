package import Linux

/// Detects by a counter of frames that a camera has fallen silent.
package struct FrameWatch: Sendable {
  private var count = 0
  private var changed: MonotonicInstant

  /// Starts to watch.
  package init(at moment: MonotonicInstant) {
    changed = moment
  }

  /// Notes how many frames have come so far.
  package mutating func note(_ count: Int, at moment: MonotonicInstant) {
    guard count != self.count else { return }
    self.count = count
    changed = moment
  }

  /// Whether no frame has come at all, or none for longer than `limit`, which a camera's frame rate sets.
  package func isSilent(at moment: MonotonicInstant, limitNanoseconds limit: Int64) -> Bool {
    count == 0 || moment.nanoseconds - changed.nanoseconds > limit
  }
}
