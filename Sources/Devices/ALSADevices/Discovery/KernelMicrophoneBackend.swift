internal import CaptureDevice

@section("obscura_backends") @used
private let registration: @convention(c) () -> Void = {
  DeviceBackends.register(
    DeviceBackend(name: "alsa", spellings: ["alsa"], summary: "the microphones alone", rank: 20) { _ in
      ALSADeviceProvider()
    })
}
