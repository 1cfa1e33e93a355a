internal import Foundation
internal import Glibc
internal import Linux

/// The library's calls of the file system.
enum FileCalls {
  /// The size and the time of change of a regular file; `nil` when there is none.
  static func facts(_ path: String) -> (bytes: Int, modified: Int, inode: UInt64)? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return (Int(status.st_size), nanoseconds(status.st_mtim), UInt64(status.st_ino))
  }

  /// The time of change of a folder; `nil` when there is none.
  static func folderTime(_ path: String) -> Int? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
    return nanoseconds(status.st_mtim)
  }

  /// The kind of a directory entry.
  enum Kind { case folder, link, other }

  /// The kind of the entry at a path, a link not followed; `nil` for no entry.
  static func kind(_ path: String) -> Kind? {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    return switch status.st_mode & S_IFMT {
    case S_IFDIR: .folder
    case S_IFLNK: .link
    default: .other
    }
  }

  private static func nanoseconds(_ time: timespec) -> Int {
    // A time that overflows is some time.
    Int(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000).partialValue &+ Int(time.tv_nsec)
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  static func isWritableFolder(_ path: String) -> Bool { access(path, W_OK | X_OK) == 0 }

  /// How many bytes may still be written on a folder's disk; 0 when unknown.
  static func freeBytes(_ folder: String) -> Int {
    var status = statvfs()
    guard statvfs(folder, &status) == 0 else { return 0 }
    return Int(clamping: status.f_bavail) * Int(clamping: status.f_frsize)
  }

  /// Makes a folder and those above it.
  static func makeFolder(_ path: String) throws(SystemError) {
    guard !Disk.makeFolder(path, 0o755), errno != EEXIST else { return }
    let parent = (path as NSString).deletingLastPathComponent
    guard errno == ENOENT, !parent.isEmpty, parent != path else { throw .last("make the folder \(path)") }
    try makeFolder(parent)
    guard Disk.makeFolder(path, 0o755) || errno == EEXIST else { throw .last("make the folder \(path)") }
  }

  /// The outcome of giving a file its name.
  enum Naming {
    /// The file has the name now: this process gave it, or another one did.
    case named
    /// Another file has the name.
    case taken
    /// There is no such file any more: another process has named it, or it is gone for good.
    case gone
  }

  /// Gives `staged` the name `path`, unless there is a file of that name.
  ///
  /// Several processes may do it for the same file at once. The first name stays, too, where the file system knows second ones: it is
  /// removed once the folder of the new one is on the disk.
  static func publish(_ staged: String, as path: String) throws(SystemError) -> Naming {
    guard let mine = facts(staged)?.inode else { return .gone }
    if Disk.link(staged, path) { return .named }
    switch errno {
    case EEXIST:
      // Another process may have given it the name meanwhile.
      return facts(path)?.inode == mine ? .named : .taken
    case ENOENT where !exists(staged): return .gone
    case EPERM, EOPNOTSUPP, ENOSYS, EMLINK:
      // No second names on this file system.
      guard !exists(path) else { return .taken }
      if Disk.rename(staged, path) { return .named }
      guard errno == ENOENT, !exists(staged) else { throw .last("write \(path)") }
      return .gone
    default: throw .last("write \(path)")
    }
  }

  /// Removes a file; whether it is gone.
  @discardableResult
  static func remove(_ path: String) -> Bool { Disk.unlink(path) || errno == ENOENT }

  static func removeFolder(_ path: String) { Disk.removeFolder(path) }

  /// Moves a file to another name on the same disk.
  ///
  /// - Returns: False when it is another disk.
  static func move(_ path: String, to other: String) throws(SystemError) -> Bool {
    if Disk.rename(path, other) { return true }
    if errno == EXDEV { return false }
    throw .last("move \(path)")
  }

  /// Gives a file a second name, and waits until its content is on the disk.
  ///
  /// - Returns: False where it cannot have one: on another disk, on a file system without such names, or because it is a link, whose
  ///   target stays the other's own.
  static func share(_ path: String, as other: String) throws(SystemError) -> Bool {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw .last("read \(path)") }
    defer { close(file) }
    return kind(path) != .link && Disk.sync(file) && Disk.link(path, other)
  }

  /// Copies a file to a new one and waits until it is on the disk.
  static func copy(_ path: String, to other: String) throws(SystemError) {
    let source = open(path, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { throw .last("read \(path)") }
    defer { close(source) }
    let target = Disk.open(other, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard target >= 0 else { throw .last("write \(other)") }
    do throws(SystemError) {
      try copyBytes(source, target, path, other)
      guard Disk.sync(target) else { throw .last("write \(other)") }
    } catch {
      Disk.close(target)
      Disk.unlink(other)
      throw error
    }
    // Some file systems of the network send a file only now.
    guard Disk.close(target) || errno == EINTR else {
      let error = SystemError.last("write \(other)")
      Disk.unlink(other)
      throw error
    }
  }

  private static func copyBytes(
    _ source: Int32, _ target: Int32, _ path: String, _ other: String
  ) throws(SystemError) {
    var room = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = read(source, &room, room.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .last("read \(path)") }
      if count == 0 { return }
      var written = 0
      while written < count {
        let step = room.withUnsafeBytes {
          Disk.write(target, UnsafeRawBufferPointer(rebasing: $0[written..<count]))
        }
        if step < 0, errno == EINTR { continue }
        guard step > 0 else { throw .last("write \(other)") }
        written += step
      }
    }
  }

  /// Makes the names in a folder survive a power cut, where the file system can.
  static func syncFolder(_ path: String) {
    let number = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { return }
    _ = Disk.sync(number)
    close(number)
  }

  /// Changes the time of a file to now, which its watchers notice; makes the file where it is missing.
  static func touch(_ path: String) {
    let number = Disk.open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    guard number >= 0 else { return }
    Disk.touch(number)
    Disk.close(number)
  }

  /// Takes a lock that ends with this process, or with the descriptor; `nil` when another process has it.
  static func lock(_ path: String) -> Descriptor? {
    let number = Disk.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard number >= 0 else { return nil }
    let descriptor = Descriptor(adopting: number)
    guard flock(number, LOCK_EX | LOCK_NB) == 0 else { return nil }
    // Who had the lock may have removed its file before this one took it.
    var held = stat()
    guard fstat(number, &held) == 0, facts(path)?.inode == UInt64(held.st_ino) else { return nil }
    return descriptor
  }
}
