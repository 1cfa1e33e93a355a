import CBusProxy
import Foundation
import Linux

/// A socket before a bus, on which one of its messages is another than the bus sent.
package final class BusProxy: Sendable {
  /// What becomes of the message.
  package enum Fault: CaseIterable, Sendable {
    /// The connection ends before it.
    case hangUp
    /// The connection ends in its middle.
    case cut
    /// Its header is nonsense.
    case garbage
    /// An error comes in place of an answer; signals come as they are.
    case error

    fileprivate var value: bus_proxy_fault {
      switch self {
      case .hangUp: BUS_PROXY_HANG_UP
      case .cut: BUS_PROXY_CUT
      case .garbage: BUS_PROXY_GARBAGE
      case .error: BUS_PROXY_ERROR
      }
    }
  }

  /// Where it answers as the bus does.
  package let address: String
  private let proxy: Locked<OpaquePointer?>
  private let bus: PrivateSessionBus

  /// Stands before `bus` from then on.
  package init(_ bus: PrivateSessionBus) throws {
    self.bus = bus
    let path = bus.files.appendingPathComponent("proxy-\(UUID().uuidString.prefix(8))").path
    address = "unix:path=\(path)"
    let proxy = bus_proxy_start(path, bus.files.appendingPathComponent("socket").path)
    guard let proxy else { throw CocoaError(.fileWriteUnknown) }
    self.proxy = Locked(proxy)
  }

  /// Counts messages from 1 on again, over all connections, and lets the one of that number meet `fault`; none when there is no number.
  package func trap(_ number: Int? = nil, _ fault: Fault = .hangUp) {
    proxy.withLock { proxy in
      if let proxy { bus_proxy_trap(proxy, Int32(number ?? 0), fault.value) }
    }
  }

  /// How many messages the bus has sent since then.
  package var count: Int { proxy.withLock { $0.map { Int(bus_proxy_count($0)) } ?? 0 } }

  deinit {
    let proxy = proxy.withLock { $0 }
    if let proxy { bus_proxy_stop(proxy) }
  }
}
