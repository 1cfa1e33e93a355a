import V4L2Devices

extension VideoControl {
  static let brightness = VideoControl(rawValue: 0x0098_0900)
  static let powerLine = VideoControl(rawValue: 0x0098_0918)
  static let backlight = VideoControl(rawValue: 0x0098_091C)
  static let temperatureInside = VideoControl(rawValue: 0x009A_1000)
  static let wide = VideoControl(rawValue: 0x009A_1002)
  static let label = VideoControl(rawValue: 0x009A_1001)
}

extension KernelCamera {
  /// The controls of a common webcam with a motor for its lens, and some of its habits.
  mutating func addControls() {
    controls = [
      .exposureAuto: VideoControlDescription(0, 3, default: 3, kind: .menu, name: "Auto Exposure"),
      .exposureAbsolute: VideoControlDescription(
        3, 2047, default: 250, name: "Exposure Time, Absolute", flags: .inactive),
      .gain: VideoControlDescription(0, 255, name: "Gain"),
      .autoWhiteBalance: VideoControlDescription(
        0, 1, default: 1, kind: .boolean, name: "White Balance, Automatic"),
      .whiteBalanceTemperature: VideoControlDescription(
        2000, 6500, step: 10, default: 4000, name: "White Balance Temperature", flags: .inactive),
      .focusAuto: VideoControlDescription(
        0, 1, default: 1, kind: .boolean, name: "Focus, Automatic Continuous"),
      .focusAbsolute: VideoControlDescription(0, 250, step: 5, name: "Focus, Absolute", flags: .inactive),
      .zoomAbsolute: VideoControlDescription(100, 500, name: "Zoom, Absolute"),
      .brightness: VideoControlDescription(0, 255, step: 5, default: 130, name: "Brightness"),
      .powerLine: VideoControlDescription(0, 3, default: 2, kind: .menu, name: "Power Line Frequency"),
      .backlight: VideoControlDescription(0, 1, name: "Backlight Compensation"),
      .temperatureInside: VideoControlDescription(
        0, 100, name: "Temperature (inside)", flags: [.readOnly, .volatile]),
      .wide: VideoControlDescription(.min, .max, step: 1, kind: .wideInteger, name: "Wide"),
      .label: VideoControlDescription(0, 8, kind: .text, name: "Label"),
    ]
    menus = [
      .exposureAuto: [1: VideoMenuEntry("Manual Mode"), 3: VideoMenuEntry("Aperture Priority Mode")],
      .powerLine: [0: VideoMenuEntry("Disabled"), 2: VideoMenuEntry("60 Hz"), 3: VideoMenuEntry("Auto")],
    ]
    values = [
      .exposureAuto: 3, .exposureAbsolute: 312, .gain: 64, .autoWhiteBalance: 1,
      .whiteBalanceTemperature: 5000,
      .focusAuto: 1, .focusAbsolute: 0, .zoomAbsolute: 100, .brightness: 130, .powerLine: 2, .backlight: 0,
      .temperatureInside: 41, .wide: 7,
    ]
    texts = [.label: "desk"]
    sideEffect = { device, control, value in
      switch (control, value) {
      case (.exposureAuto, 1):
        device.controls[.exposureAbsolute]?.flags = []
        // As many do, it goes back to what was last set by hand.
        device.values[.exposureAbsolute] = 250
      case (.exposureAuto, _): device.controls[.exposureAbsolute]?.flags = .inactive
      default: break
      }
    }
  }

  /// A webcam with ``addControls()``.
  static func controlled(_ change: (inout KernelCamera) -> Void = { _ in }) -> KernelCamera {
    var camera = KernelCamera.webcam()
    camera.addControls()
    change(&camera)
    return camera
  }
}
