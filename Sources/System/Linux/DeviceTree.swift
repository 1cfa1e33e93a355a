internal import Glibc

/// What sysfs and procfs tell: folders of small files.
///
/// A missing file is a missing fact. Thread-safe; each call reads anew.
package enum DeviceTree {
  /// The USB device whose interface is at `folder`, or above it; `nil` for a device of another bus.
  package static func usb(above folder: String) -> USBPlacement? {
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
  package static func line(_ path: String) -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = fread(&bytes, 1, bytes.count, file)
    let first = bytes.prefix(count).prefix { $0 != 10 && $0 != 0 }
    let text = String(decoding: first, as: UTF8.self)
    return String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }

  /// What a folder holds; nothing where there is no such folder.
  package static func names(in folder: String) -> [String] {
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

  /// Where a path leads without symbolic links; `nil` where it leads nowhere.
  package static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}

/// What a USB device tells of itself.
package struct USBPlacement: Sendable, Hashable {
  /// As in `1-1.4`: bus, then ports.
  package var port: String
  package var vendor: UInt16
  package var product: UInt16
  /// Empty where the device has none.
  package var serial: String
  package var manufacturer: String
  package var productName: String
  /// Which of the device's functions the node belongs to.
  package var interface: Int
  /// Whether the device is built into the machine and cannot be unplugged.
  package var isFixed: Bool

  /// A USB device.
  package init(
    port: String, vendor: UInt16, product: UInt16, serial: String = "", manufacturer: String = "",
    productName: String = "", interface: Int = 0, isFixed: Bool = false
  ) {
    self.port = port
    self.vendor = vendor
    self.product = product
    self.serial = serial
    self.manufacturer = manufacturer
    self.productName = productName
    self.interface = interface
    self.isFixed = isFixed
  }
}
