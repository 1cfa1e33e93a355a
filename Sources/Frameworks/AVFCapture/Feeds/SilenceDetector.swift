internal import CaptureDevice
internal import StreamParts

/// Judges a device that sends nothing, by a session's looks at it: starved, or timed out.
///
/// A value without clocks, so that the rules are a table.
package struct SilenceDetector: Sendable {
  /// The finding of a look.
  package enum Finding: Sendable, Hashable {
    /// All is well, or it is too early to say.
    case nothing
    /// The device is ready and the machine is too busy to let it work; found once.
    case starved
    /// The device is silent for too long.
    case timedOut
  }

  private var timeout = SilenceTimer(nanoseconds: SilenceLimit.leastNanoseconds)
  private var starvation = SilenceTimer(nanoseconds: SilenceLimit.leastNanoseconds)
  private var count = 0
  private var isStarvationFound = false

  /// The silence of a device that has just been started.
  package init() {}

  /// How many nanoseconds after a look the silence will be too long, if it lasts.
  package var remaining: Int64 { max(timeout.nanoseconds - timeout.silence, 0) }

  /// Looks at a device.
  ///
  /// - Parameters:
  ///   - count: How many frames, chunks of audio and losses the device has sent since it was started.
  ///   - quiet: Nanoseconds since it sent the newest of them, or was started.
  ///   - isBehind: Whether it works in this process and did not get the time to.
  ///   - elapsed: Nanoseconds since the look before.
  ///   - asked: Nanoseconds after which this look was to come.
  ///   - limit: Nanoseconds that it may send nothing.
  package mutating func look(
    count: Int, quiet: Int64, isBehind: Bool, elapsed: Int64, asked: Int64,
    limit: Int64 = SilenceLimit.leastNanoseconds
  ) -> Finding {
    timeout.nanoseconds = limit
    let isNew = count != self.count
    self.count = count
    if isNew || isBehind { timeout.heard() }
    if isNew || !isBehind { starvation.heard() }
    guard isNew || !isBehind else {
      starvation.waited(elapsed, asked: asked)
      guard starvation.isOver, !isStarvationFound else { return .nothing }
      isStarvationFound = true
      return .starved
    }
    timeout.waited(elapsed, asked: asked, quiet: quiet)
    return timeout.isOver ? .timedOut : .nothing
  }
}
