internal import CaptureDevice

@section("obscura_backends") @used
private let registration: @convention(c) () -> Void = {
  DeviceBackends.register(
    DeviceBackend(
      name: "movie", spellings: ["movie:FILE"],
      summary: "a movie, played over and over as a camera, and its audio as a microphone", rank: 40,
      isSimulation: true
    ) { path throws(CaptureDeviceError) in
      guard let path, !path.isEmpty else {
        throw CaptureDeviceError(.invalidScene, "“movie:” names no file; write movie:FILE.")
      }
      return try MovieDeviceProvider(path: path)
    })
}
