internal import Glibc

/// A file on its way to its name: no other program sees it before it is whole.
///
/// Where the file system can, it has no name at all (`O_TMPFILE`), and a process that is killed leaves nothing. Elsewhere,
/// and for a moment while an existing file is replaced, it has a name of its own, which ``sweep(_:)`` recognises. Its
/// writer holds a lock on it (`flock`), so that no sweep removes it while it is in use.
package final class UnfinishedFile {
  private static let prefix = ".obscura-"
  private static let suffix = ".part"
  // Swift's Glibc module lacks the constant, whose second half is the directory flag of the architecture.
  private static let unnamedFlag: Int32 = 0o20_000_000 | O_DIRECTORY

  /// Its open file, for reading and writing.
  package let descriptor: Descriptor
  private let folder: String
  private let action: String
  /// The name it has until it is kept; `nil` for none.
  private var temporaryPath: String?

  /// A new empty file in `folder`.
  ///
  /// - Parameters:
  ///   - folder: The folder of the final name, ending in a slash, or empty for the working folder.
  ///   - mode: Its permissions, from which the umask takes some away.
  ///   - hasName: Whether it gets a name of its own even where it need not.
  ///   - action: What is done, for errors.
  package init(in folder: String, mode: UInt32, hasName: Bool = false, _ action: String) throws(SystemError) {
    self.folder = folder
    self.action = action
    if !hasName, let descriptor = try Self.unnamed(in: folder, mode, action) {
      self.descriptor = descriptor
      flock(descriptor.number, LOCK_EX | LOCK_NB)
    } else {
      (descriptor, temporaryPath) = try Self.named(in: folder, mode, action)
    }
  }

  deinit {
    discard()
  }

  /// Takes away the name that it has until it is kept; its bytes go with the last use of ``descriptor``.
  package func discard() {
    if let temporaryPath { Disk.unlink(temporaryPath) }
    temporaryPath = nil
  }

  /// `nil` where the file system knows no files without names.
  private static func unnamed(
    in folder: String, _ mode: UInt32, _ action: String
  ) throws(SystemError) -> Descriptor? {
    let number = Disk.open(folder.isEmpty ? "." : folder, unnamedFlag | O_RDWR | O_CLOEXEC, mode)
    guard number >= 0 else {
      if [EOPNOTSUPP, EISDIR, EINVAL, ENOENT].contains(errno) { return nil }
      throw .last(action)
    }
    let descriptor = Descriptor(adopting: number)
    // It gets its name through /proc, which a container may lack.
    return access(path(of: descriptor), F_OK) == 0 ? descriptor : nil
  }

  private static func named(
    in folder: String, _ mode: UInt32, _ action: String
  ) throws(SystemError) -> (Descriptor, String) {
    while true {
      let path = freshPath(in: folder)
      let number = Disk.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
      guard number >= 0 else {
        if errno == EEXIST { continue }
        throw .last(action)
      }
      let descriptor = Descriptor(adopting: number)
      var status = stat()
      // Between the two calls another process may have swept it.
      if flock(number, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { continue }
      if fstat(number, &status) == 0, status.st_nlink == 0 { continue }
      return (descriptor, path)
    }
  }

  private static func freshPath(in folder: String) -> String {
    path(in: folder, number: .random(in: 0 ... .max))
  }

  /// A name that ``sweep(_:)`` recognises.
  static func path(in folder: String, number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return folder + prefix + String(repeating: "0", count: 16 - digits.count) + digits + suffix
  }

  private static func path(of descriptor: Descriptor) -> String { "/proc/self/fd/\(descriptor.number)" }

  /// Writes all of `bytes` and waits until they are on the disk.
  package func write(_ bytes: some Sequence<UInt8>) throws(SystemError) {
    try ByteSink.write(bytes, to: descriptor.number, action)
    guard Disk.sync(descriptor.number) else { throw .last(action) }
  }

  /// Writes all of `bytes`, without waiting for the disk: ``write(_:)`` of the rest does.
  package func append(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    try ByteSink.write(bytes, to: descriptor.number, action)
  }

  /// Writes all of `bytes`, without waiting for the disk.
  package func append(_ bytes: some Sequence<UInt8>) throws(SystemError) {
    try ByteSink.write(bytes, to: descriptor.number, action)
  }

  /// Sets its permissions, whatever the umask is.
  package func setPermissions(_ mode: UInt32) throws(SystemError) {
    guard Disk.setPermissions(descriptor.number, mode) else { throw .last(action) }
  }

  /// Gives it the name `path`, in the same folder, in place of a file that has the name now.
  package func keep(replacing path: String) throws(SystemError) {
    if temporaryPath == nil {
      let fresh = Self.freshPath(in: folder)
      try link(to: fresh)
      temporaryPath = fresh
    }
    guard let temporaryPath, Disk.rename(temporaryPath, path) else { throw .last(action) }
    self.temporaryPath = nil
  }

  /// Gives it the name `path`, in the same folder, unless there is something of that name.
  /// - Throws: ``SystemError/Reason/alreadyExists``; another name may be tried then.
  package func keep(asNew path: String) throws(SystemError) {
    do throws(SystemError) {
      try link(to: path)
    } catch  where temporaryPath != nil && [EPERM, EOPNOTSUPP, ENOSYS].contains(error.errno) {
      // No second names on this file system, as on most memory cards: take the name first, then move over it.
      let claim = Disk.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard claim >= 0 else { throw .last(action) }
      Disk.close(claim)
      do throws(SystemError) {
        try keep(replacing: path)
      } catch {
        Disk.unlink(path)
        throw error
      }
    }
    discard()
  }

  private func link(to path: String) throws(SystemError) {
    let isNamed =
      if let temporaryPath {
        Disk.link(temporaryPath, path)
      } else {
        Disk.name(descriptor.number, path)
      }
    guard isNamed else { throw .last(action) }
  }

  /// Removes what killed processes of this user have left in `folder`.
  ///
  /// A file that a living process writes is locked and stays.
  package static func sweep(_ folder: String) {
    for name in DeviceTree.names(in: folder.isEmpty ? "." : folder) where isTemporary(name) {
      let path = folder + name
      let number = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard number >= 0 else { continue }
      defer { close(number) }
      var status = stat()
      guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
        flock(number, LOCK_EX | LOCK_NB) == 0
      else { continue }
      Disk.unlink(path)
    }
  }

  private static func isTemporary(_ name: String) -> Bool {
    name.hasPrefix(prefix) && name.hasSuffix(suffix)
      && name.utf8.count == prefix.utf8.count + 16 + suffix.utf8.count
  }
}
