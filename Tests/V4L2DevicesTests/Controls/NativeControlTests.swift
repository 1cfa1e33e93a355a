import CaptureDevice
import Testing
import V4L2Devices

@Suite("V4L2: controls by their names")
struct NativeControlTests {
  @Test func `every control is listed with its name, range, entries and value`() throws {
    let camera = try ScriptedKernel([.controlled()]).camera()
    let controls = try camera.nativeControls()
    #expect(controls.count == 14)
    let named = Dictionary(uniqueKeysWithValues: controls.map { ($0.name, $0) })
    let brightness = try #require(named["brightness"])
    #expect(brightness.range == 0...255 && brightness.step == 5 && brightness.defaultValue == 130)
    #expect(brightness.value == .number(130) && brightness.kind == .integer)
    let balance = try #require(named["white_balance_temperature"])
    #expect(balance.isInactive && balance.title == "White Balance Temperature")
    #expect(named["white_balance_automatic"]?.kind == .boolean)
    let mains = try #require(named["power_line_frequency"])
    #expect(mains.entries.map(\.value) == [0, 2, 3], "1 is a hole")
    #expect(mains.entries.map(\.name) == ["Disabled", "60 Hz", "Auto"])
    let inside = try #require(named["temperature_inside"])
    #expect(inside.isReadOnly && inside.isVolatile && inside.value == .number(41))
    #expect(named["label"]?.value == .text("desk"))
  }

  @Test func `a control is set by its name, and what it then is comes back`() throws {
    let kernel = ScriptedKernel([.controlled()])
    let camera = try kernel.camera()
    #expect(try camera.setNativeControl("brightness", to: .number(200)).value == .number(200))
    #expect(kernel.device("/dev/video0") { $0.values[.brightness] } == 200)
    #expect(try camera.setNativeControl("power_line_frequency", to: .number(3)).value == .number(3))
    #expect(try camera.setNativeControl("wide", to: .number(.max)).value == .number(.max))
    #expect(try camera.setNativeControl("label", to: .text("shelf")).value == .text("shelf"))
  }

  @Test func `a control that the contract knows shows there too`() throws {
    let camera = try ScriptedKernel([.controlled()]).camera()
    _ = try camera.setNativeControl("zoom_absolute", to: .number(200))
    #expect(camera.controlState.zoom == 2 && camera.controlState.change == 1)
  }

  @Test(arguments: [
    ("sharpness", NativeControlValue.number(1), "no control of that name"),
    ("brightness", .number(300), "it takes 0 to 255"),
    ("brightness", .number(3), "in steps of 5"),
    ("brightness", .text("high"), "it takes numbers"),
    ("power_line_frequency", .number(1), "0 (Disabled), 2 (60 Hz), 3 (Auto)"),
    ("temperature_inside", .number(20), "only be read"),
    ("label", .number(1), "it takes a text"),
    ("label", .text("much too long"), "0 to 8 bytes"),
  ])
  func `what a control does not take is refused with what it takes`(
    _ name: String, _ value: NativeControlValue, _ words: String
  ) throws {
    let kernel = ScriptedKernel([.controlled()])
    let camera = try kernel.camera()
    let error = #expect(throws: CaptureDeviceError.self) {
      try camera.setNativeControl(name, to: value)
    }
    #expect(error?.code == .controlUnsupported)
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    #expect(kernel.device("/dev/video0") { $0.writes } == [])
  }

  @Test func `a grabbed control is busy, an unplugged camera gone`() throws {
    let kernel = ScriptedKernel([.controlled { $0.controls[.backlight]?.flags = .grabbed }])
    let camera = try kernel.camera()
    let busy = #expect(throws: CaptureDeviceError.self) {
      try camera.setNativeControl("backlight_compensation", to: .number(1))
    }
    #expect(busy?.code == .deviceBusy)
    kernel.unplug("/dev/video0")
    let gone = #expect(throws: CaptureDeviceError.self) { try camera.nativeControls() }
    #expect(gone?.code == .disconnected)
  }
}
