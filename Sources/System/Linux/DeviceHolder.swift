internal import Glibc

/// A process that has a device node open.
package struct DeviceHolder: Sendable, Hashable {
  /// Its number.
  package var process: Int32
  /// Its name, at most 15 characters.
  package var name: String

  /// A holder.
  package init(process: Int32, name: String) {
    self.process = process
    self.name = name
  }

  /// The processes that have `path` open.
  ///
  /// Those of other users are seen by the superuser only. Reads `/proc`; milliseconds.
  package static func all(of path: String) -> [DeviceHolder] {
    DeviceTree.names(in: "/proc").compactMap { Int32($0) }.sorted().filter { process in
      DeviceTree.names(in: "/proc/\(process)/fd").contains { target(of: "/proc/\(process)/fd/\($0)") == path }
    }.map { process in
      DeviceHolder(process: process, name: DeviceTree.line("/proc/\(process)/comm") ?? "unknown")
    }
  }

  private static func target(of link: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = bytes.withUnsafeMutableBytes { buffer in
      buffer.withMemoryRebound(to: CChar.self) { characters in
        characters.baseAddress.map { readlink(link, $0, characters.count) } ?? -1
      }
    }
    return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}
