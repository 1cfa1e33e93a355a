import CaptureDevice
import Foundation
import SimulatedDevices

/// A small camera and a microphone in a time of their own, which goes on as fast as their pictures are made.
///
/// A command waits for them as for any others, and a second of theirs takes some milliseconds.
enum QuickDevices {
  static let camera = "disk.camera"
  static let microphone = SimulatedDeviceModel(
    facts: DeviceFacts(
      uniqueID: "disk.microphone", modelID: "Simulated Test Microphone", name: "Microphone",
      manufacturer: "Obscura", kind: .builtInMicrophone, position: .unspecified, media: [.audio],
      formats: []))

  /// Both, without noise.
  static var scene: Scene {
    var scene = Scene(isNoisy: false)
    scene.devices = [.camera(uniqueID: camera), microphone]
    return scene
  }

  /// Makes them known by the word `quick`, and lets their time go on until the process ends.
  static func begin() {
    let clock = SimulatedClock()
    let provider = SimulatedDevices.install(scene: scene, clock: clock)
    DeviceBackends.register(
      DeviceBackend(
        name: "quick", spellings: ["quick"], summary: "the devices of a trial", isSimulation: true
      ) { _ in provider })
    step(clock, on: DispatchQueue(label: "disk.time"))
  }

  /// Between the steps a command does what it does beside its camera.
  private static func step(_ clock: SimulatedClock, on queue: DispatchQueue) {
    clock.advance(by: .milliseconds(10))
    queue.asyncAfter(deadline: .now() + .microseconds(200)) { step(clock, on: queue) }
  }
}
