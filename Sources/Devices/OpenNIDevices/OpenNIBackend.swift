internal import CaptureDevice

@section("obscura_backends") @used
private let registration: @convention(c) () -> Void = {
  DeviceBackends.register(
    DeviceBackend(
      name: "openni", spellings: ["openni", "openni:FILE.oni"],
      summary: "the depth cameras that OpenNI 2 drives, or a recording of one played as a camera", rank: 45,
      diagnose: { OpenNIDiagnosis.current.findings }
    ) { path throws(CaptureDeviceError) in
      guard let path else { return OpenNIDeviceProvider() }
      guard !path.isEmpty else {
        throw CaptureDeviceError(
          .invalidScene, "“openni:” names no file; write openni:FILE.oni, or openni for cameras.")
      }
      return try OpenNIRecordingProvider(path: path)
    })
}
