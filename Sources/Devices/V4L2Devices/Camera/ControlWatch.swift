internal import Glibc
internal import Linux
internal import StreamParts

/// Watches a streaming camera's controls: what other programs set, what the camera moves by itself, the privacy switch.
///
/// One thread per stream, with a descriptor of its own, so that no frame waits for a USB camera's answers. Drivers report what
/// was set; what auto exposure and auto focus do is read each half second.
final class ControlWatch: Sendable {
  private static let readNanoseconds: Int64 = 500_000_000
  /// Long enough to be no polling, for cameras of which nothing moves.
  private static let idleNanoseconds: Int64 = 3_600_000_000_000

  private let wake: WakeUp

  /// Begins to watch; `nil` for a camera without controls, and where the system has no thread or descriptor left: the
  /// stream then reports what was known when it began.
  ///
  /// - Parameter report: Called on the watch's thread, after each reading, with whether the privacy switch is closed.
  init?(_ camera: V4L2Camera, report: @escaping @Sendable (Bool) -> Void) {
    guard camera.table.controls.values.contains(where: \.isReadable), let wake = try? WakeUp(),
      let handle = try? camera.kernel.open(camera.path)
    else { return nil }
    self.wake = wake
    do throws(SystemError) {
      _ = try ReaderThread(name: "obscura-control") {
        defer { camera.kernel.close(handle) }
        Self.watch(camera, handle, wake, report)
      }
    } catch {
      camera.kernel.close(handle)
      return nil
    }
  }

  /// Ends it without waiting.
  func end() {
    wake.signal()
  }

  private static func watch(
    _ camera: V4L2Camera, _ handle: VideoHandle, _ wake: WakeUp, _ report: @Sendable (Bool) -> Void
  ) {
    var reportsAll = true
    for (control, description) in camera.table.controls where description.isReadable {
      if (try? camera.kernel.subscribe(handle, to: control)) == nil { reportsAll = false }
    }
    while true {
      // First of all for what changed before it was subscribed to.
      camera.refresh(handle)
      report(camera.table.isPrivate(camera.kernel, handle))
      let interval = reportsAll && !camera.table.movesByItself ? idleNanoseconds : readNanoseconds
      guard let ready = try? camera.kernel.waitForChange(handle, wake, nanoseconds: interval),
        ready.isDisjoint(with: [.woken, .failed])
      else { return }
    }
  }
}

extension ControlTable {
  /// Whether the camera may change something readable by itself.
  var movesByItself: Bool {
    let moved = [VideoControl.exposureAbsolute, .isoSensitivity, .focusAbsolute, .autoFocusStatus]
    return moved.contains { has($0) } && (automaticExposure != nil || has(.focusAuto) || has(.autoFocusStart))
  }
}

extension V4L2Camera {
  /// Reads the controls for the frames to come.
  func refresh(_ handle: VideoHandle) {
    writing.withLock { history.note(readState(handle)) }
  }
}
