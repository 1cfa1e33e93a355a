internal import CaptureDevice
internal import Foundation

@section("obscura_backends") @used
private let registration: @convention(c) () -> Void = {
  DeviceBackends.register(
    DeviceBackend(
      name: "simulated", spellings: ["simulated", "simulated:FILE.json"],
      summary: "simulated devices, of the built-in scene or that of a file", rank: 30, isSimulation: true
    ) { path throws(CaptureDeviceError) in
      guard let path else { return SimulatedDeviceProvider() }
      guard !path.isEmpty else {
        throw CaptureDeviceError(
          .invalidScene, "“simulated:” names no scene file; write simulated:FILE.json or simulated.")
      }
      return SimulatedDeviceProvider(scene: try Scene(contentsOf: URL(fileURLWithPath: path)))
    })
}
