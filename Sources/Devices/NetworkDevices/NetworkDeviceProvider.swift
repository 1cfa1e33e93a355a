package import CaptureDevice
internal import Linux

/// Cameras of the network, and their microphones.
///
/// Each is asked what it sends on a thread of its own when the provider is made, and is there once it has answered. One whose stream
/// ended by itself is gone, and back when it can be reached again: it is tried after half a second, and then after pauses that grow to
/// half a minute. Thread-safe.
package final class NetworkDeviceProvider: CaptureDeviceProvider {
  /// How long the first list waits for cameras that were asked for by their address.
  static let askedTimeout: Int64 = 8_000_000_000
  /// How long it waits for those of the user's file, which may be switched off.
  static let listedTimeout: Int64 = 2_000_000_000
  /// How long a camera waits for the keyring, which its session may have to start; lists do not wait for it.
  package static let keyringTimeout: Int64 = 10_000_000_000

  package let name = "network"
  private let cameras: [NetworkCamera]
  private let timeout: Int64
  /// Why the list of cameras cannot be read.
  private let failure: CaptureDeviceError?
  private let observer = Locked<(@Sendable (DeviceListChange) -> Void)?>(nil)

  /// One camera, whose first list waits for at most `timeout` nanoseconds.
  ///
  /// - Parameter keyring: Is asked for the password of an address with a name and without one, once the camera has refused it.
  package convenience init(
    _ address: NetworkAddress, name: String? = nil, timeout: Int64,
    keyring: Keyring = Keyring(limit: keyringTimeout)
  ) {
    self.init([(address, name)], timeout: timeout, keyring: keyring)
  }

  /// The cameras of a file; none where that cannot be read, which ``absences`` say: the cameras of other providers go on.
  package convenience init(listedIn path: String, keyring: Keyring = Keyring(limit: keyringTimeout)) {
    do throws(CaptureDeviceError) {
      self.init(try KnownCameras(path: path).cameras, timeout: Self.listedTimeout, keyring: keyring)
    } catch {
      self.init([], timeout: 0, failure: error, keyring: keyring)
    }
  }

  private init(
    _ addresses: [(address: NetworkAddress, name: String?)], timeout: Int64,
    failure: CaptureDeviceError? = nil, keyring: Keyring
  ) {
    self.timeout = timeout
    self.failure = failure
    cameras = addresses.map { NetworkCamera($0.address, name: $0.name, keyring: keyring) }
    for camera in cameras {
      camera.watch { [observer] change in observer.withLock { $0 }?(change) }
    }
  }

  deinit { for camera in cameras { camera.close() } }

  /// Those that answered; the first call waits for those that have not yet been tried to the end.
  package func devices() -> [any CaptureDeviceDriver] {
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: timeout)
    return cameras.flatMap { $0.devices(until: deadline) }
  }

  package func observeDevices(_ observer: (@Sendable (DeviceListChange) -> Void)?) {
    let former = self.observer.withLock { own in
      defer { own = observer }
      return own
    }
    withExtendedLifetime(former) {}
  }

  package var absences: [CaptureDeviceError] {
    (failure.map { [$0] } ?? []) + cameras.compactMap(\.failure)
  }

  package func access(for media: MediaKind) -> DeviceAccess { .granted }

  package func requestAccess(for media: MediaKind, completion: @escaping @Sendable (DeviceAccess) -> Void) {
    completion(.granted)
  }
}
