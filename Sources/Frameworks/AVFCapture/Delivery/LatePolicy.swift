/// The policy for samples that come faster than the client takes them.
package enum LatePolicy: Sendable, Equatable {
  /// A sample that comes while the client is busy is late and dropped; of those that wait for the client's queue only the
  /// newest stays.
  case dropWhileBusy
  /// The newest sample waits, also while the client is busy; the one that it replaces is late.
  case keepNewest
  /// Samples wait until the device has no buffers left.
  case keepAll
  /// Samples wait until they are longer than this together; the oldest are late.
  case keepLatest(nanoseconds: Int64)

  /// Whether a newer sample takes the place of one that waits.
  var replacesOlder: Bool { self == .dropWhileBusy || self == .keepNewest }
}
