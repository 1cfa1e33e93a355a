import CaptureDevice
import LibcameraDevices
import Linux

/// A libcamera with scripted cameras.
final class ScriptedLibrary: CameraLibrary {
  private let plugged: Locked<[ScriptedCamera]>
  private let listeners = WeakObjects<Listener>()
  private let delays = Locked<[@Sendable () -> Void]>([])
  /// Why it does not start.
  private let refusal: Int32

  let version = "0.0.3"

  private final class Listener: Sendable {
    let changed: @Sendable () -> Void

    init(_ changed: @escaping @Sendable () -> Void) {
      self.changed = changed
    }
  }

  init(_ cameras: [ScriptedCamera] = [ScriptedCamera()], refusal: Int32 = 0) {
    plugged = Locked(cameras)
    self.refusal = refusal
  }

  func cameras() throws(LibraryRefusal) -> [any LibraryCamera] {
    if refusal != 0 { throw LibraryRefusal(refusal) }
    let cameras = plugged.withLock { $0 }
    let delay = delays.withLock { $0.popLast() }
    delay?()
    return cameras
  }

  /// Calls `body` in the next listing, between what it finds and its answer.
  func delayListing(_ body: @escaping @Sendable () -> Void) { delays.withLock { $0.append(body) } }

  func watch(_ changed: @escaping @Sendable () -> Void) throws(LibraryRefusal) -> any AnyObject & Sendable {
    if refusal != 0 { throw LibraryRefusal(refusal) }
    let listener = Listener(changed)
    listeners.add(listener)
    return listener
  }

  func plug(_ camera: ScriptedCamera) {
    plugged.withLock { $0.append(camera) }
    for listener in listeners.present { listener.changed() }
  }

  func unplug(_ camera: ScriptedCamera) {
    plugged.withLock { $0.removeAll { $0 === camera } }
    for listener in listeners.present { listener.changed() }
  }
}
