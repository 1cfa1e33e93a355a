internal import Glibc
internal import Linux

/// The state of a disk whose power fails: files and names that were not brought to it, and what becomes of them.
///
/// A file's bytes are safe once it was synced, and the names in a folder once the folder was. Until then a write is there, lost or
/// torn, whatever its order; of the changes of names in a folder the first are there, and the rest is not, as journals have it.
struct PowerModel {
  private struct File: Hashable {
    var device: UInt
    var number: UInt

    init(_ status: stat) { (device, number) = (UInt(status.st_dev), UInt(status.st_ino)) }
  }

  private enum Change {
    case write(place: Int, old: [UInt8], size: Int, new: [UInt8])
    case size(old: Int, tail: [UInt8], new: Int)
  }

  private struct Name {
    enum Kind {
      case made(String)
      case renamed(String, String, replaced: Int32?)
      case removed(String, Int32)
      case madeFolder(String)
      case removedFolder(String)
    }

    var kind: Kind
    var folder: String
  }

  /// The state before a call, of which ``didMake(_:_:_:)`` makes a change.
  enum Mark {
    case none
    case bytes(Int32, place: Int, old: [UInt8], size: Int)
    case isNew(Bool)
    case target(Int32?)
  }

  private let seed: UInt64
  private var draws: UInt64 = 0
  private var changes: [File: [Change]] = [:]
  private var descriptors: [File: Int32] = [:]
  private var names: [Name] = []
  /// Databases that were written, whose shared memory is gone with the power.
  private var databases: Set<String> = []

  init(seed: UInt64) { self.seed = seed }

  private mutating func draw(below count: Int) -> Int {
    draws += 1
    return Int(Chance(seed, "power", draws).fraction * Double(count))
  }

  // MARK: Calls

  mutating func willMake(_ call: DiskCall) -> Mark {
    switch call {
    case .write(let number, let bytes):
      let place = lseek(number, 0, SEEK_CUR)
      return mark(reopened(number), place: max(0, Int(place)), count: bytes.count)
    case .writeAt(let number, let bytes, let place):
      return mark(reopened(number), place: place, count: bytes.count)
    case .truncate(let number, let size):
      return mark(reopened(number), place: size, count: .max)
    case .open(let path, let flags, _):
      let isNew = flags & O_CREAT != 0 && access(path, F_OK) != 0
      if !isNew, flags & O_TRUNC != 0 { return mark(reopened(path), place: 0, count: .max) }
      return .isNew(isNew)
    case .makeFolder(let path, _): return .isNew(access(path, F_OK) != 0)
    case .rename(_, let path), .unlink(let path): return .target(reopened(path))
    case .announced(let call):
      switch call.kind {
      case .open: return .isNew(true)
      case .unlink: return .target(reopened(call.path))
      case .write: return mark(reopened(call.path), place: call.place, count: call.bytes.count)
      case .truncate: return mark(reopened(call.path), place: call.place, count: .max)
      case .sync: return .none
      }
    default: return .none
    }
  }

  mutating func didMake(_ call: DiskCall, _ mark: Mark, _ result: Int) {
    switch (call, mark) {
    case (.write(_, let bytes), .bytes(let own, let place, let old, let size)),
      (.writeAt(_, let bytes, _), .bytes(let own, let place, let old, let size)):
      note(.write(place: place, old: old, size: size, new: Array(bytes.prefix(result))), own)
    case (.truncate(_, let new), .bytes(let own, _, let tail, let size)):
      note(.size(old: size, tail: tail, new: new), own)
    case (.open, .bytes(let own, _, let tail, let size)):
      note(.size(old: size, tail: tail, new: 0), own)
    case (.open(let path, let flags, _), .isNew(true)) where flags & O_CREAT != 0:
      note(.made(text(path)), in: path)
    case (.makeFolder(let path, _), .isNew(true)): note(.madeFolder(text(path)), in: path)
    case (.name(_, let path), _), (.link(_, let path), _): note(.made(text(path)), in: path)
    case (.rename(let old, let new), .target(let replaced)):
      let file = replaced.flatMap { $0 >= 0 ? $0 : nil }
      note(.renamed(text(old), text(new), replaced: file), in: new)
    case (.unlink(let path), .target(let file?)) where file >= 0: note(.removed(text(path), file), in: path)
    case (.removeFolder(let path), _): note(.removedFolder(text(path)), in: path)
    case (.sync(let number), _), (.syncBytes(let number), _): didSync(number)
    case (.announced(let call), _): didAnnounce(call, mark)
    default: break
    }
  }

  private mutating func didAnnounce(_ call: DiskCall.Announcement, _ mark: Mark) {
    databases.insert(text(call.path))
    switch (call.kind, mark) {
    case (.open, _): note(.made(text(call.path)), in: call.path)
    case (.write, .bytes(let own, let place, let old, let size)):
      note(.write(place: place, old: old, size: size, new: Array(call.bytes)), own)
    case (.truncate, .bytes(let own, _, let tail, let size)):
      note(.size(old: size, tail: tail, new: call.place), own)
    case (.unlink, _) where call.place != 0:
      let folder = AtomicFile.folder(of: text(call.path))
      let target = AtomicFile.target(of: folder) ?? folder
      names.removeAll { $0.folder == target }
    case (.unlink, .target(let file?)) where file >= 0: note(.removed(text(call.path), file), in: call.path)
    case (.sync, _):
      didSync(reopened(call.path))
      // With a log that it has made, SQLite brings the folder's names to the disk.
      let path = text(call.path)
      let isLog = path.hasSuffix("-wal") || path.hasSuffix("-journal")
      guard isLog, let made = names.first(where: { if case .made(path) = $0.kind { true } else { false } })
      else {
        return
      }
      names.removeAll { $0.folder == made.folder }
    default: break
    }
  }

  private mutating func didSync(_ number: Int32) {
    var status = stat()
    guard fstat(number, &status) == 0 else { return }
    if status.st_mode & S_IFMT == S_IFDIR {
      let folder = AtomicFile.target(of: "/proc/self/fd/\(number)") ?? ""
      names.removeAll { $0.folder == folder }
    } else {
      changes[File(status)] = nil
    }
  }

  // MARK: Notes

  private func text(_ path: UnsafePointer<CChar>) -> String { String(cString: path) }

  private mutating func note(_ kind: Name.Kind, in path: UnsafePointer<CChar>) {
    let folder = AtomicFile.folder(of: String(cString: path))
    let target = AtomicFile.target(of: folder.isEmpty ? "." : folder) ?? folder
    names.append(Name(kind: kind, folder: target))
  }

  private mutating func note(_ change: Change, _ own: Int32) {
    var status = stat()
    guard fstat(own, &status) == 0 else { return }
    changes[File(status), default: []].append(change)
  }

  private func mark(_ own: Int32, place: Int, count: Int) -> Mark {
    var status = stat()
    guard own >= 0, fstat(own, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return .none }
    let size = Int(status.st_size)
    var old = [UInt8](repeating: 0, count: max(0, min(count, size - place)))
    let length = old.count
    let read = old.withUnsafeMutableBytes { pread(own, $0.baseAddress, length, off_t(place)) }
    return .bytes(own, place: place, old: Array(old.prefix(max(0, read))), size: size)
  }

  /// A descriptor of this model's own for an open file, which may be open for writing alone, and have no name.
  private mutating func reopened(_ number: Int32) -> Int32 { reopened("/proc/self/fd/\(number)") }

  /// The same for the file at a path.
  ///
  /// It is never closed, for with any descriptor of a file that is closed go the locks that SQLite has on it.
  private mutating func reopened(_ path: UnsafePointer<CChar>) -> Int32 {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return -1 }
    if let known = descriptors[File(status)] { return known }
    let own = open(path, O_RDWR | O_CLOEXEC)
    if own >= 0 { descriptors[File(status)] = own }
    return own
  }

  // MARK: The failure

  /// Makes the files be what is left of them.
  mutating func fail() {
    for file in changes.keys.sorted(by: { ($0.device, $0.number) < ($1.device, $1.number) }) {
      guard let own = descriptors[file], let changes = changes[file] else { continue }
      undo(own, changes)
      redo(own, changes)
    }
    let lost = lostNames()
    for name in lost.reversed() { undo(name.kind) }
    for path in databases { unlink(path + "-shm") }
  }

  /// Loses all of an open file that was not brought to the disk.
  mutating func lose(_ number: Int32) {
    var status = stat()
    guard fstat(number, &status) == 0, let own = descriptors[File(status)] else { return }
    undo(own, changes[File(status)] ?? [])
    changes[File(status)] = nil
  }

  private func undo(_ own: Int32, _ changes: [Change]) {
    for change in changes.reversed() {
      switch change {
      case .write(let place, let old, let size, _):
        write(own, old[...], at: place)
        ftruncate(own, off_t(size))
      case .size(let old, let tail, let new):
        ftruncate(own, off_t(old))
        write(own, tail[...], at: new)
      }
    }
  }

  private mutating func redo(_ own: Int32, _ changes: [Change]) {
    for change in changes {
      let luck = draw(below: 4)
      switch change {
      case .write(let place, _, _, let new):
        if luck == 0 { continue }
        // A sector is written or not.
        let sectors = (new.count + 511) / 512
        let count = luck == 1 ? draw(below: max(1, sectors)) * 512 : new.count
        write(own, new.prefix(count), at: place)
      case .size(_, _, let new): if luck > 1 { ftruncate(own, off_t(new)) }
      }
    }
  }

  private func write(_ own: Int32, _ bytes: ArraySlice<UInt8>, at place: Int) {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        pwrite(own, $0.baseAddress.map { $0 + done }, bytes.count - done, off_t(place + done))
      }
      guard count > 0 else { return }
      done += count
    }
  }

  private mutating func lostNames() -> [Name] {
    var kept: [String: Int] = [:]
    for folder in Set(names.map(\.folder)).sorted() {
      kept[folder] = draw(below: names.count { $0.folder == folder } + 1)
    }
    return names.filter { name in
      let left = kept[name.folder] ?? 0
      kept[name.folder] = left - 1
      return left <= 0
    }
  }

  private func undo(_ kind: Name.Kind) {
    switch kind {
    case .made(let path): unlink(path)
    case .madeFolder(let path): rmdir(path)
    case .removedFolder(let path): mkdir(path, 0o755)
    case .removed(let path, let file): copy(file, to: path)
    case .renamed(let old, let new, let replaced):
      rename(new, old)
      if let replaced { copy(replaced, to: new) }
    }
  }

  /// Gives what had a name one again, unless another file has it.
  private func copy(_ file: Int32, to path: String) {
    // The same file, where it has another name still.
    if linkat(AT_FDCWD, "/proc/self/fd/\(file)", AT_FDCWD, path, Int32(AT_SYMLINK_FOLLOW)) == 0 { return }
    let target = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard target >= 0 else { return }
    var bytes = [UInt8](repeating: 0, count: 1 << 18)
    var place = 0
    while true {
      let count = bytes.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, off_t(place)) }
      guard count > 0 else { break }
      write(target, bytes[..<count], at: place)
      place += count
    }
    close(target)
  }
}
