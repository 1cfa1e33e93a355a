internal import Foundation
internal import Glibc
internal import Linux

/// Files in the library's folder whose names are not UTF-8, as old disks and cameras write them: no string can name them.
struct FolderNames {
  /// A file of such a name.
  struct Finding {
    /// The folder's bytes, and the name's.
    fileprivate var folder: [CChar]
    fileprivate var name: [CChar]
    /// The name with the bytes that are none shown as `\xE9`, relative to the pictures.
    var shown: String
  }

  private let pictures: String

  init(_ place: LibraryFolders) { pictures = place.pictures }

  /// The files that the library would take if it could name them; folders of such names, too.
  func findings() -> [Finding] {
    var found: [Finding] = []
    find(in: Array(pictures.utf8CString), shown: "", depth: 0, &found)
    return found
  }

  /// Gives each of them a name in which every byte that is none is a `_`, or that with a number, folders first.
  ///
  /// - Returns: The new names, relative to the pictures.
  func repair() -> [String] {
    var repaired: [String] = []
    // What lies in a folder is found once the folder has a name.
    for _ in 0..<Self.deepest {
      let found = findings()
      let renamed = found.compactMap(Self.rename)
      repaired += renamed
      if renamed.isEmpty { break }
    }
    return repaired
  }

  private static let deepest = 32

  private func find(in folder: [CChar], shown: String, depth: Int, _ found: inout [Finding]) {
    guard depth < Self.deepest, let directory = opendir(folder) else { return }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { start in
          Array(UnsafeBufferPointer(start: start, count: strlen(start) + 1))
        }
      }
      guard name.first != CChar(UInt8(ascii: ".")) else { continue }
      let path = folder.dropLast() + [CChar(UInt8(ascii: "/"))] + name
      var status = stat()
      guard lstat(Array(path), &status) == 0 else { continue }
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      let text = String(validating: Self.bytes(name), as: UTF8.self)
      let place = shown + (text ?? Self.shown(name))
      if text == nil {
        let isMedia = isFolder || MediaFacts.isMedia(named: Self.readable(name))
        if isMedia { found.append(Finding(folder: folder, name: name, shown: place)) }
      } else if isFolder {
        find(in: Array(path), shown: "\(place)/", depth: depth + 1, &found)
      }
    }
  }

  /// Renames a file; returns its new name relative to the pictures, or `nil` where it cannot be renamed.
  private static func rename(_ finding: Finding) -> String? {
    let place = finding.shown.lastIndex(of: "/").map { String(finding.shown[...$0]) } ?? ""
    let folder = readable(finding.folder)
    let name = readable(finding.name).replacing("\u{FFFD}", with: "_") as NSString
    let from = finding.folder.dropLast() + [CChar(UInt8(ascii: "/"))] + finding.name
    for number in 0..<1000 {
      let suffix = name.pathExtension.isEmpty ? "" : ".\(name.pathExtension)"
      let new = number == 0 ? name as String : "\(name.deletingPathExtension)-\(number)\(suffix)"
      if move(Array(from), to: "\(folder)/\(new)") { return place + new }
      guard errno == EEXIST else { return nil }
    }
    return nil
  }

  /// Never over a file that is there.
  private static func move(_ from: [CChar], to new: String) -> Bool {
    if Disk.link(from, new) { return Disk.unlink(from) }
    // Folders, and file systems without second names.
    guard errno == EPERM || errno == EOPNOTSUPP else { return false }
    guard !FileCalls.exists(new) else {
      errno = EEXIST
      return false
    }
    return Disk.rename(from, new)
  }

  private static func bytes(_ name: [CChar]) -> [UInt8] { name.dropLast().map { UInt8(bitPattern: $0) } }

  private static func readable(_ name: [CChar]) -> String { String(decoding: bytes(name), as: UTF8.self) }

  private static func shown(_ name: [CChar]) -> String {
    var text = ""
    var parser = Unicode.UTF8.ForwardParser()
    var bytes = self.bytes(name).makeIterator()
    var rest = self.bytes(name)[...]
    while true {
      switch parser.parseScalar(from: &bytes) {
      case .valid(let scalar):
        rest = rest.dropFirst(scalar.count)
        text.unicodeScalars.append(Unicode.UTF8.decode(scalar))
      case .error(let length):
        for byte in rest.prefix(length) { text += "\\x" + String(byte, radix: 16, uppercase: true) }
        rest = rest.dropFirst(length)
      case .emptyInput: return text
      }
    }
  }
}
