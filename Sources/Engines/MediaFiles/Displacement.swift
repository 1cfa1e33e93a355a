internal import Glibc
internal import Linux

/// A change by others of a file that is being written: it was removed, moved, unmounted or changed in size.
enum Displacement: Hashable {
  /// It has no name any more; whether another file has the name now.
  case removed(isReplaced: Bool)
  /// It has another name, or its folder has; `nil` where that is not known.
  case moved(to: String?)
  /// Its disk was unmounted.
  case unmounted
  /// It was cut down to so many bytes.
  case shortened(to: Int)
  /// It has bytes that were not written here.
  case lengthened

  /// Compares an open file with what its path leads to; `nil` when all is as it was written.
  ///
  /// Other names (links), other permissions and a folder that is reached in another way change nothing.
  ///
  /// - Parameters:
  ///   - folder: The folder that the path led to, wherever it is now; `nil` where it could not be opened.
  ///   - size: How many bytes were written.
  init?(of descriptor: Descriptor, at path: String, in folder: Descriptor?, size: Int) {
    var own = stat()
    guard fstat(descriptor.number, &own) == 0 else { return nil }
    var present = stat()
    let isThere = stat(path, &present) == 0
    let reason = errno
    if isThere, present.st_dev == own.st_dev, present.st_ino == own.st_ino {
      if own.st_size < size {
        self = .shortened(to: Int(own.st_size))
      } else if own.st_size > size {
        self = .lengthened
      } else {
        return nil
      }
      return
    }
    // When the path cannot be looked at (no right to the folder, a silent server), nothing is known of the file.
    if !isThere, ![ENOENT, ENOTDIR].contains(reason) { return nil }
    if own.st_nlink == 0 {
      self = .removed(isReplaced: isThere)
    } else {
      let name = folder.flatMap { Self.name(of: own, in: $0) }
      let former = AtomicFile.folder(of: path)
      let isOnItsDisk =
        stat(former.isEmpty ? "." : former, &present) == 0 ? present.st_dev == own.st_dev : true
      self = name != nil || isOnItsDisk ? .moved(to: name) : .unmounted
    }
  }

  /// A file's path in its folder, by the folder's present path; `nil` when it is in another one.
  private static func name(of file: stat, in folder: Descriptor) -> String? {
    guard let folder = path(of: folder) else { return nil }
    return DeviceTree.names(in: folder).lazy.map { "\(folder)/\($0)" }.first { path in
      var status = stat()
      return stat(path, &status) == 0 && status.st_dev == file.st_dev && status.st_ino == file.st_ino
    }
  }

  /// The path by which the kernel knows what is open.
  private static func path(of descriptor: Descriptor) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/fd/\(descriptor.number)", &buffer, buffer.count - 1)
    return count > 0
      ? String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
  }

  /// One sentence: what happened to the file, and where that is which was written.
  ///
  /// - Parameter kept: Where it is; `nil` when nothing could be kept, or while that is not known.
  func sentence(_ path: String, kept: String?) -> String {
    let (what, rest): (String, String)
    switch self {
    case .removed(let isReplaced):
      what =
        isReplaced
        ? "\(path) was replaced by another file while it was written"
        : "\(path) was removed while it was written"
      rest =
        kept.map {
          $0 == path
            ? "what was written until then has its name again" : "what was written until then is in \($0)"
        } ?? "nothing of it could be kept"
    case .moved(let name):
      what = "\(path) was moved while it was written"
      rest = "what was written until then is " + (name.map { "in \($0)" } ?? "in the file that was moved")
    case .unmounted:
      what = "The disk of \(path) was unmounted while it was written"
      rest = "what was written until then is on that disk"
    case .shortened:
      what = "\(path) was cut off by another program while it was written"
      rest = kept == nil ? "nothing of it could be kept" : "what is left of it was kept"
    case .lengthened:
      what = "Another program wrote into \(path) while it was written"
      rest = "what was written here was kept"
    }
    return "\(what); \(rest)."
  }
}
