internal import Glibc

/// Files that are there whole or not at all.
public enum AtomicFile {
  /// Writes `bytes` to the file at `path`.
  ///
  /// The bytes go to a temporary file beside it, to the disk, and only then under the name. When anything fails, the
  /// temporary file is removed and what was at `path` before is untouched. An existing file keeps its permissions.
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
    // Asked first, so that a long series of taken names costs no writing.
    if !replacing, access(path, F_OK) == 0 { throw SystemError(action, errno: EEXIST) }
    let mode = try permissions(for: path, action)
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    var template = Array("\(folder).obscura-XXXXXX".utf8CString)
    let number = mkstemp(&template)
    guard number >= 0 else { throw .last(action) }
    let descriptor = Descriptor(adopting: number)
    var isDone = false
    defer { if !isDone { unlink(template) } }

    guard fcntl(number, F_SETFD, FD_CLOEXEC) == 0, fchmod(number, mode) == 0 else { throw .last(action) }
    let written: SystemError?? = bytes.withContiguousStorageIfAvailable { buffer in
      failure(writing: UnsafeRawBufferPointer(buffer), to: descriptor, action)
    }
    let problem = written ?? Array(bytes).withUnsafeBytes { failure(writing: $0, to: descriptor, action) }
    if let problem { throw problem }
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

  /// What the file at `path` may be used for now, or what a new file there gets.
  private static func permissions(for path: String, _ action: String) throws(SystemError) -> mode_t {
    var status = stat()
    if stat(path, &status) == 0 {
      if status.st_mode & S_IFMT == S_IFDIR { throw SystemError(action, errno: EISDIR) }
      return status.st_mode & 0o777
    }
    if errno != ENOENT { throw .last(action) }
    return 0o666 & ~processMask
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
