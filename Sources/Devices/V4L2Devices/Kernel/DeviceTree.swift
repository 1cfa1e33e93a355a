internal import Glibc

/// What sysfs tells of video devices.
enum DeviceTree {
  private static let root = "/sys/class/video4linux"

  /// Where the device behind `video…` sits.
  ///
  /// A missing file is a missing fact.
  static func placement(ofNodeNamed name: String) -> DevicePlacement {
    let index = line("\(root)/\(name)/index").flatMap { Int($0) } ?? 0
    guard let device = resolved("\(root)/\(name)/device") else { return DevicePlacement(nodeIndex: index) }
    return DevicePlacement(nodeIndex: index, usb: usb(above: device))
  }

  /// The USB device whose interface is at `folder`, or above it.
  private static func usb(above folder: String) -> USBPlacement? {
    var interface = 0
    var parts = folder.split(separator: "/")
    while parts.count > 2 {
      let folder = "/" + parts.joined(separator: "/")
      if let number = line("\(folder)/bInterfaceNumber").flatMap({ Int($0, radix: 16) }) {
        interface = number
      }
      if let vendor = line("\(folder)/idVendor").flatMap({ UInt16($0, radix: 16) }),
        let product = line("\(folder)/idProduct").flatMap({ UInt16($0, radix: 16) })
      {
        return USBPlacement(
          port: String(parts[parts.count - 1]), vendor: vendor, product: product,
          serial: line("\(folder)/serial") ?? "", manufacturer: line("\(folder)/manufacturer") ?? "",
          productName: line("\(folder)/product") ?? "", interface: interface,
          isFixed: line("\(folder)/removable") == "fixed")
      }
      parts.removeLast()
    }
    return nil
  }

  /// The first line of a small file without the spaces around it; `nil` where there is no such file.
  static func line(_ path: String) -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = fread(&bytes, 1, bytes.count, file)
    let first = bytes.prefix(count).prefix { $0 != 10 && $0 != 0 }
    let text = String(decoding: first, as: UTF8.self)
    return String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }

  /// What a folder holds; nothing where there is no such folder.
  static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) { pointer in
          pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
        })
    }
    return names
  }

  /// Where a path leads without symbolic links.
  private static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}

extension DeviceHolder {
  /// The processes that have `path` open.
  ///
  /// Those of other users are seen by the superuser only.
  static func all(of path: String) -> [DeviceHolder] {
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
