extension DeviceQuirk {
  static let doubleExposures = DeviceQuirk(
    "Most exposure times of the range are refused or ignored; the sensor only doubles and halves.",
    devices: [Match(name: "LifeCam HD-3000"), Match(name: "LifeCam Cinema")],
    source: """
      https://github.com/wpilibsuite/allwpilib, cscore/src/main/native/linux/UsbCameraImpl.cpp: the values of \
      exposure_absolute that a LifeCam takes; PhotonVision's QuirkyCamera.java names the models
      """,
    effect: .values(
      .exposureAbsolute, [5, 10, 20, 39, 78, 156, 312, 625, 1250, 2500, 5000, 10000, 20000]))

  static let wrongExposureRanges = [
    DeviceQuirk(
      "The camera claims exposure times that its sensor does not have; beyond its own range nothing changes.",
      devices: [Match(usb: (0x0c45, 0x6366), name: "OV2311")],
      source: "https://github.com/PhotonVision/photonvision, ArduOV2311CameraSettables.java",
      effect: .range(.exposureAbsolute, 1...140)),
    DeviceQuirk(
      "The camera claims exposure times that its sensor does not have; beyond its own range nothing changes.",
      devices: [Match(usb: (0x0c45, 0x6366), name: "OV9281")],
      source: "https://github.com/PhotonVision/photonvision, ArduOV9281CameraSettables.java",
      effect: .range(.exposureAbsolute, 1...75)),
  ]
}
