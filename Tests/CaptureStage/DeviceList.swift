import AVFoundation
import Foundation
import Waiting

/// The program's devices, as real ones come and go.
package enum DeviceList {
  /// Blocks until `isTrue`, asking again whenever a device was plugged in or pulled out; false when that is not within half a minute.
  package static func comes(_ isTrue: () -> Bool) -> Bool {
    let changes = Changes()
    let tokens = [AVCaptureDevice.wasConnectedNotification, AVCaptureDevice.wasDisconnectedNotification].map {
      NotificationCenter.default.addObserver(forName: $0, object: nil, queue: nil) { _ in changes.note() }
    }
    defer { for token in tokens { NotificationCenter.default.removeObserver(token) } }
    return changes.wait(until: isTrue)
  }
}
