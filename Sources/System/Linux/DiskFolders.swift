internal import Foundation
internal import Glibc

/// Folders that are made, and names that are removed, by way of ``Disk``.
extension Disk {
  /// Makes a folder and those above it that are missing.
  ///
  /// - Parameters:
  ///   - path: The folder; nothing happens where it is there.
  ///   - mode: Permissions of those that are new, from which the umask takes some away.
  /// - Throws: ``SystemError``: ``SystemError/Reason/alreadyExists`` where a file is in the way.
  package static func makeFolders(_ path: String, _ mode: UInt32 = 0o777) throws(SystemError) {
    let action = "make the folder \(path)"
    if makeFolder(path, mode) { return }
    if errno == EEXIST {
      var status = stat()
      if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return }
      throw SystemError(action, errno: EEXIST)
    }
    let parent = (path as NSString).deletingLastPathComponent
    guard errno == ENOENT, !parent.isEmpty, parent != path else { throw .last(action) }
    try makeFolders(parent, mode)
    guard makeFolder(path, mode) || errno == EEXIST else { throw .last(action) }
  }

  /// Removes a file, a link, or a folder with all in it; links are not followed.
  ///
  /// - Returns: Whether all of it is gone.
  @discardableResult
  package static func removeAll(_ path: String) -> Bool {
    var status = stat()
    guard lstat(path, &status) == 0 else { return errno == ENOENT }
    guard status.st_mode & S_IFMT == S_IFDIR else { return Disk.unlink(path) }
    for name in DeviceTree.names(in: path) where name != "." && name != ".." {
      removeAll("\(path)/\(name)")
    }
    return Disk.removeFolder(path)
  }
}
