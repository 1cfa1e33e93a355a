import CaptureDevice
import CaptureDeviceTesting
import CoreVideo
import Foundation
import Testing
import V4L2Devices

@Suite("V4L2: the device contract")
struct ConformanceTests {
  static let scripted = DeviceConformanceSuite {
    var camera = KernelCamera.webcam()
    camera.isAutomatic = true
    for index in camera.modes.indices {
      camera.modes[index].sizes = [.one(VideoSize(32, 16))]
      camera.modes[index].durations = [.one(VideoFraction(1, 60))]
    }
    camera.addControls()
    return V4L2DeviceProvider(kernel: ScriptedKernel([camera]))
  }

  static let scriptedDepth = DeviceConformanceSuite {
    V4L2DeviceProvider(
      kernel: ScriptedKernel(
        KernelCamera.depthCamera { depth, colour in
          depth.isAutomatic = true
          colour.isAutomatic = true
          depth.modes[0].durations = [.one(VideoFraction(1, 60)), .one(VideoFraction(1, 30))]
          for index in colour.modes.indices {
            colour.modes[index].sizes = [.one(VideoSize(32, 16))]
            colour.modes[index].durations = [.one(VideoFraction(1, 60))]
          }
        }))
  }

  @Test(arguments: scriptedDepth.checks)
  func `a scripted kernel's depth camera keeps the contract`(_ check: DeviceConformanceSuite.Check) throws {
    try check.run()
  }

  @Test(arguments: scripted.checks)
  func `a scripted kernel's camera keeps the contract`(_ check: DeviceConformanceSuite.Check) throws {
    try check.run()
  }
}
