package import CaptureDevice
internal import Glibc
package import Linux

/// The microphone that a sentence is about.
package struct MicrophoneName: Sendable, Hashable {
  package var name: String
  /// Its node; `nil` for one that a sound server offers.
  package var path: String?

  /// A microphone and its node.
  package init(_ name: String, _ path: String?) {
    self.name = name
    self.path = path
  }

  /// The name, with its node in brackets where it has one.
  package var full: String { path.map { "\(name) (\($0))" } ?? name }
}

extension AudioRefusal {
  /// The refusal as an error of the device contract: its code, and a sentence saying what failed, why, and what to do.
  ///
  /// This is the one table from errno to code. Sources: the pages of `snd_pcm_open`, `snd_pcm_start` and `snd_pcm_readi`,
  /// `audio/core/pcm_native.c`, `drivers/usb/core/urb.c` for the USB codes.
  /// - Parameters:
  ///   - device: Which microphone refused.
  ///   - doing: What was asked, to follow "cannot": `be opened`.
  ///   - holders: Who has a node open; asked only when it is busy.
  package func error(
    _ device: MicrophoneName, _ doing: String, holders: (String) -> [DeviceHolder]
  ) -> CaptureDeviceError {
    let (code, why, remedy) = verdict(device, holders)
    return CaptureDeviceError(code, "\(device.full) cannot \(doing): \(why); \(remedy).")
  }

  private typealias Verdict = (CaptureDeviceError.Code, why: String, remedy: String)

  private func verdict(_ device: MicrophoneName, _ holders: (String) -> [DeviceHolder]) -> Verdict {
    switch errno {
    case ENODEV, ENXIO, ENOENT, ESHUTDOWN:
      return (.disconnected, "it is no longer connected", "plug it in again")
    case EACCES, EPERM:
      return (
        .permissionDenied, "this user may not use \(device.path ?? "it")",
        "join the group that owns it ('sudo usermod -aG audio $USER'), then log in again"
      )
    // A device that is asked not to wait for another program says so with EAGAIN in some plugins.
    case EBUSY, EAGAIN:
      return busy(device.path.map(holders) ?? [])
    case ECONNREFUSED, EHOSTDOWN, EHOSTUNREACH, ECONNRESET:
      return (
        .ioFailure, "the sound server does not answer",
        "start it ('systemctl --user restart pipewire'), or choose the microphone itself"
      )
    case ENOSPC:
      return (
        .bandwidthExhausted, "the USB bus has no bandwidth left for it",
        "choose a lower rate or one channel, or plug it into another USB controller"
      )
    case ENOMEM: return (.outOfMemory, "the driver found no memory for its buffers", "close programs")
    case EMFILE, ENFILE:
      return (
        .outOfMemory, "too many files are open", "close some, or raise the limit that 'ulimit -n' shows"
      )
    case EINVAL where call == .configure || call == .abilities:
      return (
        .formatUnsupported, "it does not record in this format", "choose one that 'obscura devices' lists"
      )
    case EPROTO, ETIMEDOUT, EILSEQ, EOVERFLOW, ECOMM:
      return (
        .ioFailure, "the USB connection failed (\(text))", "try another cable or port, without a hub between"
      )
    case EIO: return (.ioFailure, "it stopped answering (\(text))", "unplug it and plug it in again")
    default:
      return (
        .ioFailure, "the driver refused with “\(text)”",
        "unplug it and plug it in again; the kernel's log ('sudo dmesg') may say more"
      )
    }
  }

  /// Desktops' sound servers hold a microphone for their clients.
  private static let servers: Set<String> = ["pipewire", "pulseaudio", "wireplumber"]

  private func busy(_ holders: [DeviceHolder]) -> Verdict {
    let others = holders.filter { $0.process != getpid() }
    if others.isEmpty {
      return holders.isEmpty
        ? (.deviceBusy, "another program uses it", "close that program and try again")
        : (.deviceBusy, "this program already records from it", "stop that stream first")
    }
    let names = others.map { "\($0.name) (process \($0.process))" }.joined(separator: ", ")
    if others.contains(where: { Self.servers.contains($0.name) }) {
      return (
        .deviceBusy, "the sound server \(names) uses it for another program",
        "stop recording there, or install pipewire-alsa to share it"
      )
    }
    return (.deviceBusy, "\(names) uses it", "close that program and try again")
  }

  /// The C library's words for the number.
  private var text: String {
    String(cString: strerror(errno))
  }
}
