package import CaptureDevice

/// The devices of a machine with one camera that is never plugged nor forbidden.
package final class OneCamera: CaptureDeviceProvider {
  package let name: String
  private let camera: any CaptureDeviceDriver

  package init(_ camera: any CaptureDeviceDriver, name: String) {
    self.camera = camera
    self.name = name
  }

  package func devices() -> [any CaptureDeviceDriver] { [camera] }
  package func observeDevices(_ observer: (@Sendable (DeviceListChange) -> Void)?) {}
  package func access(for media: MediaKind) -> DeviceAccess { .granted }
  package func requestAccess(for media: MediaKind, completion: @escaping @Sendable (DeviceAccess) -> Void) {
    completion(.granted)
  }
}
