package import CaptureDevice
internal import Glibc
package import Linux

/// The device that a sentence is about.
package struct DeviceName: Sendable, Hashable {
  package var name: String
  package var path: String

  /// A device and its node.
  package init(_ name: String, _ path: String) {
    self.name = name
    self.path = path
  }

  /// An error of the device; `what` follows its name in the sentence.
  func error(_ code: CaptureDeviceError.Code, _ what: String) -> CaptureDeviceError {
    CaptureDeviceError(code, "\(name) (\(path)) \(what)")
  }
}

extension KernelRefusal {
  /// The refusal as an error of the device contract: its code, and a sentence saying what failed, why, and what to do.
  ///
  /// This is the one table from errno to code. Sources: `Documentation/userspace-api/media/v4l` (each ioctl's "Return
  /// Value"), `open(2)`, `mmap(2)`, `drivers/usb/core/urb.c` for the USB codes.
  /// - Parameters:
  ///   - device: Which device refused.
  ///   - doing: What was asked, to follow "cannot": `stream 1920×1080 MJPG`.
  ///   - access: Who may open the node; asked only when this user may not.
  ///   - fitting: What would ask less of the bus, to follow "choose"; asked only when the bus is full.
  ///   - holders: Who has the device open; asked only when it is busy.
  package func error(
    _ device: DeviceName, _ doing: String, access: () -> NodeAccess = { NodeAccess(group: "video") },
    fitting: () -> String? = { nil }, holders: () -> [DeviceHolder]
  ) -> CaptureDeviceError {
    let (code, why, remedy) = verdict(device, access, fitting, holders)
    return device.error(code, "cannot \(doing): \(why); \(remedy).")
  }

  /// Whether the device is not there any more.
  var saysGone: Bool { [ENODEV, ENXIO, ENOENT, ESHUTDOWN].contains(errno) }

  private func verdict(
    _ device: DeviceName, _ access: () -> NodeAccess, _ fitting: () -> String?,
    _ holders: () -> [DeviceHolder]
  ) -> (CaptureDeviceError.Code, why: String, remedy: String) {
    switch errno {
    case _ where saysGone:
      return (.disconnected, "it is no longer connected", "plug it in again")
    case EACCES where call == .setValue || call == .setText:
      return (
        .controlUnsupported, "the control can only be read", "see what 'obscura devices' lists"
      )
    case EINVAL where call == .setValue || call == .setText, ERANGE:
      return (
        .controlUnsupported, "its driver does not take that value",
        "see what 'obscura devices' lists"
      )
    case EBUSY where call == .setValue || call == .setText:
      return (.deviceBusy, "the control cannot change while the camera streams", "stop the stream first")
    case EACCES:
      return forbidden(device, access())
    case EPERM:
      return (
        .permissionDenied,
        "this program may not use \(device.path), because the container or sandbox around it forbids that",
        "let the device in ('--device \(device.path)' for containers)"
      )
    case EBUSY:
      return busy(device, holders())
    case ENOSPC:
      return (
        .bandwidthExhausted, "the USB bus has no bandwidth left for it",
        "choose \(fitting() ?? "a smaller size, a lower frame rate or MJPEG"), or plug the camera into another USB "
          + "controller"
      )
    case ENOMEM:
      return (
        .outOfMemory, "the driver found no memory for its buffers", "close programs or ask for fewer buffers"
      )
    case EMFILE, ENFILE:
      return (
        .outOfMemory, "too many files are open", "close some, or raise the limit that 'ulimit -n' shows"
      )
    case EINVAL where call == .setLayout || call == .tryLayout || call == .setFrameDuration:
      return (
        .formatUnsupported, "the driver does not take this format", "choose one that 'obscura devices' lists"
      )
    case ENOTTY, EOPNOTSUPP:
      return (.formatUnsupported, "its driver has no such function", "use another camera for this")
    case EPROTO, EPIPE, ETIMEDOUT, EILSEQ, EOVERFLOW, ECOMM:
      return (
        .ioFailure, "the USB connection failed (\(text))", "try another cable or port, without a hub between"
      )
    case EIO:
      return (.ioFailure, "the device stopped answering (\(text))", "unplug it and plug it in again")
    default:
      return (
        .ioFailure, "the driver refused with “\(text)”",
        "unplug the camera and plug it in again; the kernel's log ('sudo dmesg') may say more"
      )
    }
  }

  private func forbidden(
    _ device: DeviceName, _ access: NodeAccess
  ) -> (CaptureDeviceError.Code, why: String, remedy: String) {
    guard let group = access.group else {
      return (
        .permissionDenied, "this user may not use \(device.path), and no group may",
        "have a udev rule give it to a group of yours, or log in at the machine itself"
      )
    }
    if access.hasJoinedSinceLogin {
      return (
        .permissionDenied, "this user has joined the group \(group), which may use it, after logging in",
        "log out and in again"
      )
    }
    return (
      .permissionDenied, "this user may not use \(device.path)",
      "join the group that owns it ('sudo usermod -aG \(group) $USER'), then log in again"
    )
  }

  private func busy(
    _ device: DeviceName, _ holders: [DeviceHolder]
  ) -> (CaptureDeviceError.Code, why: String, remedy: String) {
    let others = holders.filter { $0.process != getpid() }
    if others.isEmpty, holders.isEmpty {
      return (
        .deviceBusy, "another program uses it",
        "close that program and try again ('sudo fuser -v \(device.path)' names it)"
      )
    }
    if others.isEmpty {
      return (.deviceBusy, "this program already streams from it", "stop that stream first")
    }
    let names = others.map { "\($0.name) (process \($0.process))" }.joined(separator: ", ")
    return (.deviceBusy, "\(names) uses it", "close that program and try again")
  }

  /// The C library's words for the number.
  private var text: String {
    String(cString: strerror(errno))
  }
}
