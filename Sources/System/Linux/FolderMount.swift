/// The file system that a folder lies on.
package struct FolderMount: Sendable, Hashable {
  /// The folder where the file system begins.
  package let folder: String
  /// The kernel's name of the file system: `ext4`, `nfs4`, `fuse.sshfs`.
  package let fileSystem: String

  /// Those whose files other machines have, too.
  private static let networkSystems: Set<String> = [
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "fuse.sshfs", "9p", "ceph", "davfs", "fuse.davfs", "fuse.rclone",
  ]

  /// The mount of a path: the one with the longest folder, and of several the last one, which hides the others.
  ///
  /// - Parameters:
  ///   - path: Absolute and without links; what does not exist lies where its folder does.
  ///   - mounts: The kernel's list, as proc(5) describes mountinfo.
  /// - Returns: `nil` where the list has none, as an empty one.
  package init?(of path: String, in mounts: String) {
    var found: (folder: String, fileSystem: String)?
    for line in mounts.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count > 6, let dash = fields.dropFirst(6).firstIndex(of: "-"), dash + 1 < fields.count
      else {
        continue
      }
      let folder = MountedDisks.plain(fields[4], escape: "\\", digits: 3, radix: 8)
      let isAbove = folder == "/" || path == folder || path.hasPrefix("\(folder)/")
      guard isAbove, folder.utf8.count >= found?.folder.utf8.count ?? 0 else { continue }
      found = (folder, String(fields[dash + 1]))
    }
    guard let found else { return nil }
    (folder, fileSystem) = found
  }

  /// Whether other machines have its files, too.
  package var isOnNetwork: Bool { Self.networkSystems.contains(fileSystem) }
}
