internal import CaptureDevice
internal import Glibc
internal import Linux

/// The depth cameras on this machine's USB, whatever drives them: what OpenNI does not find shows here.
package struct DepthCameraBus: Sendable {
  /// A depth camera that is plugged in.
  struct Entry: Sendable, Hashable {
    var identity: USBIdentity
    var maker: DepthCameraMaker
    /// Its name as it tells it; empty where it does not.
    var name: String
    /// Whether this user may write to it, without which no driver opens it.
    var isWritable: Bool
    /// Whether the kernel makes a camera of it, which needs no OpenNI.
    var isKernelCamera: Bool
  }

  /// The reason why a depth camera that is plugged in is not there.
  struct Absence: Sendable, Hashable {
    var error: CaptureDeviceError
    /// Whether the camera can only be one of OpenNI's.
    var isCertain: Bool
  }

  private let folder: String
  private let nodes: String

  /// - Parameters:
  ///   - folder: The USB devices of sysfs.
  ///   - nodes: Their nodes, by bus and place.
  package init(folder: String = "/sys/bus/usb/devices", nodes: String = "/dev/bus/usb") {
    self.folder = folder
    self.nodes = nodes
  }

  /// The depth cameras there are, by place.
  var entries: [Entry] {
    DeviceTree.names(in: folder).sorted().compactMap { name in
      let device = "\(folder)/\(name)"
      func number(_ file: String, radix: Int) -> Int? {
        DeviceTree.line("\(device)/\(file)").flatMap { Int($0, radix: radix) }
      }
      guard let vendor = number("idVendor", radix: 16), let product = number("idProduct", radix: 16) else {
        return nil
      }
      let identity = USBIdentity(
        vendor: UInt16(truncatingIfNeeded: vendor), product: UInt16(truncatingIfNeeded: product))
      guard let maker = DepthCameraMaker(identity) else { return nil }
      let bus = number("busnum", radix: 10) ?? 0
      let place = number("devnum", radix: 10) ?? 0
      let interfaces = DeviceTree.names(in: device).filter { $0.hasPrefix("\(name):") }
      return Entry(
        identity: identity, maker: maker, name: DeviceTree.line("\(device)/product") ?? "",
        isWritable: access("\(nodes)/\(Self.three(bus))/\(Self.three(place))", W_OK) == 0,
        isKernelCamera: interfaces.contains {
          !DeviceTree.names(in: "\(device)/\($0)/video4linux").isEmpty
        })
    }
  }

  /// The reasons why depth cameras that are plugged in are not among those that OpenNI lists.
  func unseen(by listed: [ListedSensor]) -> [Absence] {
    entries.compactMap { entry in
      let isListed = listed.contains {
        $0.usbVendor == entry.identity.vendor && $0.usbProduct == entry.identity.product
      }
      if isListed || (entry.isKernelCamera && entry.maker != .kinect) { return nil }
      return Absence(error: entry.absence, isCertain: entry.maker == .primeSense)
    }
  }

  private static func three(_ number: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(3 - text.count, 0)) + text
  }
}

/// The makers of depth cameras that OpenNI has, or had, drivers for.
enum DepthCameraMaker: Sendable, Hashable {
  /// Xtion, Carmine and their kin: OpenNI drives them by itself.
  case primeSense
  /// Astra and its kin: the maker's driver is no part of OpenNI.
  case orbbec
  /// The cameras of game consoles.
  case kinect

  /// `nil` for other devices, and for what is no camera of theirs.
  init?(_ identity: USBIdentity) {
    switch (identity.vendor, identity.product) {
    case (0x1d27, _): self = .primeSense
    case (0x2bc5, _): self = .orbbec
    // Microsoft makes mice, too.
    case (0x045e, 0x02ae), (0x045e, 0x02bf), (0x045e, 0x02c4), (0x045e, 0x02d8): self = .kinect
    default: return nil
    }
  }
}

extension DepthCameraBus.Entry {
  /// The reason why it is not there, in a sentence.
  fileprivate var absence: CaptureDeviceError {
    let called = name.isEmpty ? "The depth camera \(identity.text)" : "\(name) (\(identity.text))"
    return switch maker {
    case .primeSense where !isWritable:
      CaptureDeviceError(
        .permissionDenied,
        "\(called) is plugged in, but this user may not write to it; install libopenni2-0, whose udev rule allows it, and plug it in again."
      )
    case .primeSense:
      CaptureDeviceError(
        .disconnected,
        "\(called) is plugged in, but OpenNI's driver does not find it; unplug it, plug it in again, and use a port without a hub."
      )
    case .orbbec:
      CaptureDeviceError(
        .disconnected,
        "\(called) is plugged in, but OpenNI has no driver for it; put its maker's driver for OpenNI 2 into OpenNI's folder of drivers."
      )
    case .kinect:
      CaptureDeviceError(
        .disconnected,
        "\(called) is plugged in, but OpenNI has no driver for it on Linux; use a depth camera of PrimeSense's kind, such as an Xtion."
      )
    }
  }
}
