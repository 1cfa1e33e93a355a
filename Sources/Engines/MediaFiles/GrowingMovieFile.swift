internal import CoreMedia
internal import Glibc
internal import Linux

/// The file that a movie is written to: it grows by whole boxes, or not at all, and is brought to the disk meanwhile.
///
/// Before each box the path is compared with the file that was opened, so that no movie disappears in silence.
final class GrowingMovieFile {
  private let path: String
  private let action: String
  private let descriptor: Descriptor
  /// The folder, by which a file is found that was moved with it or within it.
  private let openFolder: Descriptor?
  private let sync: MovieSync
  /// Bytes that are written.
  private(set) var size = 0
  /// The unfinished file, out of sight until it gets its name; `nil` for one that has it.
  private var unfinished: UnfinishedFile?
  private let replaces: Bool
  /// The ends of boxes that were written in one piece.
  private var ends: [Int] = []
  /// The change by other programs; found once.
  private(set) var displacement: Displacement?

  /// Makes a file that must not be there, unless it replaces one.
  ///
  /// - Parameters:
  ///   - isHidden: Whether it gets its name with ``publish()``, and not at once; one that replaces another always does.
  ///   - replaces: Whether a file that is there gives way, at the moment when this one gets its name. A link keeps leading to it.
  ///   - failed: Called once, on another thread, when the disk does not take what was written.
  init(
    path: String, isHidden: Bool = false, replaces: Bool = false,
    failed: @escaping @Sendable (MovieFileError) -> Void = { _ in }
  ) throws(MovieFileError) {
    action = "write \(path)"
    self.replaces = replaces
    let path = replaces ? AtomicFile.target(of: path) ?? path : path
    self.path = path
    let folder = AtomicFile.folder(of: path)
    // `O_PATH`, which Swift does not see: rights to read the folder are not needed.
    let place = open(folder.isEmpty ? "." : folder, 0o10_000_000 | O_DIRECTORY | O_CLOEXEC)
    openFolder = place >= 0 ? Descriptor(adopting: place) : nil
    if isHidden || replaces {
      let file = try Self.hidden(in: folder, as: replaces ? nil : path, action)
      unfinished = file
      descriptor = file.descriptor
    } else {
      let number = Disk.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      guard number >= 0 else { throw MovieFileError(.last(action)) }
      descriptor = Descriptor(adopting: number)
      // One that is unfinished is marked already.
      GrowingFile.mark(descriptor)
    }
    sync = MovieSync(descriptor, folder: folder, action, failed: failed)
    if unfinished == nil { sync.noteName() }
  }

  /// A file out of sight.
  ///
  /// - Parameter new: The name that it will get, which is to be free now; `nil` where another file gives way.
  private static func hidden(
    in folder: String, as new: String?, _ action: String
  ) throws(MovieFileError) -> UnfinishedFile {
    var status = stat()
    if let new, lstat(new, &status) == 0 { throw MovieFileError(SystemError(action, errno: EEXIST)) }
    AtomicFile.sweepOnce(folder)
    do throws(SystemError) {
      return try UnfinishedFile(in: folder, mode: 0o666, action)
    } catch {
      throw MovieFileError(error)
    }
  }

  /// Gives the file its name, which no other file must have unless this one replaces it.
  func publish() throws(MovieFileError) {
    guard let unfinished else { return }
    do throws(SystemError) {
      if replaces {
        var status = stat()
        if stat(path, &status) == 0 { try? unfinished.setPermissions(status.st_mode & 0o777) }
        try unfinished.keep(replacing: path)
      } else {
        try unfinished.keep(asNew: path)
      }
    } catch {
      throw MovieFileError(error)
    }
    self.unfinished = nil
    sync.noteName()
  }

  // MARK: Writing

  /// Appends a box of `bytes` and behind them those of `blocks`; when that fails, the file is as it was.
  ///
  /// The box's size and type are written last, in one piece: a process that is killed leaves zeros there, at which readers stop.
  ///
  /// - Throws: ``MovieFileError``: also `displaced`, once, before anything is written; later calls write to the file wherever it
  ///   is, unless it was cut off.
  func append(_ bytes: [UInt8], _ blocks: [CMBlockBuffer] = []) throws(MovieFileError) {
    try sync.check()
    try confirm()
    var whole = bytes
    whole.reserveCapacity(bytes.count + blocks.reduce(0) { $0 + $1.dataLength })
    for block in blocks {
      do {
        if block.isContiguous {
          try block.withContiguousStorage { whole.append(contentsOf: $0) }
        } else {
          whole.append(contentsOf: try block.dataBytes())
        }
      } catch {
        throw MovieFileError(.unsuitable, "The data of a sample cannot be had: \(error)")
      }
    }
    do throws(MovieFileError) {
      try write(whole[8...], at: size + 8)
      try write(whole[..<8], at: size)
    } catch {
      Disk.truncate(descriptor.number, to: size)
      throw error
    }
    size += whole.count
    ends.append(size)
  }

  private func write(_ bytes: ArraySlice<UInt8>, at position: Int) throws(MovieFileError) {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { memory in
        Disk.write(
          descriptor.number, UnsafeRawBufferPointer(rebasing: memory[done...]), at: position + done)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw MovieFileError(.last(action)) }
      done += count
    }
  }

  /// Overwrites bytes that are there.
  func overwrite(_ bytes: [UInt8], at position: Int) throws(MovieFileError) {
    try write(bytes[...], at: position)
  }

  /// Asks that what was written be brought to the disk soon; does not wait.
  func beginSync() { sync.request(upTo: size) }

  /// Waits until all that was written is on the disk, and the file's name.
  func finishSync() throws(MovieFileError) { try sync.wait(upTo: size) }

  /// The same after bytes were overwritten.
  func syncAgain() throws(MovieFileError) { try sync.syncData() }

  /// Whether the disk did not take what was written.
  var hasLostBytes: Bool { sync.hasFailed }

  // MARK: Other programs

  /// Compares the path with the file that was opened.
  ///
  /// - Throws: ``MovieFileError``: `displaced`, the first time only, except for a file that was cut off.
  func confirm() throws(MovieFileError) {
    guard unfinished == nil else { return }
    if displacement == nil {
      displacement = Displacement(of: descriptor, at: path, in: openFolder, size: size)
    } else if case .shortened = displacement {
    } else {
      return
    }
    if let displacement { throw MovieFileError(.displaced, displacement.sentence(path, kept: path)) }
  }

  /// The number of boxes in the first `size` bytes.
  private func boxCount(within size: Int) -> Int { ends.firstIndex { $0 > size } ?? ends.count }

  /// Keeps of the file what is certain to be on the disk, after syncing failed; where nothing is, all, of which the caller finds out
  /// what can be read back.
  ///
  /// - Returns: How many of the boxes that is.
  func cutToSynced() -> Int { cut(to: sync.syncedSize > 0 ? sync.syncedSize : size) }

  private func cut(to length: Int) -> Int {
    var status = stat()
    // It may have been cut further since.
    let present = fstat(descriptor.number, &status) == 0 ? Int(status.st_size) : length
    let count = boxCount(within: min(length, present))
    size = count > 0 ? ends[count - 1] : 0
    ends.removeLast(ends.count - count)
    Disk.truncate(descriptor.number, to: size)
    // What is read from now on comes from the disk.
    posix_fadvise(descriptor.number, 0, 0, POSIX_FADV_DONTNEED)
    return count
  }

  /// Keeps what can be kept of a file that other programs have changed.
  ///
  /// - Returns: Where it is, whether that is its own path, and how many of the boxes; `nil` for nothing.
  func settle(_ displacement: Displacement) -> (path: String, isInPlace: Bool, boxes: Int)? {
    switch displacement {
    case .moved(let name): return (name ?? "", false, ends.count)
    case .unmounted: return ("", false, ends.count)
    case .lengthened:
      Disk.truncate(descriptor.number, to: size)
      return (path, true, ends.count)
    case .shortened(let length): return (path, true, cut(to: length))
    case .removed(let isReplaced):
      return copy(isReplaced: isReplaced).map { ($0, $0 == path, ends.count) }
    }
  }

  /// Gives what has no name any more a name: its own where that is free, else one beside it.
  private func copy(isReplaced: Bool) -> String? {
    let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
    let stem = name.dropFirst().lastIndex(of: ".").map { path[..<$0] } ?? path[...]
    let suffix = path[stem.endIndex...]
    for number in isReplaced ? 1..<100 : 0..<100 {
      let place = number == 0 ? path : "\(stem)-\(number)\(suffix)"
      var status = stat()
      guard lstat(place, &status) != 0 else { continue }
      do throws(SystemError) {
        try AtomicFile.write(to: place, mode: 0o666) { file throws(SystemError) in try fill(file) }
        return place
      } catch {
        guard error.reason == .alreadyExists else { return nil }
      }
    }
    return nil
  }

  private func fill(_ copy: UnfinishedFile) throws(SystemError) {
    var memory = [UInt8](repeating: 0, count: 1 << 20)
    var place = 0
    while place < size {
      let wanted = min(memory.count, size - place)
      let count = memory.withUnsafeMutableBytes {
        pread(descriptor.number, $0.baseAddress, wanted, off_t(place))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .last(action) }
      try copy.append(memory[..<count])
      place += count
    }
    // Waits for the disk.
    try copy.write([UInt8]())
  }

  /// Removes the file, and no other that has its name.
  func remove() {
    if let unfinished { return unfinished.discard() }
    switch Displacement(of: descriptor, at: path, in: openFolder, size: size) {
    case nil, .lengthened, .shortened: Disk.unlink(path)
    case .removed, .moved, .unmounted: break
    }
  }
}
