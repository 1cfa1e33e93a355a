import AVFoundation
import Testing

@testable import CameraModel

extension Screens {
  private func item(_ shop: Workshop, _ name: ControlItem.Name) -> ControlItem? {
    shop.model.controls.value.first { $0.id == name }
  }

  private func isAutomatic(_ item: ControlItem?) -> Bool? {
    if case .slider(_, _, _, _, let isAutomatic)? = item?.shape { isAutomatic } else { nil }
  }

  @Test func `the panel lists what the camera has`() async throws {
    let shop = try Workshop()
    defer { shop.end() }
    try await shop.start()
    shop.model.showControls(true)
    await shop.advance(0.1)
    let names = shop.model.controls.value.map(\.id)
    for name: ControlItem.Name in [.bias, .shutterTime, .sensitivity, .focus, .temperature, .tint, .torch] {
      #expect(names.contains(name), "\(name)")
    }
  }

  @Test func `a moved slider sets the camera by hand, and Auto gives it back`() async throws {
    let shop = try Workshop()
    defer { shop.end() }
    try await shop.start()
    shop.model.showControls(true)
    await shop.advance(0.1)
    #expect(isAutomatic(item(shop, .shutterTime)) == true)
    shop.model.change(.shutterTime, .value(0.02))
    #expect(await shop.run { _ in isAutomatic(item(shop, .shutterTime)) == false })
    await shop.advance(0.2)
    #expect(shop.model.engine.input?.device.exposureMode == .custom)
    #expect(abs((shop.model.engine.input?.device.exposureDuration.seconds ?? 0) - 0.02) < 0.001)
    shop.model.change(.sensitivity, .automatic(true))
    #expect(await shop.run { _ in isAutomatic(item(shop, .shutterTime)) == true })
  }

  @Test func `focus, light and the lamp follow their sliders, and Reset puts them back`() async throws {
    let shop = try Workshop()
    defer { shop.end() }
    try await shop.start()
    shop.model.showControls(true)
    await shop.advance(0.1)
    shop.model.change(.focus, .value(0.3))
    shop.model.change(.temperature, .value(3200))
    shop.model.change(.torch, .value(0.5))
    await shop.advance(0.5)
    let camera = try #require(shop.model.engine.input?.device)
    #expect(abs(camera.lensPosition - 0.3) < 0.01 && camera.focusMode == .locked)
    #expect(camera.whiteBalanceMode == .locked)
    let light = camera.temperatureAndTintValues(for: camera.deviceWhiteBalanceGains)
    #expect(abs(light.temperature - 3200) < 150)
    #expect(camera.torchMode == .on && camera.torchLevel == 0.5)
    shop.model.resetControls()
    await shop.advance(0.2)
    #expect(camera.focusMode == .continuousAutoFocus && camera.torchMode == .off)
    #expect(camera.whiteBalanceMode == .continuousAutoWhiteBalance)
  }
}

@Suite struct DriverControlTests {
  @Test func `a driver's controls keep their own words, ranges and entries`() {
    let number = NativeControl(
      name: "sharpness", title: "Sharpness", kind: .integer, range: 0...7, value: .number(3))
    #expect(
      ControlItem(number)?.shape
        == .slider(value: 3, range: 0...7, step: 1, scale: .plain, isAutomatic: nil))
    let menu = NativeControl(
      name: "power_line_frequency", title: "Power Line Frequency", kind: .menu, range: 0...2,
      entries: [.init(value: 0, name: "Disabled"), .init(value: 2, name: "60 Hz")], value: .number(2))
    #expect(ControlItem(menu)?.shape == .menu(selected: 1, entries: ["Disabled", "60 Hz"]))
    var still = NativeControl(name: "on", title: "On", kind: .boolean, range: 0...1, value: .number(1))
    still.isInactive = true
    #expect(ControlItem(still)?.shape == .toggle(true) && ControlItem(still)?.isEnabled == false)
    #expect(ControlItem(NativeControl(name: "x", title: "X", kind: .compound, range: 0...0)) == nil)
    #expect(ControlItem(NativeControl(name: "y", title: "Y", kind: .integer, range: 5...5)) == nil)
  }
}
