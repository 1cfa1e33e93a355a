internal import Foundation
internal import Linux

/// The folder in which a process keeps files until the catalogue knows them.
///
/// It lies beside the pictures, under a lock that ends with the process: what a killed one leaves is recognised
/// and removed. Thread-safe.
final class Staging: Sendable {
  /// Relative to the folder of pictures.
  let name: String
  private let folder: String
  private let held: Descriptor

  /// The name of the file whose lock says that the folder is in use.
  private static let lockName = "lock"

  init(_ place: LibraryFolders) throws(SystemError) {
    (name, folder, held) = try Self.claim(place)
  }

  private static func claim(
    _ place: LibraryFolders
  ) throws(SystemError) -> (name: String, folder: String, held: Descriptor) {
    let process = ProcessInfo.processInfo.processIdentifier
    var attempt = 0
    while true {
      let own = "\(process)-\(String(UInt32.random(in: 0 ... .max), radix: 16))"
      let folder = "\(place.staging)/\(own)"
      try FileCalls.makeFolder(folder)
      if let held = FileCalls.lock("\(folder)/\(lockName)") { return (".staging/\(own)", folder, held) }
      // Another process may have swept the folder away before it was locked.
      attempt += 1
      guard attempt < 10 else { throw .last("write \(folder)") }
    }
  }

  deinit {
    FileCalls.remove("\(folder)/\(Self.lockName)")
    FileCalls.removeFolder(folder)
  }

  /// A name for a file that is not there yet: the name relative to the pictures, and the path.
  private func fresh() -> (name: String, path: String) {
    let own = UUID().uuidString
    return ("\(name)/\(own)", "\(folder)/\(own)")
  }

  /// Writes bytes; returns the file's name relative to the pictures.
  func stage(_ data: Data) throws(SystemError) -> String {
    let file = fresh()
    try AtomicFile.write(data, to: file.path, replacing: false)
    return file.name
  }

  /// Takes a file in; returns its name relative to the pictures.
  ///
  /// - Parameter shares: Whether the file may be the same as the original's, which is removed later; a copy on another disk.
  func stage(fileAt path: String, shares: Bool) throws(SystemError) -> String {
    let file = fresh()
    if shares, try FileCalls.share(path, as: file.path) { return file.name }
    try FileCalls.copy(path, to: file.path)
    return file.name
  }

  /// Removes what processes that have ended left; `keeping` are names that the catalogue still waits for.
  static func sweep(_ place: LibraryFolders, keeping: Set<String>) {
    for own in DeviceTree.names(in: place.staging) where !own.hasPrefix(".") {
      let folder = "\(place.staging)/\(own)"
      // Not through a link, which may lead out of the library.
      guard FileCalls.kind(folder) == .folder else { continue }
      guard let lock = FileCalls.lock("\(folder)/\(lockName)") else { continue }
      var isEmpty = true
      for file in DeviceTree.names(in: folder) where file != "." && file != ".." && file != lockName {
        if keeping.contains(".staging/\(own)/\(file)") {
          isEmpty = false
        } else {
          FileCalls.remove("\(folder)/\(file)")
        }
      }
      if isEmpty {
        FileCalls.remove("\(folder)/\(lockName)")
        FileCalls.removeFolder(folder)
      }
      withExtendedLifetime(lock) {}
    }
  }
}
