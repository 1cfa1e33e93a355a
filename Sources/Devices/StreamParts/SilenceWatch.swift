/// Counts how long a running stream has been silent, and says when that is too long.
///
/// Only time in which the reader could see a picture counts: a wait that took longer than it was asked to (a loaded or
/// sleeping machine, a debugger) counts as long as it was asked for, so that a slow machine does not fail a stream.
package struct SilenceWatch: Sendable {
  /// The longest single wait, in nanoseconds.
  package static let tick: Int64 = 100_000_000

  private let timeout: SilenceTimeout
  /// The frame duration that was granted.
  private let frame: Int64
  /// The longest silence before a picture lately; it fades, so that one hiccup does not lengthen the timeout for good.
  private var pause: Int64
  private var silent: Int64 = 0
  /// The exposure that was asked for in this silence; 0 before and for cameras that do not say.
  private var exposure: Int64?

  /// A watch over a stream that has just been started; `frame` is its frame duration in nanoseconds.
  package init(_ timeout: SilenceTimeout, frame: Int64) {
    self.timeout = timeout
    self.frame = frame
    pause = frame
  }

  /// The most nanoseconds that may pass before the watch must be asked again.
  package var nextWait: Int64 { min(Self.tick, max(limit - silent, 0)) }

  /// Nanoseconds of silence that are allowed.
  private var limit: Int64 {
    let most = max(timeout.nanoseconds, SilenceTimeout.longNanoseconds) + 3 * frame
    let wakingUp = min(timeout.nanoseconds + 3 * pause, most) + 3 * (exposure ?? 0)
    let slow = max(frame, exposure ?? 0)
    return slow * SilenceLimit.frames <= SilenceLimit.leastNanoseconds
      ? wakingUp : max(wakingUp, SilenceLimit.nanoseconds(frame: slow))
  }

  /// Nanoseconds of silence so far.
  package var silence: Int64 { silent }

  /// Notes a wait of `elapsed` nanoseconds that was asked to take `asked` at most.
  package mutating func waited(_ elapsed: Int64, asked: Int64) {
    silent += min(elapsed, asked)
  }

  /// Notes a picture, whole or not.
  package mutating func heard() {
    pause = max(frame, silent, pause / 8 * 7)
    silent = 0
    exposure = nil
  }

  /// Begins anew, after a time in which no pictures were wanted.
  package mutating func restart() {
    self = SilenceWatch(timeout, frame: frame)
  }

  /// Whether the silence is too long; `isDry` while the driver has no buffer to fill, which is no fault of the camera's.
  /// - Parameter exposure: How long the camera exposes now, or a frame takes where that is longer since it was changed, in nanoseconds;
  ///   asked once in a silence, when it matters.
  package mutating func isOver(isDry: Bool, exposure asking: () -> Int64?) -> Bool {
    if isDry { return silent >= SilenceTimeout.longNanoseconds }
    guard silent >= limit else { return false }
    if exposure == nil {
      exposure = asking() ?? 0
      return silent >= limit
    }
    return true
  }
}
