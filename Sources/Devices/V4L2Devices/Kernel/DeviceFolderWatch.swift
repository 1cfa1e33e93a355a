internal import Glibc
internal import Linux

/// Watches a folder for device nodes that come, go, or change their rights.
///
/// C: `inotify`.
///
/// One thread, asleep until something happens. Letting the object go ends it without waiting for it.
final class DeviceFolderWatch: Sendable {
  /// How long a burst of changes is gathered: one plug makes several nodes, and their rights come a moment later.
  private static let settlingNanoseconds: Int64 = 100_000_000

  private let ended: WakeUp

  /// Watches until let go; `changed` is called on the watch's own thread, once for each burst of changes of names
  /// that begin with `prefix`.
  init(
    folder: String, prefix: String, _ changed: @escaping @Sendable () -> Void
  ) throws(KernelRefusal) {
    let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { throw KernelRefusal(.watchNodes, errno) }
    let events = UInt32(IN_CREATE | IN_DELETE | IN_ATTRIB | IN_MOVED_FROM | IN_MOVED_TO)
    guard inotify_add_watch(descriptor, folder, events) >= 0 else {
      let reason = errno
      close(descriptor)
      throw KernelRefusal(.watchNodes, reason)
    }
    do throws(SystemError) {
      let ended = try WakeUp()
      self.ended = ended
      _ = try ReaderThread(name: "obscura-devices") {
        defer { close(descriptor) }
        Self.watch(descriptor, prefix, ended, changed)
      }
    } catch {
      close(descriptor)
      throw KernelRefusal(.watchNodes, error.errno)
    }
  }

  deinit {
    ended.signal()
  }

  private static func watch(
    _ descriptor: Int32, _ prefix: String, _ ended: WakeUp, _ changed: @Sendable () -> Void
  ) {
    var deadline: MonotonicInstant?
    while true {
      var watched = [
        pollfd(fd: ended.descriptor.number, events: Int16(POLLIN), revents: 0),
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      ]
      var milliseconds: Int32 = -1
      if let deadline {
        milliseconds = Int32(
          clamping: max(0, deadline.nanoseconds - MonotonicInstant.now.nanoseconds) / 1_000_000 + 1)
      }
      if poll(&watched, 2, milliseconds) < 0, errno != EINTR { return }
      if watched[0].revents != 0 { return }
      if watched[1].revents != 0, changes(in: descriptor, prefix), deadline == nil {
        deadline = .now.advanced(byNanoseconds: settlingNanoseconds)
      }
      if let end = deadline, MonotonicInstant.now >= end {
        deadline = nil
        changed()
      }
    }
  }

  /// Reads what has gathered; whether a name among it begins with `prefix`.
  private static func changes(in descriptor: Int32, _ prefix: String) -> Bool {
    var matches = false
    let header = MemoryLayout<inotify_event>.size
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: MemoryLayout<inotify_event>.alignment) {
      bytes in
      while true {
        let count = read(descriptor, bytes.baseAddress, bytes.count)
        if count < header { return }
        var offset = 0
        while offset + header <= count {
          let event = bytes.load(fromByteOffset: offset, as: inotify_event.self)
          let name = bytes[(offset + header)..<(offset + header + Int(event.len))].prefix { $0 != 0 }
          // Events were lost: anything may have changed.
          if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { matches = true }
          if String(decoding: name, as: UTF8.self).hasPrefix(prefix) { matches = true }
          offset += header + Int(event.len)
        }
      }
    }
    return matches
  }
}
