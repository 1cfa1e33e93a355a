internal import Foundation

/// A disk that can be unplugged, and where it is mounted.
package struct MountedDisk: Sendable, Hashable {
  /// The folder where its files are.
  package var folder: String
  /// The node of the partition: `/dev/sdb1`.
  package var node: String
  /// The kernel's name of the file system: `vfat`, `exfat`, `ext4`.
  package var fileSystem: String
  package var isReadOnly: Bool
  /// The name that people gave it; `nil` without one.
  package var label: String?
  /// The file system's own identifier, as `/dev/disk/by-uuid` has it: `1A2B-3C4D`, or 36 characters.
  package var identifier: String?
}

/// Reads which disks that can be unplugged are mounted.
package struct MountedDisks: Sendable {
  private let mounts: String
  private let blocks: String
  private let links: String

  /// - Parameters:
  ///   - mounts: The kernel's list, as proc(5) describes mountinfo.
  ///   - blocks: The folder of block devices.
  ///   - links: The folder of the links `by-uuid` and `by-label`.
  package init(
    mounts: String = "/proc/self/mountinfo", blocks: String = "/sys/class/block", links: String = "/dev/disk"
  ) {
    self.mounts = mounts
    self.blocks = blocks
    self.links = links
  }

  /// Them, in the order in which they were mounted; one that is mounted twice where it was first.
  package func all() -> [MountedDisk] {
    guard let text = try? String(contentsOfFile: mounts, encoding: .utf8) else { return [] }
    let (labels, identifiers) = (names("by-label"), names("by-uuid"))
    var disks: [MountedDisk] = []
    for line in text.split(separator: "\n") {
      guard var disk = Self.disk(line), isRemovable(disk.node) else { continue }
      if disks.contains(where: { $0.node == disk.node }) { continue }
      let name = (disk.node as NSString).lastPathComponent
      (disk.label, disk.identifier) = (labels[name], identifiers[name])
      disks.append(disk)
    }
    return disks
  }

  /// A line of mountinfo; `nil` for what is not on a node of its own, and for a part of one that is mounted elsewhere.
  private static func disk(_ line: Substring) -> MountedDisk? {
    let fields = line.split(separator: " ")
    guard fields.count > 6, fields[3] == "/", let dash = fields.firstIndex(of: "-"), dash + 2 < fields.count,
      fields[dash + 2].hasPrefix("/dev/")
    else { return nil }
    return MountedDisk(
      folder: plain(fields[4], escape: "\\", digits: 3, radix: 8), node: String(fields[dash + 2]),
      fileSystem: String(fields[dash + 1]), isReadOnly: fields[5].split(separator: ",").contains("ro"))
  }

  /// Whether the disk of a partition can be unplugged: its kernel says so, or it hangs on USB, or is a memory card.
  private func isRemovable(_ node: String) -> Bool {
    let link = "\(blocks)/\((node as NSString).lastPathComponent)"
    let place = URL(fileURLWithPath: link).resolvingSymlinksInPath().path
    let removable = ["\(place)/removable", "\(place)/../removable"].contains {
      (try? String(contentsOfFile: $0, encoding: .utf8))?.first == "1"
    }
    return removable || place.contains("/usb") || place.contains("/mmc_host/")
  }

  /// What the links of a folder call each node.
  private func names(_ folder: String) -> [String: String] {
    let path = "\(links)/\(folder)"
    let manager = FileManager.default
    var names: [String: String] = [:]
    for name in (try? manager.contentsOfDirectory(atPath: path)) ?? [] {
      guard let target = try? manager.destinationOfSymbolicLink(atPath: "\(path)/\(name)") else { continue }
      names[(target as NSString).lastPathComponent] = Self.plain(name, escape: "\\x", digits: 2, radix: 16)
    }
    return names
  }

  /// Text without the kernel's or udev's escapes: `\040` and `\x20` are blanks.
  static func plain(
    _ text: some StringProtocol, escape: String, digits: Int, radix: Int
  ) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    let start = Array(escape.utf8)
    while !rest.isEmpty {
      let code = rest.dropFirst(start.count).prefix(digits)
      if rest.starts(with: start), code.count == digits,
        let byte = UInt8(String(decoding: code, as: UTF8.self), radix: radix)
      {
        bytes.append(byte)
        rest = rest.dropFirst(start.count + digits)
      } else {
        bytes.append(rest.removeFirst())
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
