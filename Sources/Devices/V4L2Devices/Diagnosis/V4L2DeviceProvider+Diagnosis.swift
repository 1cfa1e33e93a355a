internal import CaptureDevice
internal import Glibc
internal import Linux

extension V4L2DeviceProvider {
  /// Looks at every node: what is no camera and why, which camera cannot be used and why, how each is connected.
  ///
  /// Opens each camera for a moment and asks it for a buffer, which only a camera that does not stream gives; milliseconds
  /// for each. A camera that this program streams from counts as usable.
  package func diagnose() -> [CameraFinding] {
    let omitted = omitted().map { node in
      // A node that is no camera is no trouble; one that refuses is.
      node.code.map { CameraFinding(.nodes, CaptureDeviceError($0, node.reason)) }
        ?? CameraFinding(.nodes, node.reason)
    }
    let cameras = cameras()
    return omitted + cameras.flatMap { [$0.occupation(), $0.depthOccupation()].compactMap(\.self) }
      + connections(cameras)
  }

  // MARK: USB

  private func connections(_ cameras: [V4L2Camera]) -> [CameraFinding] {
    cameras.compactMap { camera in
      guard let usb = camera.usb, usb.megabits > 0 else { return nil }
      let name = "\(camera.facts.name) (\(camera.path))"
      if usb.megabits < 480 {
        return CameraFinding(
          .usb,
          "\(name) is connected at \(usb.megabits) Mbit/s, which no video fits through; use another cable, or a port "
            + "without an old hub before it.", isTrouble: true, uniqueID: camera.facts.uniqueID)
      }
      if usb.version.hasPrefix("3"), usb.megabits < 5000 {
        return CameraFinding(
          .usb,
          "\(name) is made for USB 3 and connected at \(usb.megabits) Mbit/s, so large pictures come slowly; use a USB 3 "
            + "port and a cable for it.", isTrouble: true, uniqueID: camera.facts.uniqueID)
      }
      let others = cameras.filter { $0 !== camera && $0.usb.map(\.bus) == usb.bus }.map(\.facts.name)
      let company =
        others.isEmpty
        ? "no other camera is on its bus"
        : "it shares its bus with \(others.joined(separator: ", ")), so that not all of them can stream uncompressed at once"
      return CameraFinding(
        .usb, "\(name) is connected at \(usb.megabits) Mbit/s; \(company).", uniqueID: camera.facts.uniqueID)
    }
  }
}

extension USBPlacement {
  /// The bus that it is on: a controller's, of one generation.
  fileprivate var bus: Substring {
    socket.lastIndex(of: "-").map { socket[..<$0] } ?? socket[...]
  }
}

extension V4L2Camera {
  /// The processes that have the camera; `nil` when it is free.
  func occupation() -> CameraFinding? {
    let id = facts.uniqueID
    do throws(KernelRefusal) {
      try askForBuffer(path)
    } catch {
      let isOurs = error.errno == EBUSY && holders.contains { $0.process == getpid() }
      return isOurs ? nil : CameraFinding(.cameras, refused(error, "be used"), uniqueID: id)
    }
    let others = holders.filter { $0.process != getpid() }
    guard !others.isEmpty else { return nil }
    let names = others.map { "\($0.name) (process \($0.process))" }.joined(separator: ", ")
    return CameraFinding(
      .cameras, "\(facts.name) (\(path)) is open in \(names), which does not stream from it.", uniqueID: id)
  }

  /// The error that keeps the camera from measuring depth, which leaves its pictures; `nil` when depth works.
  func depthOccupation() -> CameraFinding? {
    guard let node = depthNode else { return nil }
    do throws(KernelRefusal) {
      try askForBuffer(node.path)
      return nil
    } catch {
      let isOurs = error.errno == EBUSY && kernel.holders(of: node.path).contains { $0.process == getpid() }
      return isOurs
        ? nil
        : CameraFinding(
          .cameras, refused(error, node, "measure depth").message, isTrouble: true, uniqueID: facts.uniqueID)
    }
  }

  private func askForBuffer(_ path: String) throws(KernelRefusal) {
    let handle = try kernel.open(path)
    defer { kernel.close(handle) }
    _ = try kernel.requestBuffers(handle, count: 1)
    _ = try kernel.requestBuffers(handle, count: 0)
  }
}
