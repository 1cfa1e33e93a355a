extension DeviceQuirk {
  static let sharedSerials = DeviceQuirk(
    "Two webcams of a series have the same serial number, and programs take one for the other after a reboot.",
    devices: [
      // Logitech C270, and cheaper cameras around the same chip.
      Match(serial: "200901010001"),
      // InnoMaker U20CAM and U30CAM.
      Match(name: "U20CAM", serial: "SN0001"), Match(name: "U30CAM", serial: "SN0001"),
    ],
    source: """
      https://github.com/paukstelis/octoprint_deploy/issues/203, https://github.com/paukstelis/octoprint_deploy/issues/206, \
      https://github.com/INNO-MAKER/U20CAM-9281M/issues/4
      """,
    effect: .ignoresSerial)
}
