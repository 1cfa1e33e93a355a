internal import CaptureDevice

extension LibcameraDevice: NativeControls {
  /// What libcamera calls a control that is listed by name.
  private struct Entry {
    var name: String
    var title: String
    var control: LibraryControl
    /// The names of a menu's numbers; empty for a number, which is told in hundredths.
    var menu: [String] = []
  }

  private static let entries = [
    Entry(name: "brightness", title: "Brightness, in hundredths", control: .brightness),
    Entry(name: "contrast", title: "Contrast, in hundredths", control: .contrast),
    Entry(name: "saturation", title: "Saturation, in hundredths", control: .saturation),
    Entry(name: "sharpness", title: "Sharpness, in hundredths", control: .sharpness),
    Entry(
      name: "noise_reduction_mode", title: "Noise reduction", control: .noiseReduction,
      menu: ["Off", "Fast", "HighQuality", "Minimal", "ZSL"]),
    Entry(
      name: "awb_mode", title: "Kind of light that white balance expects", control: .awbMode,
      menu: ["Auto", "Incandescent", "Tungsten", "Fluorescent", "Indoor", "Daylight", "Cloudy", "Custom"]),
    Entry(
      name: "ae_metering_mode", title: "Where auto exposure looks", control: .aeMetering,
      menu: ["CentreWeighted", "Spot", "Matrix", "Custom"]),
    Entry(
      name: "ae_constraint_mode", title: "What auto exposure keeps from clipping", control: .aeConstraint,
      menu: ["Normal", "Highlight", "Shadows", "Custom"]),
    Entry(
      name: "ae_exposure_mode", title: "Whether auto exposure prefers time or gain", control: .aeExposureMode,
      menu: ["Normal", "Short", "Long", "Custom"]),
  ]

  /// The controls of libcamera's that no control of the contract stands for, with what they were last set to.
  func nativeControls() throws(CaptureDeviceError) -> [NativeControl] {
    if isGone { throw unplugged }
    return Self.entries.compactMap(native)
  }

  private func native(_ entry: Entry) -> NativeControl? {
    guard let range = controls.ranges[entry.control], let numbers = controls.ranges.numbers(entry.control)
    else { return nil }
    let scale = entry.menu.isEmpty ? 100.0 : 1
    let told = { (number: Double) in Int64((number * scale).rounded()) }
    let usual = range.usual.first ?? (numbers.contains(0) ? 0 : numbers.lowerBound)
    var native = NativeControl(
      name: entry.name, title: entry.title, kind: entry.menu.isEmpty ? .integer : .menu,
      range: told(numbers.lowerBound)...told(numbers.upperBound), defaultValue: told(usual),
      value: .number(told(controls.value(of: entry.control) ?? usual)))
    native.entries = entry.menu.enumerated().compactMap { number, name in
      controls.ranges.takes(entry.control, Double(number))
        ? NativeControl.Entry(value: Int64(number), name: name) : nil
    }
    return native
  }

  /// Sets a control by its name; with the next request where the camera streams.
  func setNativeControl(_ name: String, to value: NativeControlValue) throws(CaptureDeviceError)
    -> NativeControl
  {
    if isGone { throw unplugged }
    guard let entry = Self.entries.first(where: { $0.name == name }), let present = native(entry) else {
      throw refusal(name, value, "it has no control of that name; 'obscura devices --controls' lists them")
    }
    guard case .number(let number) = value else { throw refusal(name, value, "it takes a number") }
    let isEntry = present.entries.contains { $0.value == number }
    guard entry.menu.isEmpty ? present.range.contains(number) : isEntry else {
      let taken =
        entry.menu.isEmpty
        ? "\(present.range.lowerBound) to \(present.range.upperBound)"
        : present.entries.map { "\($0.value) (\($0.name))" }.joined(separator: ", ")
      throw refusal(name, value, "it takes \(taken)")
    }
    controls.set(ControlValue(entry.control, Double(number) / (entry.menu.isEmpty ? 100 : 1)))
    return native(entry) ?? present
  }

  private func refusal(_ name: String, _ value: NativeControlValue, _ reason: String) -> CaptureDeviceError {
    CaptureDeviceError(.controlUnsupported, "\(facts.name) cannot set \(name) to \(value): \(reason).")
  }
}
