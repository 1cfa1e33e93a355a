import CaptureDevice
import Linux
import Testing
import V4L2Devices

/// Tests of controls without a name in Apple's API, which are set by the driver's names, and of drivers' habits with them.
@Suite("V4L2: habits of controls")
struct ControlHabitTests {
  static let pan = VideoControl(rawValue: 0x009A_0908)
  static let tilt = VideoControl(rawValue: 0x009A_0909)
  static let led = VideoControl(rawValue: 0x009C_0901)
  static let strobe = VideoControl(rawValue: 0x009C_0903)

  /// A camera that pans and tilts the farther the more it is zoomed, with a lamp.
  static func camera() -> KernelCamera {
    .controlled { camera in
      camera.controls[pan] = VideoControlDescription(0, 0, step: 3600, name: "Pan, Absolute")
      camera.controls[tilt] = VideoControlDescription(
        -72000, 72000, step: 3600, default: 0, name: "Tilt, Absolute")
      camera.controls[led] = VideoControlDescription(0, 2, kind: .menu, name: "LED Mode")
      camera.menus[led] = [0: VideoMenuEntry("Off"), 1: VideoMenuEntry("Flash"), 2: VideoMenuEntry("Torch")]
      camera.controls[strobe] = VideoControlDescription(
        0, 0, kind: .button, name: "Strobe", flags: .writeOnly)
      camera.values[pan] = 0
      camera.values[tilt] = 0
      camera.values[led] = 0
      let before = camera.sideEffect
      camera.sideEffect = { device, control, value in
        before(device, control, value)
        guard control == .zoomAbsolute else { return }
        let reach = (value - 100) * 360
        device.controls[pan] = VideoControlDescription(
          -reach, reach, step: 3600, default: 0, name: "Pan, Absolute")
      }
    }
  }

  @Test(arguments: [
    ("backlight_compensation", Int64(1)), ("power_line_frequency", 3), ("tilt_absolute", -7200),
    ("led_mode", 1),
    ("gain", 12),
  ])
  func `what Apple has no word for is set by its name`(_ name: String, _ value: Int64) throws {
    let camera = try ScriptedKernel([Self.camera()]).camera()
    #expect(try camera.setNativeControl(name, to: .number(value)).value == .number(value))
    #expect(try camera.nativeControls().first { $0.name == name }?.value == .number(value))
  }

  @Test func `a range that another control moves is asked anew`() throws {
    let camera = try ScriptedKernel([Self.camera()]).camera()
    let refused = #expect(throws: CaptureDeviceError.self) {
      try camera.setNativeControl("pan_absolute", to: .number(3600))
    }
    #expect(refused?.message.contains("it takes 0 to 0") == true)
    _ = try camera.apply([.zoom(2)])
    #expect(try camera.nativeControls().first { $0.name == "pan_absolute" }?.range == -36000...36000)
    #expect(try camera.setNativeControl("pan_absolute", to: .number(3600)).value == .number(3600))
  }

  @Test func `a range that has shrunk is reported by the refusal`() throws {
    let kernel = ScriptedKernel([Self.camera()])
    let camera = try kernel.camera()
    kernel.state.withLock {
      $0.devices[0].controls[.zoomAbsolute] = VideoControlDescription(100, 200, name: "Zoom, Absolute")
    }
    let error = #expect(throws: CaptureDeviceError.self) { try camera.apply([.zoom(4)]) }
    #expect(error?.code == .controlUnsupported)
    #expect(error?.message.contains("takes 100 to 200 for zoom_absolute, and not 400") == true)
  }

  @Test func `a hole in a menu cannot be set, and a button can be pressed though it has no value`() throws {
    let kernel = ScriptedKernel([Self.camera()])
    let camera = try kernel.camera()
    let hole = #expect(throws: CaptureDeviceError.self) {
      try camera.setNativeControl("power_line_frequency", to: .number(1))
    }
    #expect(hole?.message.contains("0 (Disabled), 2 (60 Hz), 3 (Auto)") == true)
    #expect(try camera.setNativeControl("strobe", to: .number(0)).value == nil)
    #expect(kernel.device("/dev/video0") { $0.writes } == [Self.strobe])
  }

  @Test func `a volatile control says what it is at that moment`() throws {
    let kernel = ScriptedKernel([Self.camera()])
    let camera = try kernel.camera()
    for degrees in [Int64(41), 44] {
      kernel.turn(.temperatureInside, to: degrees)
      let inside = try camera.nativeControls().first { $0.name == "temperature_inside" }
      #expect(inside?.isVolatile == true && inside?.value == .number(degrees))
    }
  }

  @Test func `an inactive control is set and says that another one decides it`() throws {
    let camera = try ScriptedKernel([Self.camera()]).camera()
    let control = try camera.setNativeControl("exposure_time_absolute", to: .number(100))
    #expect(control.value == .number(100) && control.isInactive)
    // Manual exposure brings it to life.
    _ = try camera.setNativeControl("auto_exposure", to: .number(1))
    #expect(try camera.nativeControls().first { $0.name == "exposure_time_absolute" }?.isInactive == false)
  }

  @Test func `a control that can only be read says so before the driver is asked`() throws {
    let kernel = ScriptedKernel([Self.camera()])
    let error = #expect(throws: CaptureDeviceError.self) {
      try kernel.camera().setNativeControl("temperature_inside", to: .number(1))
    }
    #expect(error?.message.contains("can only be read") == true)
    #expect(!kernel.calls.contains(.setValue))
  }
}
