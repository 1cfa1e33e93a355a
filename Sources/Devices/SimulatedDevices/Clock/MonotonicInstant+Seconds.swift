internal import Linux

extension MonotonicInstant {
  /// The moment `seconds` later, to the nearest nanosecond.
  func advanced(by seconds: Double) -> MonotonicInstant {
    advanced(byNanoseconds: Int64((seconds * 1e9).rounded()))
  }
}
