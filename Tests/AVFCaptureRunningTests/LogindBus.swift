import BusStage
import CFakeLogind
import Linux
import Testing

/// A bus with a logind of the test's own.
final class LogindBus: Sendable {
  private let bus: Locked<PrivateSessionBus?>
  private let logind: Locked<OpaquePointer?>
  let address: String

  /// Starts both.
  init() throws {
    let bus = try PrivateSessionBus()
    address = bus.address
    self.bus = Locked(bus)
    logind = Locked(fake_logind_start(address))
    try #require(logind.withLock { $0 } != nil, "dbus-daemon did not come up.")
  }

  deinit { end() }

  func announce(isBefore: Bool) { logind.withLock { fake_logind_tell($0, isBefore ? 1 : 0) } }
  var delays: Int { logind.withLock { Int(fake_logind_delays($0)) } }

  /// Blocks until so many programs delay sleep, after so many requests in all; false when not within half a minute.
  func comes(delays: Int32, requests: Int32) -> Bool {
    let logind = logind.withLock { $0 }
    return fake_logind_await(logind, delays, requests) != 0
  }

  /// A socket before the bus, which spoils its messages.
  func proxy() throws -> BusProxy {
    try BusProxy(#require(bus.withLock { $0 }))
  }

  /// Ends both; the bus is gone.
  func end() {
    logind.withLock { logind in
      if let logind { fake_logind_stop(logind) }
      logind = nil
    }
    let last = bus.withLock { bus in
      defer { bus = nil }
      return bus
    }
    withExtendedLifetime(last) {}
  }
}
