internal import CSystemBus
internal import Foundation

/// The motor with which a phone vibrates; feedbackd, a service of the user's session, moves it.
///
/// feedbackd follows the user's profile: in the silent one nothing vibrates. A machine without the service, a session's bus or systemd's
/// library does not vibrate, as an iPad does not. Source: the interfaces `org.sigxcpu.Feedback.Haptic` and, for services older
/// than that, `org.sigxcpu.Feedback`.
package struct Vibration: Sendable {
  /// How long it vibrates, as a phone does.
  package static let milliseconds: UInt32 = 400

  private let address: String?

  /// The motor that the service on the bus at `address` moves; the session's bus when `nil`.
  package init(address: String? = nil) {
    self.address = address
  }

  /// A connection to the service, which older ones end the vibration without.
  package final class Running: @unchecked Sendable {  // Safe because only the end uses it.
    private let bus: OpaquePointer

    fileprivate init(_ bus: OpaquePointer) {
      self.bus = bus
    }

    deinit {
      cam_bus_close(bus)
    }
  }

  /// Begins to vibrate; blocks until the service has answered, half a minute at most.
  ///
  /// - Returns: What is to be kept for ``milliseconds``; `nil` where nothing vibrates.
  package func start() -> Running? {
    guard cam_bus_obstacle() == nil else { return nil }
    var bus: OpaquePointer?
    guard (address.map { cam_bus_open($0, &bus) } ?? cam_bus_open_user(&bus)) >= 0, let bus else {
      return nil
    }
    let running = Running(bus)
    let asked = cam_bus_vibrate(bus, ProcessInfo.processInfo.processName, Self.milliseconds)
    return asked >= 0 ? running : nil
  }
}
