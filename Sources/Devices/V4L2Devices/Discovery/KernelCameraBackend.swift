internal import CaptureDevice

@section("obscura_backends") @used
private let registration: @convention(c) () -> Void = {
  DeviceBackends.register(
    DeviceBackend(
      name: "v4l2", spellings: ["v4l2"], summary: "the kernel's cameras, and with them its microphones",
      rank: 10, isUsual: true,
      // A program that asks for the machine's cameras wants its microphones: no words need both.
      companions: ["alsa"]
    ) { _ in V4L2DeviceProvider() })
}
