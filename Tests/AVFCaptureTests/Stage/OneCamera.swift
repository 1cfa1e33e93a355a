import CaptureDevice

/// The devices of a machine with one camera that is never plugged nor forbidden.
final class OneCamera: CaptureDeviceProvider {
  let name: String
  private let camera: any CaptureDeviceDriver

  init(_ camera: any CaptureDeviceDriver, name: String) {
    self.camera = camera
    self.name = name
  }

  func devices() -> [any CaptureDeviceDriver] { [camera] }
  func observeDevices(_ observer: (@Sendable (DeviceListChange) -> Void)?) {}
  func access(for media: MediaKind) -> DeviceAccess { .granted }
  func requestAccess(for media: MediaKind, completion: @escaping @Sendable (DeviceAccess) -> Void) {
    completion(.granted)
  }
}
