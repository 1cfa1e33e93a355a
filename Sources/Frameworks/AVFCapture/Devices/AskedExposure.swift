/// The exposure that a client asked for last, as far as it says how long the next frame may take; a plain value, in nanoseconds.
///
/// A frame that is under way keeps the exposure that it was begun with, and so may the one after it.
struct AskedExposure: Sendable, Hashable {
  /// 0 where the client left it to the device.
  private var present: Int64 = 0
  private var former: Int64 = 0
  private var formerEnd = Int64.min

  /// Notes what is asked for from `moment` on; 0 leaves it to the device.
  mutating func ask(_ nanoseconds: Int64, at moment: Int64) {
    if present > nanoseconds, moment >= formerEnd || present >= former {
      former = present
      formerEnd = moment + 2 * present
    }
    present = nanoseconds
  }

  /// The longest exposure of a frame that may be under way at `moment`.
  func longest(at moment: Int64) -> Int64 { moment < formerEnd ? max(present, former) : present }
}
