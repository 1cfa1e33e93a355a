internal import CaptureDevice

@section("obscura_backends") @used
private let registration: @convention(c) () -> Void = {
  DeviceBackends.register(
    DeviceBackend(
      name: "pipewire", spellings: ["pipewire", "pipewire:portal"],
      summary:
        "the cameras of PipeWire; with portal the desktop asks the user for them, as it does in a sandbox",
      rank: 50, isUsual: true
    ) { argument throws(CaptureDeviceError) in
      switch argument {
      case nil: return PipeWireDeviceProvider()
      case "portal": return PipeWireDeviceProvider(portal: CameraPortal())
      case let other?:
        throw CaptureDeviceError(
          .invalidScene, "“pipewire:\(other)” names no cameras; write pipewire or pipewire:portal.")
      }
    })
}
