internal import FoundationExtras
internal import Linux

/// The clock of the machine whose devices the program uses: the host's, or that of a simulated machine.
///
/// What plays and records without a device of its own paces itself by it; what waits goes by its time (`WorldTime`). Thread-safe.
package enum MachineClock {
  private static let installed = Locked<CMClock?>(nil)

  /// The clock in force.
  package static var current: CMClock { installed.withLock { $0 } ?? .hostTimeClock }

  /// Puts another clock into force, and its time; `nil` for the host's.
  package static func install(_ clock: CMClock?) {
    let old = installed.withLock { installed in
      defer { installed = clock }
      return installed
    }
    withExtendedLifetime(old) {}
    WorldTime.install(clock?.worldTime)
  }
}
