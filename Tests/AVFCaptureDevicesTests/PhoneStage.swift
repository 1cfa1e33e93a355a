import AVFoundation
import CaptureDevice
import CaptureStage
import Linux
import SimulatedDevices
import Testing

/// A camera of the phone's, the triple one unless another is named, that films a wall on a manual clock.
final class PhoneStage {
  let clock = SimulatedClock()
  let session = AVCaptureSession()
  let device: AVCaptureDevice
  private let counter = FrameCounter()

  init(_ type: AVCaptureDevice.DeviceType = .builtInTripleCamera, wallAt depth: Double = 3) throws {
    var scene = Scene(
      isStamped: false, isNoisy: false, background: SceneBackground(depth: depth),
      devices: SimulatedDeviceModel.builtIn)
    scene.isStill = true
    SimulatedDevices.install(scene: scene, clock: clock, access: .granted)
    device = try #require(AVCaptureDevice.default(type, for: .video, position: .back))
    session.sessionPreset = .vga640x480
    session.addInput(try AVCaptureDeviceInput(device: device))
    let output = AVCaptureVideoDataOutput()
    counter.watch(output)
    session.addOutput(output)
  }

  deinit {
    session.stopRunning()
    CaptureDeviceProviders.install(nil)
  }

  /// The camera that takes the frames, once the settings of `change` show.
  func camera(
    after change: (AVCaptureDevice) -> Void = { _ in }
  ) throws -> AVCaptureDevice.DeviceType? {
    try device.lockForConfiguration()
    change(device)
    device.unlockForConfiguration()
    for _ in 0..<20 { clock.advance(by: .nanoseconds(33_333_334)) }
    return device.activePrimaryConstituent?.deviceType
  }
}

extension AVCaptureDevice {
  /// Locks the device, lets the test change it, and unlocks it.
  func configured<Result>(_ body: (AVCaptureDevice) throws -> Result) throws -> Result {
    try lockForConfiguration()
    defer { unlockForConfiguration() }
    return try body(self)
  }
}
