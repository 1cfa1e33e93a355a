package import Linux

/// How long a search for cameras waits, in nanoseconds, and by which clock.
package struct SearchTimes: Sendable {
  /// For answers to the question who is there.
  package var answers: Int64 = 3_000_000_000
  /// For the answer to one request, its connection included.
  package var request: Int64 = 8_000_000_000
  /// For all requests to one camera.
  package var camera: Int64 = 24_000_000_000
  /// The moment by the clock that counts.
  package var now: @Sendable () -> MonotonicInstant = { .now }

  package init() {}

  /// The moment so many nanoseconds from now.
  func deadline(_ nanoseconds: Int64) -> MonotonicInstant {
    now().advanced(byNanoseconds: nanoseconds)
  }
}
