internal import Glibc
internal import Linux

/// The changes of the files in a folder, after each of which a test looks whether what another thread or process writes is there.
///
/// Folders below it are not watched. C: `inotify`.
package final class FileChanges {
  private let descriptor: Int32

  /// Watches from now on.
  ///
  /// - Throws: ``SystemError`` when the folder is not there.
  package init(in folder: String) throws {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    let events = IN_CREATE | IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE
    guard inotify_add_watch(descriptor, folder, UInt32(events)) >= 0 else {
      let error = SystemError.last("watch \(folder)")
      close(descriptor)
      throw error
    }
  }

  deinit { close(descriptor) }

  /// Blocks until `isTrue`, asking at first and after each change; false when half a minute brings none that makes it so.
  package func wait(until isTrue: () throws -> Bool) rethrows -> Bool {
    while true {
      if try isTrue() { return true }
      var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&watched, 1, 30_000) > 0 else { return try isTrue() }
      var bytes = [UInt8](repeating: 0, count: 4096)
      while read(descriptor, &bytes, bytes.count) > 0 {}
    }
  }
}
