internal import Glibc

/// Files that are there whole or not at all.
public enum AtomicFile {
  /// Writes `bytes` to the file at `path`.
  ///
  /// The bytes go to the disk first, and only then under the name. When anything fails, or the process is killed, what was
  /// at `path` before is untouched. An existing file keeps its permissions, and a link keeps leading to it. What is no
  /// file, such as a pipe or `/dev/stdout`, just gets the bytes.
  /// Blocks for the disk. C: `O_TMPFILE`, `fsync`, `linkat` or `rename`.
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
      // Asked first, so that a taken name costs no writing.
      guard replacing else { throw SystemError(action, errno: EEXIST) }
      try publish(bytes, in: folder(of: target), mode: 0o600, action) { file throws(SystemError) in
        try file.setPermissions(mode)
        try file.keep(replacing: target)
      }
    case .nothing:
      try publish(bytes, in: folder(of: path), mode: 0o666, action) { file throws(SystemError) in
        if replacing { try file.keep(replacing: path) } else { try file.keep(asNew: path) }
      }
    case .sink:
      try pour(bytes, into: path, action)
    }
  }

  /// Writes `bytes` to the first of `paths` that is free, and returns that; `nil` when none is.
  ///
  /// As ``write(_:to:replacing:)``, but the bytes are written only once however many names are taken. No writer's file is
  /// lost, also when several processes choose among the same names. `paths` are in one folder; a pipe or device among them
  /// just gets the bytes.
  /// - Throws: ``SystemError``, as ``write(_:to:replacing:)`` does.
  package static func write(
    _ bytes: some Sequence<UInt8>, toFirstFreeOf paths: some Sequence<String>
  ) throws(SystemError) -> String? {
    var kept: String?
    var rest = paths.makeIterator()
    while let path = rest.next() {
      let action = "write \(path)"
      switch try occupant(of: path, action) {
      case .file: continue
      case .sink:
        try pour(bytes, into: path, action)
        return path
      case .nothing: break
      }
      try publish(bytes, in: folder(of: path), mode: 0o666, action) { file throws(SystemError) in
        var candidate: String? = path
        while let path = candidate, kept == nil {
          do throws(SystemError) {
            try file.keep(asNew: path)
            kept = path
          } catch  where error.reason == .alreadyExists {
            candidate = rest.next()
          }
        }
      }
      return kept
    }
    return nil
  }

  /// Makes a new file at `path` of what `fill` writes.
  ///
  /// As ``write(_:to:replacing:)``, for bytes that do not lie in one piece; `fill` waits for the disk itself, with
  /// ``UnfinishedFile/write(_:)``.
  /// - Throws: ``SystemError``: also ``SystemError/Reason/alreadyExists``.
  package static func write(
    to path: String, mode: UInt32, fill: (UnfinishedFile) throws(SystemError) -> Void
  ) throws(SystemError) {
    let folder = folder(of: path)
    sweepOnce(folder)
    let file = try UnfinishedFile(in: folder, mode: mode, "write \(path)")
    try fill(file)
    try file.keep(asNew: path)
    syncFolder(folder)
  }

  /// Removes the file at `path`, for good; does nothing when there is none.
  package static func remove(_ path: String) throws(SystemError) {
    guard Disk.unlink(path) else {
      if errno == ENOENT { return }
      throw .last("remove \(path)")
    }
    syncFolder(folder(of: path))
  }

  /// Writes an unfinished file in `folder` and lets `keep` name it.
  private static func publish(
    _ bytes: some Sequence<UInt8>, in folder: String, mode: mode_t, _ action: String,
    keep: (UnfinishedFile) throws(SystemError) -> Void
  ) throws(SystemError) {
    sweepOnce(folder)
    let file = try UnfinishedFile(in: folder, mode: mode, action)
    try file.write(bytes)
    try keep(file)
    syncFolder(folder)
  }

  private static func pour(
    _ bytes: some Sequence<UInt8>, into path: String, _ action: String
  ) throws(SystemError) {
    // A pipe without a reader fails at once instead of blocking for ever.
    let number = Disk.open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard number >= 0 else { throw SystemError(action, errno: errno == ENXIO ? EPIPE : errno) }
    let descriptor = Descriptor(adopting: number)
    try ByteSink.write(bytes, to: descriptor.number, action)
  }

  /// The folder in which `path` is a name, ending in a slash; empty for the working folder.
  package static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }

  private static let swept = Locked<Set<String>>([])

  /// Removes what killed processes left, when this process first writes to the folder.
  ///
  /// - Parameter folder: As ``folder(of:)`` says it.
  package static func sweepOnce(_ folder: String) {
    if swept.withLock({ $0.insert(folder).inserted }) { UnfinishedFile.sweep(folder) }
  }

  private enum Occupant {
    case nothing
    /// Its permissions, and its own path when the given one is a link.
    case file(mode_t, String)
    /// A device, pipe, or socket: a rename over it would put a plain file in its place.
    case sink
  }

  /// The target of `path`, with all links followed; `nil` when there is none, for the reason in `errno`.
  package static func target(of path: String) -> String? {
    guard let target = realpath(path, nil) else { return nil }
    defer { free(target) }
    return String(cString: target)
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
      guard let target = target(of: path) else { throw .last(action) }
      return .file(status.st_mode & 0o777, target)
    default: return .sink
    }
  }

  /// Makes the new name itself survive a power cut.
  ///
  /// Not every file system can; the file's content is safe already. Blocks for the disk.
  ///
  /// - Parameter folder: As ``folder(of:)`` says it.
  package static func syncFolder(_ folder: String) {
    let number = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { return }
    _ = Disk.sync(number)
    Glibc.close(number)
  }
}
