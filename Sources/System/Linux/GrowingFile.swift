internal import Glibc

/// Files that a program writes over a longer time, under the name that others see.
package enum GrowingFile {
  /// Says that this process writes the file for as long as `descriptor` is open.
  ///
  /// Nothing happens where the file system has no locks. Blocks for 20 ms at most. C: `flock`.
  package static func mark(_ descriptor: Descriptor) {
    // A program that asks whether the file is written holds a lock for a moment, too.
    for _ in 0..<20 {
      if flock(descriptor.number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK { return }
      usleep(1000)
    }
  }

  /// Whether a program writes the file at `path` at present, as far as that is known.
  package static func isWritten(_ path: String) -> Bool {
    let number = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0 else { return false }
    let descriptor = Descriptor(adopting: number)
    return flock(descriptor.number, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }
}
