internal import CaptureDevice
internal import StreamParts

/// What a session's watch makes of a device that sends nothing, look by look.
///
/// A value without clocks, so that the rules are a table.
package struct FeedSilence: Sendable {
  /// What a look finds.
  package enum Finding: Sendable, Hashable {
    /// All is well, or it is too early to say.
    case nothing
    /// The device is ready and the machine is too busy to let it work; found once.
    case starved
    /// The device is silent for too long.
    case timedOut
  }

  /// How long a device may send nothing, in nanoseconds.
  ///
  /// Longer leaves users before a frozen picture; shorter ends a camera that exposes for seconds or wakes up slowly.
  package static let timeoutNanoseconds: Int64 = 5_000_000_000

  private var timeout = SilenceTimer(nanoseconds: Self.timeoutNanoseconds)
  private var starvation = SilenceTimer(nanoseconds: Self.timeoutNanoseconds)
  private var count = 0
  private var isStarvationFound = false

  /// The silence of a device that has just been started.
  package init() {}

  /// Looks at a device.
  ///
  /// - Parameters:
  ///   - count: How many frames, chunks of audio and losses the device has sent since it was started.
  ///   - isBehind: Whether it works in this process and did not get the time to.
  ///   - elapsed: Nanoseconds since the look before.
  ///   - asked: Nanoseconds after which this look was to come.
  package mutating func look(count: Int, isBehind: Bool, elapsed: Int64, asked: Int64) -> Finding {
    guard count == self.count else {
      self.count = count
      timeout.heard()
      starvation.heard()
      return .nothing
    }
    guard !isBehind else {
      timeout.heard()
      starvation.waited(elapsed, asked: asked)
      guard starvation.isOver, !isStarvationFound else { return .nothing }
      isStarvationFound = true
      return .starved
    }
    starvation.heard()
    timeout.waited(elapsed, asked: asked)
    return timeout.isOver ? .timedOut : .nothing
  }
}
