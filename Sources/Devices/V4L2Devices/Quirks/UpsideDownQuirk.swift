extension DeviceQuirk {
  static let upsideDown = DeviceQuirk(
    "The picture stands on its head, because the sensor was built in upside down.",
    devices: [
      // Philips SPC200NC, SPC300NC, SPC210NC.
      Match(usb: (0x0471, 0x0325)), Match(usb: (0x0471, 0x0326)), Match(usb: (0x0471, 0x032d)),
      Match(usb: (0x0402, 0x5606), board: ("CLEVO CO.", "M570TU")),
      Match(usb: (0x046d, 0x09b2), board: ("FUJITSU", "FJNB1C9")),
      Match(usb: (0x04f2, 0xb186), board: ("FUJITSU", "FJNB206")),
      Match(usb: (0x04f2, 0xb169), board: ("FUJITSU", "FJNB206")),
    ]
      + asusModules.flatMap { module in
        module.boards.split(separator: " ").map { board in
          Match(usb: (module.vendor, module.product), board: ("ASUSTeK Computer Inc.", String(board)))
        }
      },
    source: """
      https://github.com/gjasny/v4l-utils, lib/libv4lconvert/control/libv4lcontrol.c: the devices that libv4l turns by \
      half a turn, by USB product and, for laptops, by board
      """,
    effect: .turned(180))

  /// Camera modules that ASUS built in upside down, with the names of the boards that carry them.
  private static let asusModules: [(vendor: UInt16, product: UInt16, boards: String)] = [
    (0x04f2, 0xb012, "F7E F7F F7Kr F7L F7Se F7SR F7Z G50VT T14C W7S W7Sg X55SR X55SV X71Vn X71Q X71Sr"),
    (0x04f2, 0xb034, "G70S G70Sg"),
    (0x04f2, 0xb036, "U6S U6Sg U6V UL30A UL30VT UL50Ag UL50VT"),
    (
      0x04f2, 0xb071,
      """
      F3Ke F52A F52Q K40IE K40IJ K40IN K50ID K50IE K50IJ K50IN K51AE K52F K52Jr K61IC \
      K70AB K70AC K70AD K70AE K70IC K70IJ K70IO N10J N10Jc N20A N51Vn N61Vn N61Vg U6Vc \
      X58LE
      """
    ),
    (0x04f2, 0xb106, "N50Vc N50Vn N51Vf N51Vg N51Vn"),
    (0x04f2, 0xb16b, "U20A U80A U80V"),
    (0x04f2, 0xb1b9, "U31F U31Jg U36JC U52F"),
    (0x04f2, 0xb1be, "UL30JT UL30VT UL50VT"),
    (0x04f2, 0xb1e5, "K50IE K52Dr K52F K52Jc K52N P52Jc"),
    (0x064e, 0xa116, "F82Q K40IJ K40IN K50IJ K51AC K51AE K52Jr K60IJ K60IN K61IC K70AB K70AC K70AD"),
  ]
}
