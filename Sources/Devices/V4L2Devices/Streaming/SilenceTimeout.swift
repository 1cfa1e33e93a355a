/// How long a camera may send nothing before its stream fails with `noFrames`.
///
/// The kernel does not say whether a driver that streams still gets pictures: buffers that a driver drops leave no trace, and
/// the numbers of frames jump only with the next one that comes. So silence alone tells, and how much of it is too much depends
/// on who makes the pictures:
/// - A sensor on the machine's own bus (`platform:…`) is started by its driver before the start returns, and from then on
///   sends at the rate of its clock. It may be silent for 0.7 seconds.
/// - On a cable (USB, PCI) the camera's own program decides. It takes seconds to wake up and pauses when it chooses another
///   exposure, and a grabber when its signal changes: 5 seconds.
/// - A virtual camera sends what another program feeds it, whenever that has something: 5 seconds.
///
/// Beyond that, three of its frames are waited for, as long as they take at present.
package struct SilenceTimeout: Sendable, Hashable {
  /// For cameras that another program or a cable stands before.
  package static let longNanoseconds: Int64 = 5_000_000_000
  /// For sensors of the machine.
  package static let shortNanoseconds: Int64 = 700_000_000
  /// Drivers whose pictures come from programs, though their nodes say `platform:`.
  private static let fedByPrograms: Set = ["v4l2 loopback", "akvcam"]

  /// Nanoseconds without a picture, beyond three frames.
  package var nanoseconds: Int64

  /// A timeout of so many nanoseconds.
  package init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// What fits a driver and its bus, both as `VIDIOC_QUERYCAP` names them.
  package init(driver: String, bus: String) {
    let isSensor = bus.hasPrefix("platform:") && !Self.fedByPrograms.contains(driver)
    self.init(nanoseconds: isSensor ? Self.shortNanoseconds : Self.longNanoseconds)
  }
}
