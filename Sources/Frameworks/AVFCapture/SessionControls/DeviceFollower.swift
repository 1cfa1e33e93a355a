internal import Foundation
internal import FoundationExtras
internal import Linux

/// Reports a control's face as changed whenever its device's property changes.
final class DeviceFollower: Sendable {
  private let observation = Locked<NSKeyValueObservation?>(nil)

  func follow<Value>(
    _ device: AVCaptureDevice, _ keyPath: KeyPath<AVCaptureDevice, Value>, for control: AVCaptureControl
  ) {
    let observation = device.observe(keyPath) { [weak control] _, _ in control?.changingFace {} }
    self.observation.withLock { $0 = observation }
  }
}

extension AVCaptureDevice {
  /// Runs `change` with the configuration lock; whether it could be had.
  func configureForControl(_ change: (AVCaptureDevice) -> Void) -> Bool {
    do {
      try lockForConfiguration()
    } catch {
      Log.note("\(localizedName) could not be adjusted by a control: \(error.localizedDescription)")
      return false
    }
    defer { unlockForConfiguration() }
    change(self)
    return true
  }
}
