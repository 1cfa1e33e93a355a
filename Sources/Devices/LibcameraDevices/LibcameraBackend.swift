#if LibcameraDevices
  internal import CaptureDevice

  @section("obscura_backends") @used
  private let registration: @convention(c) () -> Void = {
    DeviceBackends.register(
      DeviceBackend(
        name: "libcamera", spellings: ["libcamera"],
        summary:
          "the cameras that libcamera drives: those of a Raspberry Pi, and of laptops with bare sensors",
        rank: 20, isUsual: true, diagnose: { LibcameraDiagnosis(InstalledLibrary()).findings }
      ) { _ in LibcameraDeviceProvider(InstalledLibrary()) })
  }
#endif
