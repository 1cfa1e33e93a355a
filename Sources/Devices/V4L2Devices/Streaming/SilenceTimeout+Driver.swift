package import StreamParts

extension SilenceTimeout {
  /// Drivers whose pictures come from programs, though their nodes say `platform:`.
  private static let fedByPrograms: Set = ["v4l2 loopback", "akvcam"]

  /// The timeout for a driver and its bus, both as `VIDIOC_QUERYCAP` names them.
  package init(driver: String, bus: String) {
    let isSensor = bus.hasPrefix("platform:") && !Self.fedByPrograms.contains(driver)
    self.init(nanoseconds: isSensor ? Self.shortNanoseconds : Self.longNanoseconds)
  }
}
