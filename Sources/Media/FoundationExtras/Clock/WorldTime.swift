package import Foundation
package import Linux

/// The time of the world in which the program's devices live: the machine's, or that of a simulated world.
///
/// What waits, tries again, grows old or is dated outside the clocks' own folders asks for its time here, and never the machine. A
/// simulated world on a clock that is moved by hand puts its own time into force when its devices are installed (``install(_:)``): then five
/// seconds of silence are five of that clock, whatever the machine does meanwhile. A value. Where no world is simulated, asking costs a lock beside
/// the reading of the machine's clock, some 20 ns.
package struct WorldTime: Sendable {
  /// A clock that is moved by hand.
  package final class Source: Sendable {
    fileprivate let now: @Sendable () -> MonotonicInstant
    fileprivate let plan: Planner

    /// Has a closure called, on the thread that moves the clock, when it reaches a moment; what is returned keeps it planned.
    package typealias Planner =
      @Sendable (MonotonicInstant, @escaping @Sendable () -> Void) -> any AnyObject & Sendable

    /// The time of a clock that shows `now`, and that calls what is planned.
    package init(now: @escaping @Sendable () -> MonotonicInstant, plan: @escaping Planner) {
      self.now = now
      self.plan = plan
    }
  }

  /// The machine's own time.
  package static let machine = WorldTime()

  private static let installed = Locked<Source?>(nil)

  let source: Source?
  /// Whether it was asked for as the time in force, which another one may be by now.
  let wasInForce: Bool

  /// The time of a clock; the machine's without one.
  package init(_ source: Source? = nil) { self.init(source, wasInForce: false) }

  private init(_ source: Source?, wasInForce: Bool) {
    self.source = source
    self.wasInForce = wasInForce
  }

  /// The time in force.
  package static var current: WorldTime { WorldTime(installed.withLock { $0 }, wasInForce: true) }

  /// Puts the time of another world into force; `nil` for the machine's.
  ///
  /// What waits in the world before goes on in the new one, with what was left to wait.
  package static func install(_ time: WorldTime?) {
    let source = time?.source
    let old = installed.withLock { installed in
      defer { installed = source }
      return installed
    }
    guard let old, old !== source else { return }
    WorldTimer.leave(old)
  }

  /// Whether it passes only as a clock is moved by hand.
  package var isSimulated: Bool { source != nil }

  /// The present moment.
  package var now: MonotonicInstant { source.map { $0.now() } ?? .now }

  /// The present day and time of day.
  ///
  /// A clock that is moved by hand has no wall: its days begin with 2001, Greenwich time, so that the same run gives the same bytes on every
  /// day.
  package var date: Date { date(of: now) }

  /// The day and time of day of a moment, by the wall clock of now.
  package func date(of moment: MonotonicInstant) -> Date {
    isSimulated
      ? Date(timeIntervalSinceReferenceDate: Double(moment.nanoseconds) / 1e9)
      : Date(timeIntervalSinceNow: Double(moment.nanoseconds - now.nanoseconds) / 1e9)
  }

  /// Plans a call on a simulated clock, on the thread that moves it; `nil` on the machine's, where nothing is planned.
  func plan(afterNanoseconds nanoseconds: Int64, _ action: @escaping @Sendable () -> Void)
    -> (any AnyObject & Sendable)?
  {
    source.map { $0.plan($0.now().advanced(byNanoseconds: max(nanoseconds, 0)), action) }
  }
}
