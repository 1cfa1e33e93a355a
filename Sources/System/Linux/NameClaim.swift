internal import Glibc

/// A file name that is taken before there is a file of it, so that programs beside each other choose different ones.
///
/// While the object lives, no other claim of the name succeeds, in this process or another. A hidden file in the same folder
/// stands for the name, with a lock (`flock`) on it; the file that is claimed is not made, so that a kill leaves no empty one.
/// What a killed process leaves is taken over by the next claim, or goes with ``UnfinishedFile/sweep(_:)``.
package final class NameClaim: Sendable {
  private let descriptor: Descriptor
  private let path: String

  /// Claims `name` in `folder`; `nil` when another claim holds it.
  ///
  /// Whether there is a file of that name is asked afterwards: until then another program may have made one.
  ///
  /// - Parameter folder: Ends in a slash, or is empty for the working folder.
  /// - Throws: ``SystemError`` when the folder takes no files.
  package init?(of name: String, in folder: String) throws(SystemError) {
    AtomicFile.sweepOnce(folder)
    // Two names of one number are only one name fewer to choose.
    path = UnfinishedFile.path(in: folder, number: Self.number(of: name))
    while true {
      let number = Disk.open(path, O_RDONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o644)
      guard number >= 0 else {
        let problem = errno
        // Another user's.
        if problem == EACCES, access(path, F_OK) == 0 { return nil }
        throw SystemError("write \(folder)\(name)", errno: problem)
      }
      let descriptor = Descriptor(adopting: number)
      if flock(number, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { return nil }
      var status = stat()
      // Between the two calls its holder may have removed it.
      guard fstat(number, &status) == 0, status.st_nlink > 0 else { continue }
      self.descriptor = descriptor
      return
    }
  }

  deinit {
    // While it is locked, so that no one else's is removed.
    Disk.unlink(path)
  }

  /// FNV-1a, which is the same in every process.
  private static func number(of name: String) -> UInt64 {
    name.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
