internal import CaptureDevice

extension DeviceQuirk {
  static let builtInWithoutPlace = DeviceQuirk(
    "The camera above a laptop's screen is on no USB bus, and its driver does not say that it looks at the user.",
    devices: [
      // MacBooks until 2017, on PCI Express.
      Match(driver: "facetimehd")
    ],
    source:
      "https://github.com/patjak/facetimehd (the driver: one sensor, above the screen, no orientation control)",
    effect: .position(.front))
}
