internal import Glibc

/// Files that are there whole or not at all.
public enum AtomicFile {
  /// Writes `bytes` to the file at `path`.
  ///
  /// The bytes go to a temporary file beside it, to the disk, and only then under the name. When anything fails, the
  /// temporary file is removed and what was at `path` before is untouched. An existing file keeps its permissions, and
  /// a link keeps leading to it. What is no file, such as a pipe or `/dev/stdout`, just gets the bytes.
  /// Blocks for the disk. C: `mkstemp`, `fsync`, `rename` or `link`.
  ///
  /// - Parameter replacing: Whether a file that is there gives way. If not, no other writer's file is lost either, even
  ///   one that appears during the call.
  /// - Throws: ``SystemError``: ``SystemError/Reason/diskFull``, ``SystemError/Reason/permissionDenied``,
  ///   ``SystemError/Reason/notFound`` when the folder is missing, ``SystemError/Reason/invalidName`` when `path` is a
  ///   folder or too long, ``SystemError/Reason/alreadyExists`` when not `replacing`.
  public static func write(
    _ bytes: some Sequence<UInt8>, to path: String, replacing: Bool = true
  ) throws(SystemError) {
    let action = "write \(path)"
    switch try occupant(of: path, action) {
    case .file(let mode, let target):
      // Asked first, so that a long series of taken names costs no writing.
      guard replacing else { throw SystemError(action, errno: EEXIST) }
      try put(bytes, at: target, mode: mode, replacing: true, action)
    case .nothing:
      try put(bytes, at: path, mode: 0o666 & ~processMask, replacing: replacing, action)
    case .sink:
      let number = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
      guard number >= 0 else { throw .last(action) }
      if let problem = failure(writing: bytes, to: Descriptor(adopting: number), action) { throw problem }
    }
  }

  private static func put(
    _ bytes: some Sequence<UInt8>, at path: String, mode: mode_t, replacing: Bool, _ action: String
  ) throws(SystemError) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    var template = Array("\(folder).obscura-XXXXXX".utf8CString)
    let number = mkstemp(&template)
    guard number >= 0 else { throw .last(action) }
    let descriptor = Descriptor(adopting: number)
    var isDone = false
    defer { if !isDone { unlink(template) } }

    guard fcntl(number, F_SETFD, FD_CLOEXEC) == 0, fchmod(number, mode) == 0 else { throw .last(action) }
    if let problem = failure(writing: bytes, to: descriptor, action) { throw problem }
    guard fsync(number) == 0 else { throw .last(action) }
    if replacing {
      guard rename(template, path) == 0 else { throw .last(action) }
      isDone = true
    } else {
      // A link never replaces, unlike a rename; the temporary name goes with the `defer`.
      guard link(template, path) == 0 else { throw .last(action) }
    }
    syncFolder(folder.isEmpty ? "." : folder)
  }

  private enum Occupant {
    case nothing
    /// Its permissions, and its own path when the given one is a link.
    case file(mode_t, String)
    /// A device, pipe, or socket: a rename over it would put a plain file in its place.
    case sink
  }

  private static func occupant(of path: String, _ action: String) throws(SystemError) -> Occupant {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT { return .nothing }
      throw .last(action)
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: throw SystemError(action, errno: EISDIR)
    case S_IFREG:
      guard let target = realpath(path, nil) else { throw .last(action) }
      defer { free(target) }
      return .file(status.st_mode & 0o777, String(cString: target))
    default: return .sink
    }
  }

  /// The umask can only be read by setting it, which other threads would notice; the kernel tells it in `/proc`.
  private static var processMask: mode_t {
    let descriptor = open("/proc/self/status", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return 0o022 }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 512)
    let count = read(descriptor, &buffer, buffer.count)
    let text = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    for line in text.split(separator: "\n") where line.hasPrefix("Umask:") {
      return line.split(separator: "\t").last.flatMap { mode_t($0, radix: 8) } ?? 0o022
    }
    return 0o022
  }

  private static func failure(
    writing bytes: some Sequence<UInt8>, to descriptor: Descriptor, _ action: String
  ) -> SystemError? {
    let result: SystemError?? = bytes.withContiguousStorageIfAvailable { buffer in
      failure(writing: UnsafeRawBufferPointer(buffer), to: descriptor, action)
    }
    return result ?? Array(bytes).withUnsafeBytes { failure(writing: $0, to: descriptor, action) }
  }

  private static func failure(
    writing bytes: UnsafeRawBufferPointer, to descriptor: Descriptor, _ action: String
  ) -> SystemError? {
    var offset = 0
    while offset < bytes.count {
      let count = Glibc.write(descriptor.number, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
      if count < 0 {
        if errno == EINTR { continue }
        return .last(action)
      }
      offset += count
    }
    return nil
  }

  /// Makes the new name itself survive a power cut.
  ///
  /// Not every file system can; the file's content is safe already.
  private static func syncFolder(_ folder: String) {
    let number = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { return }
    fsync(number)
    close(number)
  }
}
