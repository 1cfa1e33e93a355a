/// How long a running camera may send nothing before it counts as dead: five seconds or five frames' time, whichever is longer.
///
/// A camera of one frame in eight seconds (a long exposure, a thermal camera, one on standby) is slow and not dead. A change of the frames'
/// duration counts from the next frame on, for the one that is under way was begun before: until then the longest counts that held since
/// the last one came.
package struct SilenceLimit: Sendable, Hashable {
  /// The least nanoseconds: a USB camera takes seconds to wake up.
  ///
  /// Longer leaves users before a frozen picture; shorter ends a camera that wakes up slowly.
  package static let leastNanoseconds: Int64 = 5_000_000_000
  /// The frames that may be missing.
  package static let frames: Int64 = 5

  private var frame: Int64 = 0
  private var count = 0

  /// The limit of a camera that has just been started.
  package init() {}

  /// Nanoseconds of silence that are allowed between frames of so many nanoseconds.
  package static func nanoseconds(frame: Int64) -> Int64 {
    max(leastNanoseconds, frame.multipliedReportingOverflow(by: frames).partialValue)
  }

  /// Nanoseconds of silence that are allowed now.
  ///
  /// - Parameters:
  ///   - frame: How many nanoseconds a frame takes now.
  ///   - count: How much has come since the start.
  package mutating func note(frame: Int64, count: Int) -> Int64 {
    self.frame = count == self.count ? max(self.frame, frame) : frame
    self.count = count
    return Self.nanoseconds(frame: self.frame)
  }
}
