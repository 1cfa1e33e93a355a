internal import Glibc
internal import Linux

/// A folder and a name in it: whether a file can be written there.
struct FilePlace: Sendable {
  var folder: String
  var name: String

  var path: String { folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)" }

  /// Whether anything has the name, also a link that leads nowhere.
  var isTaken: Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// The target of a link; the place itself where it is none, or leads nowhere.
  var target: FilePlace {
    guard let target = realpath(path, nil) else { return self }
    defer { free(target) }
    let path = String(cString: target)
    let slash = path.lastIndex(of: "/") ?? path.startIndex
    let folder = slash == path.startIndex ? "/" : String(path[..<slash])
    return FilePlace(folder: folder, name: String(path[slash...].dropFirst()))
  }

  /// Finds out whether the name can be that of a file, whatever is there.
  /// - Throws: ``CameraTaskError/Code/badFile``.
  func checkName() throws(CameraTaskError) {
    if name.isEmpty || name == "." || name == ".." { throw isFolder }
    guard !name.contains("/") else {
      throw refusal("its pattern puts a slash into the name", "write dates like %Y%m%d")
    }
    guard name.utf8.count <= Int(NAME_MAX) else {
      throw CameraTaskError(
        .badFile,
        "The name \(name.prefix(20))… cannot be written, because it is longer than \(NAME_MAX) bytes; choose a shorter one."
      )
    }
  }

  /// Finds out whether a file can be written here.
  ///
  /// - Parameters:
  ///   - makesParents: Whether missing folders are made, however many.
  ///   - returnsToBeginning: Whether the beginning is written last, which a pipe or a device cannot take.
  /// - Throws: ``CameraTaskError/Code/badFile``.
  func check(makesParents: Bool, returnsToBeginning: Bool) throws(CameraTaskError) {
    try checkName()
    var status = stat()
    if stat(path, &status) == 0 {
      switch status.st_mode & S_IFMT {
      case S_IFREG: break
      case S_IFDIR: throw isFolder
      case S_IFBLK:
        throw refusal("it is a disk, whose files would be lost", "name a file")
      case _ where returnsToBeginning:
        throw refusal("it is no file, and the beginning is written last", "name a file")
      default: return try checkSink(isPipe: status.st_mode & S_IFMT == S_IFIFO)
      }
    } else if errno == ELOOP {
      throw refusal("its links lead in a circle", "choose another name")
    }
    try checkFolder(makesParents: makesParents)
  }

  /// What is no file takes the bytes itself, so its folder does not matter.
  private func checkSink(isPipe: Bool) throws(CameraTaskError) {
    let number = Disk.open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    let problem = errno
    guard number < 0 else {
      close(number)
      return
    }
    switch problem {
    case ENXIO where isPipe:
      throw refusal("nothing reads that pipe", "start its reader first, or use -o -")
    case EACCES, EPERM, EROFS: throw refusal("you may not write to it", "choose another place with -o")
    default:
      throw refusal("it is neither a file nor something that takes bytes", "choose another place with -o")
    }
  }

  private func checkFolder(makesParents: Bool) throws(CameraTaskError) {
    var existing = folder
    var missing: [String] = []
    var status = stat()
    while stat(existing, &status) != 0 {
      switch errno {
      case ENOENT: break
      case ENOTDIR:
        throw refusal("a part of that path is a file, not a folder", "choose another place with -o")
      case EACCES:
        throw refusal("you may not look into \(Self.parent(of: existing))", "choose another place with -o")
      case ENAMETOOLONG: throw refusal("a folder's name is too long", "choose a shorter one")
      default: throw refusal("its folder cannot be reached", "choose another place with -o")
      }
      missing.append(existing)
      existing = Self.parent(of: existing)
    }
    guard missing.count < 2 || makesParents else {
      throw refusal(
        "neither the folder \(folder) exists nor \(Self.parent(of: folder))",
        "make them with mkdir, or check the spelling")
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw refusal("\(existing) is a file, not a folder", "choose another place with -o")
    }
    guard access(existing, W_OK | X_OK) == 0 else {
      throw errno == EROFS
        ? refusal("\(existing) is on a file system that is read-only", "choose another place with -o")
        : refusal("you may not write to the folder \(existing)", "choose another place with -o")
    }
  }

  /// Makes the folder where it is missing.
  func makeFolder(makesParents: Bool) throws(SystemError) {
    var missing: [String] = []
    var existing = folder
    while access(existing, F_OK) != 0, errno == ENOENT, existing != "/" {
      missing.append(existing)
      existing = Self.parent(of: existing)
    }
    guard missing.count < 2 || makesParents else { throw SystemError("write \(path)", errno: ENOENT) }
    for folder in missing.reversed() where !Disk.makeFolder(folder, 0o777) && errno != EEXIST {
      throw .last("make the folder \(folder)")
    }
  }

  private static func parent(of path: String) -> String {
    let trimmed = path.count > 1 && path.hasSuffix("/") ? path.dropLast() : path[...]
    guard let slash = trimmed.lastIndex(of: "/") else { return "." }
    return slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
  }

  private var isFolder: CameraTaskError {
    refusal("it is a folder", "name a file in it")
  }

  private func refusal(_ reason: String, _ advice: String) -> CameraTaskError {
    CameraTaskError(.badFile, "\(path) cannot be written, because \(reason); \(advice).")
  }
}
