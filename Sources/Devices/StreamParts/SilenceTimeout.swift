/// The timeout of a camera's silence, after which its stream fails with `noFrames`.
///
/// Nothing says whether a driver that streams still gets pictures: buffers that it drops leave no trace, and the numbers of
/// frames jump only with the next one that comes. Only silence shows it, and how much is too much depends on the source:
/// - A sensor on the machine's own bus is started by its driver before the start returns, and then sends at the rate of its
///   clock. It may be silent for 0.7 seconds.
/// - On a cable (USB, PCI) the camera's own program decides. It takes seconds to wake up and pauses when it chooses another
///   exposure, and a grabber when its signal changes: 5 seconds.
/// - A virtual camera sends what another program gives it, at any time: 5 seconds.
///
/// In addition, three of its frames are waited for, as long as they take at present.
package struct SilenceTimeout: Sendable, Hashable {
  /// For cameras behind a cable or another program.
  package static let longNanoseconds: Int64 = 5_000_000_000
  /// For sensors of the machine.
  package static let shortNanoseconds: Int64 = 700_000_000

  /// Nanoseconds without a picture, beyond three frames.
  package var nanoseconds: Int64

  /// A timeout of so many nanoseconds.
  package init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }
}
