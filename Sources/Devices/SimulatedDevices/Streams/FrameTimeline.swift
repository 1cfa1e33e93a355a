internal import CaptureDevice
internal import Linux

/// The timeline of a run of frames: slots of one frame duration each, on an exact grid from the start.
///
/// Slot *k* is exposed from its timestamp on and arrives one frame duration later. Sequence numbers count the frames that were
/// exposed.
struct FrameTimeline {
  private let start: MonotonicInstant
  /// The grid's origin: the start, or the slot from which another frame duration holds.
  private var base: MonotonicInstant
  private var slot: Int64 = 0
  private(set) var duration: FrameDuration
  /// Of the next frame.
  private(set) var sequence: UInt32 = 0
  private var lastArrival: MonotonicInstant

  init(start: MonotonicInstant, duration: FrameDuration) {
    self.start = start
    base = start
    lastArrival = start
    self.duration = duration
  }

  /// When the exposure of the present slot begins.
  var timestamp: MonotonicInstant { timestamp(of: slot) }

  /// The same moment since the stream started.
  var seconds: Double { Double(timestamp.nanoseconds - start.nanoseconds) / 1e9 }

  /// The number of the present slot's frame, which is counted with this.
  mutating func takeSequence() -> UInt32 {
    defer { sequence += 1 }
    return sequence
  }

  /// When a frame that takes `slots` slots from the present one on reaches the client, `delay` seconds late; never before
  /// the frame before it.
  mutating func arrival(after slots: Int64 = 1, delay: Double) -> MonotonicInstant {
    lastArrival = max(timestamp(of: slot + slots).advanced(by: delay), lastArrival)
    return lastArrival
  }

  /// Goes on by so many slots; from there on `wanted` holds.
  mutating func advance(by slots: Int64, duration wanted: FrameDuration) {
    slot += slots
    guard wanted != duration else { return }
    base = timestamp
    slot = 0
    duration = wanted
  }

  private func timestamp(of slot: Int64) -> MonotonicInstant {
    // Split, because slot × 10⁹ × numerator overflows after some hours at 1001/240000.
    let (whole, rest) = (slot * Int64(duration.numerator)).quotientAndRemainder(
      dividingBy: Int64(duration.denominator))
    return base.advanced(
      byNanoseconds: whole * 1_000_000_000 + rest * 1_000_000_000 / Int64(duration.denominator))
  }
}
