import CaptureDevice
import CaptureDeviceTesting
import Foundation
import Linux
import Testing
import V4L2Devices
import Waiting

@Suite("V4L2: controls of the device contract")
struct ControlTests {
  private func value(_ kernel: ScriptedKernel, _ control: VideoControl) -> Int64? {
    kernel.device("/dev/video0") { $0.values[control] } ?? nil
  }

  private func refusal(_ camera: V4L2Camera, _ controls: CameraControl...) -> CaptureDeviceError? {
    #expect(throws: CaptureDeviceError.self) { try camera.apply(controls) }
  }

  @Test func `a webcam's capabilities are those of its controls`() throws {
    let facts = try ScriptedKernel([.controlled()]).camera().facts
    let capabilities = facts.capabilities
    #expect(capabilities.exposureModes == [.locked, .continuousAuto, .custom])
    #expect(capabilities.focusModes == [.locked, .continuousAuto] && capabilities.hasLensPosition)
    #expect(capabilities.focusSystem == .contrastDetection)
    #expect(capabilities.whiteBalanceModes == [.locked, .continuousAuto])
    #expect(capabilities.exposureBias == nil && capabilities.whiteBalanceGains == nil)
    #expect(capabilities.torchModes.isEmpty && capabilities.torchLevel == nil)
    #expect(!capabilities.hasFocusRange && !capabilities.hasFocusPoint && !capabilities.hasSmoothFocus)
    for format in facts.formats {
      #expect(format.exposureNanoseconds == 300_000...204_700_000)
      #expect(format.iso == nil, "a gain without a unit is no ISO")
      #expect(format.maxZoom == 5 && !format.supportsHDR && format.stabilizationModes.isEmpty)
    }
  }

  @Test func `a camera without controls claims none and refuses all`() throws {
    let camera = try ScriptedKernel([.webcam()]).camera()
    #expect(camera.facts.capabilities == CameraCapabilities())
    #expect(camera.facts.formats.allSatisfy { $0.maxZoom == 1 && $0.exposureNanoseconds == nil })
    let controls: [CameraControl] = [
      .exposureMode(.locked), .focusMode(.locked), .lensPosition(0.5), .focusRange(.near), .zoom(1),
      .zoomRamp(to: 1, rate: 1), .endZoomRamp, .torch(.on, level: 1), .exposureBias(0), .videoHDR(true),
      .whiteBalanceMode(.locked), .whiteBalanceGains(WhiteBalanceGains()), .focusPoint(FramePoint()),
      .customExposure(durationNanoseconds: nil, iso: nil), .lowLightBoost(true), .sceneMonitoring(true),
    ]
    for control in controls {
      let error = refusal(camera, control)
      #expect(error?.code == .controlUnsupported)
      #expect(error?.message.contains(control.name) == true, "\(error?.message ?? "")")
    }
  }

  // MARK: Exposure

  @Test func `locking the exposure keeps what automatic exposure had found`() throws {
    let kernel = ScriptedKernel([.controlled()])
    let camera = try kernel.camera()
    #expect(camera.controlState.exposureMode == .continuousAuto)
    #expect(camera.controlState.exposure.durationNanoseconds == 31_200_000)
    #expect(try camera.apply([.exposureMode(.locked)]) == 1)
    #expect(value(kernel, .exposureAuto) == 1 && value(kernel, .exposureAbsolute) == 312)
    #expect(camera.controlState.exposureMode == .locked)
    #expect(try camera.apply([.exposureMode(.continuousAuto)]) == 2)
    #expect(value(kernel, .exposureAuto) == 3)
    #expect(camera.controlState.exposureMode == .continuousAuto)
    #expect(
      refusal(camera, .exposureMode(.auto))?.message.contains("it has continuousAuto, custom, locked") == true
    )
  }

  @Test func `a custom duration is set in the kernel's unit and refused outside the range`() throws {
    let kernel = ScriptedKernel([.controlled()])
    let camera = try kernel.camera()
    _ = try camera.apply([.customExposure(durationNanoseconds: 10_040_000, iso: nil)])
    #expect(value(kernel, .exposureAuto) == 1 && value(kernel, .exposureAbsolute) == 100)
    #expect(camera.controlState.exposureMode == .custom)
    #expect(camera.controlState.exposure.durationNanoseconds == 10_000_000)
    let range = refusal(camera, .customExposure(durationNanoseconds: 300_000_000, iso: nil))
    #expect(range?.message.contains("from 0.3 to 204.7 ms, not 300.0 ms") == true, "\(range?.message ?? "")")
    let iso = refusal(camera, .customExposure(durationNanoseconds: nil, iso: 200))
    #expect(iso?.message.contains("it has no ISO; its gain has no unit") == true)
    #expect(value(kernel, .exposureAbsolute) == 100)
  }

  @Test func `ISO is the nearest of the camera's menu, and automatic again with the exposure`() throws {
    let kernel = ScriptedKernel([
      .controlled { camera in
        camera.controls[.isoSensitivity] = VideoControlDescription(0, 3, kind: .integerMenu, name: "ISO")
        camera.menus[.isoSensitivity] = [
          0: VideoMenuEntry(100_000), 1: VideoMenuEntry(200_000), 3: VideoMenuEntry(800_000),
        ]
        camera.controls[.isoSensitivityAuto] = VideoControlDescription(0, 1, kind: .menu)
        camera.menus[.isoSensitivityAuto] = [0: VideoMenuEntry("Manual"), 1: VideoMenuEntry("Auto")]
        camera.values[.isoSensitivity] = 1
        camera.values[.isoSensitivityAuto] = 1
      }
    ])
    let camera = try kernel.camera()
    #expect(camera.facts.formats[0].iso == 100...800)
    #expect(camera.controlState.exposure.iso == 200)
    _ = try camera.apply([.customExposure(durationNanoseconds: nil, iso: 700)])
    #expect(value(kernel, .isoSensitivity) == 3 && value(kernel, .isoSensitivityAuto) == 0)
    #expect(camera.controlState.exposure.iso == 800)
    #expect(
      refusal(camera, .customExposure(durationNanoseconds: nil, iso: 900))?.message.contains("100.0 to 800.0")
        == true)
    _ = try camera.apply([.exposureMode(.continuousAuto)])
    #expect(value(kernel, .isoSensitivityAuto) == 1)
  }

  @Test func `exposure bias is in stops and takes the nearest entry of a menu with holes`() throws {
    let kernel = ScriptedKernel([
      .controlled { camera in
        camera.controls[.exposureBias] = VideoControlDescription(0, 4, kind: .integerMenu)
        camera.menus[.exposureBias] = [
          0: VideoMenuEntry(-2000), 1: VideoMenuEntry(-667), 2: VideoMenuEntry(0), 4: VideoMenuEntry(2000),
        ]
        camera.values[.exposureBias] = 2
      }
    ])
    let camera = try kernel.camera()
    #expect(camera.facts.capabilities.exposureBias == -2...2)
    _ = try camera.apply([.exposureBias(-0.5)])
    #expect(value(kernel, .exposureBias) == 1)
    #expect(camera.controlState.exposureBias == -0.667)
    #expect(refusal(camera, .exposureBias(2.5))?.message.contains("-2.0 to 2.0") == true)
  }

  @Test func `a camera that locks its automatisms is locked by that, one apart from the other`() throws {
    let kernel = ScriptedKernel([
      .controlled { camera in
        camera.controls[.lock3A] = VideoControlDescription(0, 7, kind: .bits)
        camera.values[.lock3A] = 0
      }
    ])
    let camera = try kernel.camera()
    _ = try camera.apply([.exposureMode(.locked), .whiteBalanceMode(.locked)])
    #expect(value(kernel, .lock3A) == 3 && value(kernel, .exposureAuto) == 3)
    #expect(camera.controlState.exposureMode == .locked && camera.controlState.whiteBalanceMode == .locked)
    _ = try camera.apply([.exposureMode(.continuousAuto)])
    #expect(value(kernel, .lock3A) == 2)
    #expect(camera.controlState.exposureMode == .continuousAuto)
  }

  // MARK: Focus, white balance, zoom, lamp

  @Test func `the lens goes from the nearest at 0 to the farthest at 1`() throws {
    let kernel = ScriptedKernel([.controlled()])
    let camera = try kernel.camera()
    #expect(camera.controlState.focusMode == .continuousAuto && camera.controlState.lensPosition == 1)
    _ = try camera.apply([.lensPosition(0)])
    #expect(value(kernel, .focusAuto) == 0 && value(kernel, .focusAbsolute) == 250)
    #expect(camera.controlState.focusMode == .locked && camera.controlState.lensPosition == 0)
    _ = try camera.apply([.lensPosition(0.75)])
    #expect(value(kernel, .focusAbsolute) == 65, "the nearest step of 5 to 62.5")
    #expect(refusal(camera, .lensPosition(1.5))?.message.contains("from 0 to 1") == true)
    _ = try camera.apply([.focusMode(.continuousAuto)])
    #expect(value(kernel, .focusAuto) == 1)
  }

  @Test func `a camera that focuses once does so while its status is busy`() throws {
    let kernel = ScriptedKernel([
      .controlled { camera in
        camera.controls[.autoFocusStart] = VideoControlDescription(0, 0, kind: .button)
        camera.controls[.autoFocusStatus] = VideoControlDescription(0, 7, kind: .bits, flags: .readOnly)
        camera.controls[.autoFocusRange] = VideoControlDescription(0, 3, kind: .menu)
        camera.menus[.autoFocusRange] = [
          0: VideoMenuEntry("Auto"), 1: VideoMenuEntry("Normal"), 2: VideoMenuEntry("Macro"),
        ]
        camera.values[.autoFocusStatus] = 0
        camera.values[.autoFocusRange] = 0
        camera.sideEffect = { device, control, _ in
          if control == .autoFocusStart { device.values[.autoFocusStatus] = 1 }
        }
      }
    ])
    let camera = try kernel.camera()
    #expect(camera.facts.capabilities.focusModes == [.locked, .auto, .continuousAuto])
    _ = try camera.apply([.focusRange(.near), .focusMode(.auto)])
    #expect(camera.controlState.focusMode == .auto && camera.controlState.isAdjustingFocus)
    #expect(camera.controlState.focusRange == .near && value(kernel, .autoFocusRange) == 2)
    kernel.turn(.autoFocusStatus, to: 2)
    #expect(camera.controlState.focusMode == .locked && !camera.controlState.isAdjustingFocus)
  }

  @Test func `white balance is automatic, held, or balanced once; gains are refused with the reason`() throws
  {
    let kernel = ScriptedKernel([
      .controlled { $0.controls[.doWhiteBalance] = VideoControlDescription(0, 0, kind: .button) }
    ])
    let camera = try kernel.camera()
    #expect(camera.facts.capabilities.whiteBalanceModes == [.locked, .auto, .continuousAuto])
    _ = try camera.apply([.whiteBalanceMode(.locked)])
    #expect(value(kernel, .autoWhiteBalance) == 0 && value(kernel, .whiteBalanceTemperature) == 5000)
    #expect(camera.controlState.whiteBalanceMode == .locked)
    _ = try camera.apply([.whiteBalanceMode(.continuousAuto)])
    #expect(camera.controlState.whiteBalanceMode == .continuousAuto)
    _ = try camera.apply([.whiteBalanceMode(.auto)])
    #expect(kernel.device("/dev/video0") { $0.writes.last } == .doWhiteBalance)
    #expect(camera.controlState.whiteBalanceMode == .locked)
    #expect(refusal(camera, .whiteBalanceGains(WhiteBalanceGains()))?.message.contains("by name") == true)
  }

  @Test func `zoom counts from the least value as from a focal length`() throws {
    let kernel = ScriptedKernel([.controlled()])
    let camera = try kernel.camera()
    _ = try camera.apply([.zoom(2.5)])
    #expect(value(kernel, .zoomAbsolute) == 250 && camera.controlState.zoom == 2.5)
    #expect(refusal(camera, .zoom(6))?.message.contains("from 1 to 5.0, not 6.0") == true)
    #expect(refusal(camera, .zoom(0.5))?.code == .controlUnsupported)

    let unitless = ScriptedKernel([.controlled { $0.controls[.zoomAbsolute]?.minimum = 0 }])
    let other = try unitless.camera()
    #expect(other.facts.formats[0].maxZoom == 1)
    #expect(refusal(other, .zoom(1))?.message.contains("begins at 0") == true)
  }

  @Test func `a zoom ramp arrives, shows that it is under way, and can be ended where it is`() throws {
    let zooms = Monitor<[Int64]>([])
    let kernel = ScriptedKernel([
      .controlled { camera in
        camera.sideEffect = { _, control, value in
          if control == .zoomAbsolute { zooms.withLock { $0.append(value) } }
        }
      }
    ])
    let camera = try kernel.camera()
    // Two powers of two at one in five seconds, and then at twenty a second.
    _ = try camera.apply([.zoomRamp(to: 4, rate: 0.2)])
    #expect(camera.controlState.isRampingZoom)
    _ = try camera.apply([.zoomRamp(to: 4, rate: 20)])
    #expect(zooms.wait { $0.last == 400 })
    // What took the last step has left the camera, and with it the ramp is over.
    #expect(kernel.waits { $0.handles.isEmpty })
    #expect(!camera.controlState.isRampingZoom)
    _ = try camera.apply([.zoomRamp(to: 1, rate: 0.2)])
    #expect(zooms.wait { $0.last != 400 })
    _ = try camera.apply([.endZoomRamp])
    let present = value(kernel, .zoomAbsolute)
    #expect(!camera.controlState.isRampingZoom)
    // What follows goes the other way, and no step of the one that was ended comes between.
    let ended = zooms.now.count
    _ = try camera.apply([.zoomRamp(to: 4, rate: 20)])
    #expect(zooms.wait { $0.last == 400 })
    let next = zooms.now.dropFirst(ended)
    #expect(next.allSatisfy { $0 >= present ?? 0 } && Array(next) == next.sorted())
  }

  @Test func `a lamp is lit as bright as asked`() throws {
    let kernel = ScriptedKernel([
      .controlled { camera in
        camera.controls[.flashLEDMode] = VideoControlDescription(0, 2, kind: .menu)
        camera.menus[.flashLEDMode] = [0: VideoMenuEntry("Off"), 2: VideoMenuEntry("Torch")]
        camera.controls[.flashTorchIntensity] = VideoControlDescription(0, 200, step: 25)
        camera.values[.flashLEDMode] = 0
        camera.values[.flashTorchIntensity] = 0
      }
    ])
    let camera = try kernel.camera()
    #expect(camera.facts.capabilities.torchModes == [.off, .on] && camera.facts.capabilities.torchLevel == 1)
    #expect(camera.facts.capabilities.flashModes.isEmpty)
    _ = try camera.apply([.torch(.on, level: 0.5)])
    #expect(value(kernel, .flashTorchIntensity) == 100 && value(kernel, .flashLEDMode) == 2)
    #expect(camera.controlState.torchMode == .on && camera.controlState.torchLevel == 0.5)
    _ = try camera.apply([.torch(.off, level: 0)])
    #expect(camera.controlState.torchMode == .off && camera.controlState.torchLevel == 0)
    #expect(refusal(camera, .torch(.auto, level: 1))?.message.contains("on or off") == true)
  }

  @Test func `dynamic range and stabilization are the sensor's own`() throws {
    let kernel = ScriptedKernel([
      .controlled { camera in
        camera.controls[.wideDynamicRange] = VideoControlDescription(0, 1, kind: .boolean)
        camera.controls[.imageStabilization] = VideoControlDescription(0, 1, kind: .boolean)
        camera.values[.wideDynamicRange] = 0
        camera.values[.imageStabilization] = 0
      }
    ])
    let camera = try kernel.camera()
    let format = camera.facts.formats[0]
    #expect(format.supportsHDR && format.stabilizationModes == [.standard])
    _ = try camera.apply([.videoHDR(true)])
    #expect(camera.controlState.isHDR)
    var configuration = StreamConfiguration(format: format, frameDuration: FrameDuration(1, 30))
    configuration.stabilization = .standard
    let stream = try camera.openStream(configuration)
    #expect(value(kernel, .imageStabilization) == 1)
    try stream.start { _ in }
    try stream.setStabilization(.off)
    #expect(value(kernel, .imageStabilization) == 0 && stream.configuration.stabilization == .off)
    stream.stop()
  }

  // MARK: Refusals

  @Test func `a write that is refused takes back those before it`() throws {
    let kernel = ScriptedKernel([.controlled()])
    let camera = try kernel.camera()
    // While it streams another control has narrowed the range.
    kernel.state.withLock { state in
      state.devices[0].controls[.zoomAbsolute]?.maximum = 200
    }
    let error = refusal(camera, .lensPosition(0), .zoom(3))
    #expect(error?.code == .controlUnsupported)
    #expect(
      error?.message.contains("its driver takes 100 to 200 for zoom_absolute, and not 300") == true,
      "\(error?.message ?? "")")
    #expect(value(kernel, .focusAbsolute) == 0 && value(kernel, .focusAuto) == 1)
    #expect(camera.controlState.change == 0)
  }

  @Test func `what the camera lacks is refused before anything is written`() throws {
    let kernel = ScriptedKernel([.controlled()])
    let camera = try kernel.camera()
    _ = refusal(camera, .zoom(2), .exposureBias(1))
    #expect(kernel.device("/dev/video0") { $0.writes } == [])
  }

  @Test func `a control that only the driver sets, or that is grabbed, says so`() throws {
    let kernel = ScriptedKernel([.controlled()])
    let camera = try kernel.camera()
    kernel.state.withLock { $0.devices[0].controls[.zoomAbsolute]?.flags = .grabbed }
    let grabbed = refusal(camera, .zoom(2))
    #expect(grabbed?.code == .deviceBusy && grabbed?.message.contains("while the camera streams") == true)
    kernel.state.withLock { $0.devices[0].controls[.zoomAbsolute]?.flags = .readOnly }
    let fixed = refusal(camera, .zoom(2))
    #expect(
      fixed?.code == .controlUnsupported && fixed?.message.contains("let programs set zoom_absolute") == true)
    kernel.unplug("/dev/video0")
    #expect(refusal(camera, .zoom(2))?.code == .disconnected)
  }

  @Test func `a control that does not answer keeps its default, and the others are reported`() throws {
    let kernel = ScriptedKernel([.controlled { $0.values[.exposureAbsolute] = nil }])
    let state = try kernel.camera().controlState
    #expect(state.exposure.durationNanoseconds == nil && state.focusMode == .continuousAuto)
  }
}
