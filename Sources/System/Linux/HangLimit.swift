/// The end of a wait for what may hang: another thread, a driver, another program.
///
/// Such a wait ends with what is waited for; by time it ends only where something is broken. So the time is the machine's also in a
/// simulated world, which stands still while its tests wait.
package struct HangLimit: Sendable {
  /// When the wait ends.
  package let deadline: MonotonicInstant

  /// A limit so many nanoseconds from now.
  package init(nanoseconds: Int64) {
    deadline = .now.advanced(byNanoseconds: nanoseconds)
  }

  /// Whether the wait is over.
  package var isOver: Bool { .now >= deadline }
}
