extension DeviceQuirk {
  static let depthUnits = [
    DeviceQuirk(
      "Everything seems eight times as far away as it is, because the maps count in eighths of a millimetre.",
      devices: [
        // Intel RealSense SR300, SR305.
        Match(usb: (0x8086, 0x0aa5)), Match(usb: (0x8086, 0x0b48)),
      ],
      source: """
        https://github.com/realsenseai/librealsense/issues/9494 (SR305), \
        https://github.com/realsenseai/librealsense/issues/1077 (SR300)
        """,
      effect: .depthUnit(0.000125)),
    DeviceQuirk(
      "Everything seems four times as far away as it is, because the maps count in quarters of a millimetre.",
      // Intel RealSense L515.
      devices: [Match(usb: (0x8086, 0x0b64))],
      source: "https://github.com/realsenseai/librealsense/issues/8058",
      effect: .depthUnit(0.00025)),
    DeviceQuirk(
      "Everything seems ten times as far away as it is, because the maps count in tenths of a millimetre.",
      // Intel RealSense D405; the others of its series count in millimetres.
      devices: [Match(usb: (0x8086, 0x0b5b))],
      source: "https://github.com/realsenseai/librealsense/pull/8946",
      effect: .depthUnit(0.0001)),
  ]
}
