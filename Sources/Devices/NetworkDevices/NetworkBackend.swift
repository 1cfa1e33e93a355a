internal import CaptureDevice

@section("obscura_backends") @used
private let registration: @convention(c) () -> Void = {
  DeviceBackends.register(
    DeviceBackend(
      name: "network", spellings: ["network"],
      summary: "the cameras of the network that cameras.json lists", rank: 60, isUsual: true,
      diagnose: { KeyringDiagnosis(KnownCameras.path()).findings }
    ) { _ throws(CaptureDeviceError) in
      NetworkDeviceProvider(listedIn: KnownCameras.path())
    })
  for (scheme, media) in [
    ("rtsp", "RTSP"), ("rtsps", "RTSP over TLS"), ("http", "Motion JPEG or another stream over HTTP"),
    ("https", "the same over TLS"), ("rtmp", "RTMP"), ("rtmps", "RTMP over TLS"), ("srt", "SRT"),
  ] {
    DeviceBackends.register(
      DeviceBackend(
        name: scheme, spellings: ["\(scheme)://HOST/PATH"],
        summary: "a camera of the network, and its microphone, by \(media)", rank: 61
      ) { rest throws(CaptureDeviceError) in
        let address = try NetworkAddress("\(scheme):\(rest ?? "")")
        let known = try KnownCameras().entry(for: address)
        return NetworkDeviceProvider(
          known?.address ?? address, name: known?.name, timeout: NetworkDeviceProvider.askedTimeout)
      })
  }
}
