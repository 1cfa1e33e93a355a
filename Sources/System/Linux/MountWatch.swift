internal import Glibc

/// Watches the kernel's list of mounts for changes.
///
/// One thread, asleep until something is mounted or unmounted. Letting the object go ends it without waiting for it.
package final class MountWatch: Sendable {
  private let ended: WakeUp

  /// Watches until let go; `changed` is called on the watch's own thread, after each change.
  ///
  /// - Throws: ``SystemError`` when the list cannot be read, or the process may not have another descriptor or thread.
  package init(_ changed: @escaping @Sendable () -> Void) throws(SystemError) {
    let list = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
    guard list >= 0 else { throw .last("watch for disks") }
    let mounts = Descriptor(adopting: list)
    let ended = try WakeUp()
    self.ended = ended
    _ = try ReaderThread(name: "obscura-disks") {
      // The list can always be read; a change is an exceptional condition of it.
      var waits = [
        pollfd(fd: mounts.number, events: Int16(POLLPRI), revents: 0),
        pollfd(fd: ended.descriptor.number, events: Int16(POLLIN), revents: 0),
      ]
      while true {
        let count = poll(&waits, 2, -1)
        guard count >= 0 || errno == EINTR, waits[1].revents == 0 else { return }
        if count > 0 { changed() }
      }
    }
  }

  deinit { ended.signal() }
}
