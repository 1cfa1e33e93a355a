import ALSADevices
import CaptureDevice
import Glibc
import Linux
import Testing

@Suite("ALSA: errors")
struct MicrophoneErrorTests {
  private let device = MicrophoneName("Yeti", "/dev/snd/pcmC0D0c")

  @Test(arguments: [
    (AudioCall.open, ENODEV, CaptureDeviceError.Code.disconnected), (.read, ENODEV, .disconnected),
    (.open, ENOENT, .disconnected), (.open, EACCES, .permissionDenied), (.open, EBUSY, .deviceBusy),
    (.start, ENOSPC, .bandwidthExhausted), (.configure, EINVAL, .formatUnsupported),
    (.open, EMFILE, .outOfMemory), (.configure, ENOMEM, .outOfMemory), (.read, EPROTO, .ioFailure),
    (.wait, EIO, .ioFailure), (.open, ECONNREFUSED, .ioFailure), (.start, EINVAL, .ioFailure),
  ])
  func `every refusal has its code and a whole sentence`(
    _ call: AudioCall, _ errno: Int32, _ code: CaptureDeviceError.Code
  ) {
    let error = AudioRefusal(call, errno).error(device, "be opened") { _ in [] }
    #expect(error.code == code)
    #expect(error.message.hasPrefix("Yeti (/dev/snd/pcmC0D0c) cannot be opened: "))
    #expect(error.message.hasSuffix(".") && error.message.contains("; "))
  }

  private func busy(_ holders: [DeviceHolder]) -> String {
    AudioRefusal(.open, EBUSY).error(device, "be opened") { path in
      path == "/dev/snd/pcmC0D0c" ? holders : []
    }.message
  }

  @Test func `who keeps a busy microphone is named`() {
    #expect(
      busy([DeviceHolder(process: 4711, name: "arecord")])
        == "Yeti (/dev/snd/pcmC0D0c) cannot be opened: arecord (process 4711) uses it; "
        + "close that program and try again.")
    #expect(busy([DeviceHolder(process: getpid(), name: "me")]).contains("this program already records"))
    #expect(busy([]).contains("another program uses it"))
    #expect(busy([DeviceHolder(process: 9, name: "pipewire")]).contains("pipewire-alsa"))
  }

  @Test func `a busy microphone says so when it is opened`() throws {
    let library = ScriptedAudioLibrary([.usb()])
    let microphone = try library.microphone()
    library.state.withLock { $0.holders = [DeviceHolder(process: 4711, name: "arecord")] }
    library.force(.open, EBUSY)
    #expect { try microphone.open() } throws: { error in
      guard let error = error as? CaptureDeviceError else { return false }
      return error.code == .deviceBusy && error.message.contains("arecord (process 4711)")
    }
    #expect(microphone.holders.map(\.process) == [4711])
  }
}
