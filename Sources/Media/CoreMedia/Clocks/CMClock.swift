public import FoundationExtras
package import Linux

/// A source of time that always moves on at the speed of real seconds, or nearly so.
///
/// Thread-safe.
///
/// ``hostTimeClock`` is the machine's own: `CLOCK_MONOTONIC`, on which the kernel stamps camera frames. Other clocks are
/// made by devices. Apple: `CMClock`.
public final class CMClock: Sendable {
  /// What logs call the clock.
  package let name: String
  /// Whether the clock stands still until it is moved by hand, so that nothing can be scheduled on it in advance.
  package let movesByHand: Bool
  /// The time of this clock for what waits by it: the machine's, unless something can be planned on the clock.
  package let worldTime: WorldTime
  let dependents = TimebaseList()
  private let readNow: @Sendable () -> MonotonicInstant
  private let planner: Planner?
  private let validity = Locked(true)

  /// Makes the clock of a device or of a simulation.
  ///
  /// - Parameters:
  ///   - name: What logs call it.
  ///   - movesByHand: Whether it stands still until ``timeHasJumped()`` is called.
  ///   - planner: Plans what ``plan(at:_:)`` is asked for; `nil` for clocks on which nothing can be planned.
  ///   - now: Reads the clock; called from any thread, and must not block.
  package init(
    name: String, movesByHand: Bool = false, planner: Planner? = nil,
    now: @escaping @Sendable () -> MonotonicInstant
  ) {
    self.name = name
    self.movesByHand = movesByHand
    self.planner = planner
    readNow = now
    worldTime = WorldTime(planner.map { WorldTime.Source(now: now, plan: $0) })
  }

  /// Has a closure called when a clock that moves by hand reaches a moment; what is returned keeps it planned.
  package typealias Planner = WorldTime.Source.Planner

  /// The machine's clock, `CLOCK_MONOTONIC` in nanoseconds.
  public static let hostTimeClock = CMClock(name: "host time") { MonotonicInstant.now }

  /// The time now, in nanoseconds; some 30 ns.
  public var time: CMTime { CMTime(readNow()) }

  var isValid: Bool { validity.withLock { $0 } }

  /// Marks the clock as out of use: its anchor can no longer be had.
  ///
  /// The time still can.
  public func invalidate() {
    validity.withLock { $0 = false }
  }

  /// Has `action` called when the clock, moved by hand, reaches `time`, in the order of time with all else that happens on it.
  ///
  /// It is called on the thread that moves the clock, under no lock, and once.
  ///
  /// - Returns: What keeps it planned, until it is let go of; `nil` on clocks that move by themselves, where nothing is called.
  package func plan(
    at time: MonotonicInstant, _ action: @escaping @Sendable () -> Void
  ) -> (any AnyObject & Sendable)? {
    planner?(time, action)
  }

  /// Says that the clock was moved; timers on timebases above it that are due fire.
  package func timeHasJumped() {
    dependents.reschedule()
  }
}

extension CMTime {
  /// A moment of the monotonic clock, in nanoseconds.
  package init(_ instant: MonotonicInstant) {
    self.init(value: instant.nanoseconds, timescale: 1_000_000_000, flags: .valid, epoch: 0)
  }
}

extension CMClock: Hashable {
  /// Whether both are the same object.
  public static func == (left: CMClock, right: CMClock) -> Bool { left === right }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Gives the machine's clock, `CLOCK_MONOTONIC`.
public func CMClockGetHostTimeClock() -> CMClock {
  .hostTimeClock
}

/// Gives the time on a clock now.
public func CMClockGetTime(_ clock: CMClock) -> CMTime {
  clock.time
}

/// Reads a clock and the host clock at one moment.
///
/// - Returns: ``kCMClockError_InvalidParameter`` when the clock was invalidated.
@discardableResult
public func CMClockGetAnchorTime(
  _ clock: CMClock, clockTimeOut: UnsafeMutablePointer<CMTime>,
  referenceClockTimeOut: UnsafeMutablePointer<CMTime>
) -> OSStatus {
  guard clock.isValid else { return kCMClockError_InvalidParameter }
  let anchor = anchor(of: clock)
  clockTimeOut.pointee = anchor.time
  referenceClockTimeOut.pointee = anchor.host
  return noErr
}

/// Whether two clocks may run apart: all that are not the same may.
public func CMClockMightDrift(_ clock: CMClock, otherClock: CMClock) -> Bool {
  clock !== otherClock
}

/// Marks a clock as out of use; see ``CMClock/invalidate()``.
public func CMClockInvalidate(_ clock: CMClock) {
  clock.invalidate()
}

/// Converts host time to the units of the system's own calls: nanoseconds of `CLOCK_MONOTONIC`.
public func CMClockConvertHostTimeToSystemUnits(_ hostTime: CMTime) -> UInt64 {
  let nanoseconds = CMTimeConvertScale(hostTime, timescale: 1_000_000_000, method: .default)
  return nanoseconds.isNumeric ? UInt64(clamping: nanoseconds.value) : 0
}

/// Makes a host time from the units of the system's own calls: nanoseconds of `CLOCK_MONOTONIC`.
public func CMClockMakeHostTimeFromSystemUnits(_ hostTime: UInt64) -> CMTime {
  CMTimeMake(value: Int64(clamping: hostTime), timescale: 1_000_000_000)
}

/// A moment on a clock and on the host clock.
func anchor(of clock: CMClock) -> (time: CMTime, host: CMTime) {
  let host = CMClock.hostTimeClock.time
  return (clock === CMClock.hostTimeClock ? host : clock.time, host)
}

extension CMClock {
  /// Converts host time to nanoseconds of `CLOCK_MONOTONIC`.
  public static func convertHostTimeToSystemUnits(_ hostTime: CMTime) -> UInt64 {
    CMClockConvertHostTimeToSystemUnits(hostTime)
  }

  /// Converts nanoseconds of `CLOCK_MONOTONIC` to host time.
  public static func convertSystemUnitsToHostTime(_ systemUnits: UInt64) -> CMTime {
    CMClockMakeHostTimeFromSystemUnits(systemUnits)
  }

  /// Reads the clock and the host clock at one moment.
  ///
  /// - Throws: `invalidParameter` when the clock was invalidated.
  public func anchorTime() throws -> (anchorTime: CMTime, referenceTime: CMTime) {
    guard isValid else { throw Error.invalidParameter }
    let anchor = anchor(of: self)
    return (anchor.time, anchor.host)
  }

  /// Whether the two clocks may run apart.
  public func mightDrift(relativeTo otherClock: CMClock) -> Bool {
    CMClockMightDrift(self, otherClock: otherClock)
  }
}
