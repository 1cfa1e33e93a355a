package import CaptureDevice
import FoundationExtras
package import SimulatedDevices

/// The devices of a machine with one camera that is never plugged nor forbidden.
package final class OneCamera: CaptureDeviceProvider {
  package let name: String
  private let camera: any CaptureDeviceDriver

  package init(_ camera: any CaptureDeviceDriver, name: String) {
    self.camera = camera
    self.name = name
  }

  /// Makes `camera`, whose frames carry tokens of `clock`, the program's only device: `clock.settle()` then waits for whatever follows from a
  /// frame or a client's call, as with simulated cameras.
  package static func install(_ camera: any CaptureDeviceDriver, name: String, clock: SimulatedClock) {
    CaptureDeviceProviders.install([OneCamera(camera, name: name)])
    InFlight.setSource { [weak clock] in clock?.token(isOfClient: true) }
  }

  /// Returns to the devices that the environment chooses.
  package static func uninstall() {
    CaptureDeviceProviders.install(nil)
    InFlight.setSource(nil)
  }

  package func devices() -> [any CaptureDeviceDriver] { [camera] }
  package func observeDevices(_ observer: (@Sendable (DeviceListChange) -> Void)?) {}
  package func access(for media: MediaKind) -> DeviceAccess { .granted }
  package func requestAccess(for media: MediaKind, completion: @escaping @Sendable (DeviceAccess) -> Void) {
    completion(.granted)
  }
}
