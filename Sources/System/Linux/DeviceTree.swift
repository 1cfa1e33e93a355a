internal import Glibc

/// Reads the folders and small files of sysfs and procfs.
///
/// A missing file is a missing fact. Thread-safe; each call reads anew.
package enum DeviceTree {
  /// The USB device whose interface is at `folder`, or above it; `nil` for a device of another bus.
  package static func usb(above folder: String) -> USBPlacement? {
    guard let device = usbFolder(above: folder) else { return nil }
    let parts = device.split(separator: "/").map(String.init)
    var interface: (number: Int, name: String) = (0, "")
    var folder = folder
    while folder.count > device.count {
      if let number = line("\(folder)/bInterfaceNumber").flatMap({ Int($0, radix: 16) }) {
        interface = (number, line("\(folder)/interface") ?? "")
      }
      folder = "/" + folder.split(separator: "/").dropLast().joined(separator: "/")
    }
    func hexadecimal(_ name: String) -> UInt16 {
      line("\(device)/\(name)").flatMap { UInt16($0, radix: 16) } ?? 0
    }
    return USBPlacement(
      port: parts.last ?? "", socket: socket(parts), vendor: hexadecimal("idVendor"),
      product: hexadecimal("idProduct"), serial: line("\(device)/serial") ?? "",
      manufacturer: line("\(device)/manufacturer") ?? "", productName: line("\(device)/product") ?? "",
      interface: interface.number, functionName: interface.name,
      isFixed: line("\(device)/removable") == "fixed",
      megabits: line("\(device)/speed").flatMap { Double($0) }.map { Int($0) } ?? 0,
      version: line("\(device)/version") ?? "")
  }

  /// The folder of the USB device whose interface is at `folder`, or above it; `nil` for a device of another bus.
  package static func usbFolder(above folder: String) -> String? {
    var parts = folder.split(separator: "/")
    while parts.count > 2 {
      let folder = "/" + parts.joined(separator: "/")
      if line("\(folder)/idVendor") != nil, line("\(folder)/idProduct") != nil { return folder }
      parts.removeLast()
    }
    return nil
  }

  /// See ``USBPlacement/socket``; `nil` for a path without a root hub.
  private static func socket(_ parts: [String]) -> String? {
    guard let hub = parts.lastIndex(where: { $0.hasPrefix("usb") && Int($0.dropFirst(3)) != nil }), hub > 0,
      let port = parts.last, let dash = port.firstIndex(of: "-")
    else { return nil }
    let version = line("/" + parts[...hub].joined(separator: "/") + "/version") ?? ""
    let generation = version.hasPrefix("3") ? "usb3" : "usb2"
    return "\(parts[hub - 1])-\(generation)-\(port[port.index(after: dash)...])"
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

  /// The content of a folder; empty where there is no such folder.
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

  /// The target of a path without symbolic links; `nil` where it leads nowhere.
  package static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}

/// The port, the identity and the speed of a USB device, from sysfs.
package struct USBPlacement: Sendable, Hashable {
  /// As in `1-1.4`: bus, then ports.
  ///
  /// The bus's number may be another one after a reboot.
  package var port: String
  /// The same place in words that a reboot leaves: the controller, which of its two buses, then the ports, as in
  /// `0000:00:14.0-usb2-1.4`.
  ///
  /// A controller has a bus for each generation of USB, whose ports are numbered alike and need not be the same holes.
  package var socket: String
  package var vendor: UInt16
  package var product: UInt16
  /// Empty where the device has none.
  package var serial: String
  package var manufacturer: String
  package var productName: String
  /// The number of the device's function that the node belongs to.
  package var interface: Int
  /// The device's name of that function; empty where it has none.
  package var functionName: String
  /// Whether the device is built into the machine and cannot be unplugged.
  package var isFixed: Bool
  /// The speed of the connection in megabits a second: 12, 480, 5000; 0 where it is not stated.
  package var megabits: Int
  /// The version of USB that it is made for, as in `2.00`; empty where it is not stated.
  package var version: String

  /// A USB device.
  package init(
    port: String, socket: String? = nil, vendor: UInt16, product: UInt16, serial: String = "",
    manufacturer: String = "", productName: String = "", interface: Int = 0, functionName: String = "",
    isFixed: Bool = false, megabits: Int = 0, version: String = ""
  ) {
    self.port = port
    self.socket = socket ?? port
    self.vendor = vendor
    self.product = product
    self.serial = serial
    self.manufacturer = manufacturer
    self.productName = productName
    self.interface = interface
    self.functionName = functionName
    self.isFixed = isFixed
    self.megabits = megabits
    self.version = version
  }
}
