extension DeviceQuirk {
  static let converters = DeviceQuirk(
    "A Raspberry Pi offers cameras called bcm2835-isp that never send a picture.",
    devices: [Match(driver: "bcm2835-isp")],
    source: "https://github.com/FreeRDP/FreeRDP/issues/13006",
    effect: .hidden("converts pictures that programs feed it, and sees nothing by itself"))

  static let loopbacks = DeviceQuirk(
    "A virtual camera is missing, because its node takes pictures and gives them at once.",
    devices: [Match(driver: "v4l2 loopback")],
    source: "https://github.com/umlaeute/v4l2loopback (README, exclusive_caps)",
    effect: .explained(
      "is a virtual camera that takes pictures and gives them on one node; load its module again with "
        + "'modprobe v4l2loopback exclusive_caps=1', and start what feeds it"))

  static let infraredInColour = DeviceQuirk(
    "A laptop's second camera shows a grey, dark picture: it is the one for logging in, and its format says colour.",
    devices: [
      // Dell Inspiron and others: YUYV at one square size.
      Match(driver: "uvcvideo", name: "Integrated_Webcam_HD", onlySize: VideoSize(340, 340))
    ],
    source: "https://github.com/boltgolt/howdy/issues/440",
    effect: .infrared)
}
