import CaptureDevice
import CaptureDeviceTesting
import CoreVideo
import SimulatedDevices
import Testing

@Suite("Simulated devices keep the device contract")
struct ConformanceTests {
  private static let manual: [DeviceConformanceSuite.Check] = {
    let clock = SimulatedClock()
    let model = SimulatedDeviceModel.camera(
      sizes: [FrameSize(width: 64, height: 48), FrameSize(width: 160, height: 120)],
      stillSizes: [FrameSize(width: 64, height: 48), FrameSize(width: 200, height: 150)])
    let scene = Scene(devices: [model])
    return DeviceConformanceSuite(advance: { clock.advance(by: $0) }) {
      SimulatedDeviceProvider(scene: scene, clock: clock)
    }.checks
  }()

  private static let real: [DeviceConformanceSuite.Check] = {
    let model = SimulatedDeviceModel.camera(
      sizes: [FrameSize(width: 64, height: 48)], rates: 1...120,
      stillSizes: [FrameSize(width: 64, height: 48), FrameSize(width: 96, height: 72)])
    let scene = Scene(devices: [model])
    return DeviceConformanceSuite { SimulatedDeviceProvider(scene: scene, clock: .real) }.checks
  }()

  private static let motionJPEG: [DeviceConformanceSuite.Check] = {
    let clock = SimulatedClock()
    let model = SimulatedDeviceModel.camera(
      kind: .externalCamera, position: .unspecified, sizes: [FrameSize(width: 80, height: 64)],
      encodings: [.motionJPEG], sensorRotation: 0)
    let scene = Scene(devices: [model])
    return DeviceConformanceSuite(advance: { clock.advance(by: $0) }) {
      SimulatedDeviceProvider(scene: scene, clock: clock)
    }.checks
  }()

  private static let bareSensor: [DeviceConformanceSuite.Check] = {
    let clock = SimulatedClock()
    let layout = MosaicLayout(pixelFormat: kCVPixelFormatType_14Bayer_RGGB, bits: 12)
    let model = SimulatedDeviceModel.camera(
      sizes: [FrameSize(width: 80, height: 64)], encodings: [.mosaic(layout)])
    let scene = Scene(devices: [model])
    return DeviceConformanceSuite(advance: { clock.advance(by: $0) }) {
      SimulatedDeviceProvider(scene: scene, clock: clock)
    }.checks
  }()

  private static let manualMicrophone: [MicrophoneConformanceSuite.Check] = {
    let clock = SimulatedClock()
    return MicrophoneConformanceSuite(advance: { clock.advance(by: $0) }) {
      SimulatedDeviceProvider(scene: .builtIn, clock: clock)
    }.checks
  }()

  private static let realMicrophone: [MicrophoneConformanceSuite.Check] = MicrophoneConformanceSuite {
    SimulatedDeviceProvider(scene: .builtIn, clock: .real)
  }.checks

  @Test(arguments: manualMicrophone)
  func `a microphone on a manual clock`(check: MicrophoneConformanceSuite.Check) throws {
    try check.run()
  }

  @Test(arguments: realMicrophone)
  func `a microphone in real time`(check: MicrophoneConformanceSuite.Check) throws {
    try check.run()
  }

  @Test(arguments: bareSensor)
  func `as a bare sensor`(check: DeviceConformanceSuite.Check) throws {
    try check.run()
  }

  @Test(arguments: manual)
  func `on a manual clock`(check: DeviceConformanceSuite.Check) throws {
    try check.run()
  }

  @Test(arguments: real)
  func `in real time`(check: DeviceConformanceSuite.Check) throws {
    try check.run()
  }

  @Test(arguments: motionJPEG)
  func `with Motion JPEG`(check: DeviceConformanceSuite.Check) throws {
    try check.run()
  }

  @Test func `the built-in devices have sane facts`() throws {
    let clock = SimulatedClock()
    let suite = DeviceConformanceSuite(advance: { clock.advance(by: $0) }) {
      SimulatedDeviceProvider(scene: .builtIn, clock: clock)
    }
    for check in suite.checks where check.name.contains("facts") || check.name.contains("list of devices") {
      try check.run()
    }
  }
}
