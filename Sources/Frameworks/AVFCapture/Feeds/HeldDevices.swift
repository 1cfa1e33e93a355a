internal import CaptureDevice
internal import Dispatch
internal import Linux

/// The devices that the sessions of this process hold: distinguishes "another session" from "another program".
final class HeldDevices: Sendable {
  static let shared = HeldDevices()

  private let held = Monitor<[String: ObjectIdentifier]>([:])

  /// Opens a device and notes who holds it.
  ///
  /// A device that another session of this process is giving back at this moment is waited for: programs stop one
  /// session and start the next on two queues.
  ///
  /// - Parameter isCancelled: Asked every few milliseconds while waiting.
  /// - Throws: What the driver says; `deviceBusy` with `isOurs` when a session of this process keeps it.
  func open(
    _ device: AVCaptureDevice, _ configuration: StreamConfiguration, clientQueue: DispatchQueue,
    isCancelled: () -> Bool
  ) throws(Refusal) -> DeviceFeed {
    let limit = HangLimit(nanoseconds: HeldDevices.timeoutNanoseconds)
    while true {
      let holder = held.withLock { $0[device.uniqueID] }
      let wasHeld = holder != nil
      do {
        let feed = try DeviceFeed(device: device, configuration: configuration, clientQueue: clientQueue)
        held.withLock { $0[device.uniqueID] = ObjectIdentifier(feed) }
        return feed
      } catch {
        // A reset media service is back in a moment; programs start again as soon as they hear of the reset.
        let mayPass = (error.code == .deviceBusy && wasHeld) || error.code == .mediaServicesReset
        guard mayPass, !limit.isOver, !isCancelled() else {
          throw Refusal(error: error, isOurs: wasHeld && error.code == .deviceBusy)
        }
        _ = held.wait(
          until: HangLimit(nanoseconds: 10_000_000).deadline,
          for: { wasHeld && $0[device.uniqueID] != holder },
          then: { _ in })
      }
    }
  }

  /// Notes that a feed's device is closed.
  func forget(_ feed: DeviceFeed) {
    held.withLock { held in
      let id = feed.facts.uniqueID
      if held[id] == ObjectIdentifier(feed) { held[id] = nil }
    }
  }

  /// How long a device that another session holds is waited for; stopping takes no longer than a second.
  private static let timeoutNanoseconds: Int64 = 500_000_000

  /// The error of a device that could not be opened.
  struct Refusal: Error {
    let error: CaptureDeviceError
    /// Whether a session of this process holds the device.
    let isOurs: Bool
  }
}
