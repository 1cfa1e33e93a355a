internal import Foundation
internal import Linux

/// The zoom of a simulated camera: a function of time.
///
/// A ramp is even to the eye: the factor doubles `rate` times a second from the moment when it was asked for. Ended, it
/// comes to rest within a quarter of a second, evenly slower.
struct ZoomControl: Sendable {
  private enum Motion: Sendable {
    /// The factor's binary logarithm moves at a speed for each second, up to an end.
    case ramp(from: Double, to: Double, speed: Double, start: MonotonicInstant)
    case ending(from: Double, to: Double, speed: Double, start: MonotonicInstant)
  }

  /// The factor while nothing moves.
  private(set) var factor = 1.0
  private var motion: Motion?

  /// The seconds that a ramp that was ended takes to come to rest.
  private static let restSeconds = 0.25

  var isRamping: Bool { motion != nil }

  /// Zooms at once.
  mutating func set(_ factor: Double) {
    motion = nil
    self.factor = factor
  }

  /// Begins a ramp at `time`.
  mutating func ramp(to target: Double, rate: Double, at time: MonotonicInstant) {
    let from = log2(update(to: time))
    let to = log2(target)
    guard from != to, rate > 0 else { return set(target) }
    motion = .ramp(from: from, to: to, speed: to > from ? rate : -rate, start: time)
  }

  /// Ends a ramp gently.
  mutating func end(at time: MonotonicInstant) {
    let factor = update(to: time)
    guard case .ramp(_, let to, let speed, _) = motion else { return }
    motion = .ending(from: log2(factor), to: to, speed: speed, start: time)
  }

  /// Ends what moves, at once.
  mutating func stop(at time: MonotonicInstant) {
    _ = update(to: time)
    motion = nil
  }

  /// Keeps the factor in another format's range.
  mutating func clamp(to range: ClosedRange<Double>) {
    guard !range.contains(factor) else { return }
    set(min(max(factor, range.lowerBound), range.upperBound))
  }

  /// The factor at `time`, which must not go back.
  mutating func update(to time: MonotonicInstant) -> Double {
    switch motion {
    case nil: break
    case .ramp(let from, let to, let speed, let start):
      let place = from + speed * Self.seconds(start, time)
      if speed > 0 ? place >= to : place <= to {
        factor = exp2(to)
        motion = nil
      } else {
        factor = exp2(place)
      }
    case .ending(let from, let to, let speed, let start):
      let elapsed = min(Self.seconds(start, time), Self.restSeconds)
      let place = from + speed * (elapsed - elapsed * elapsed / (2 * Self.restSeconds))
      factor = exp2(speed > 0 ? min(place, to) : max(place, to))
      if elapsed >= Self.restSeconds { motion = nil }
    }
    return factor
  }

  private static func seconds(_ start: MonotonicInstant, _ end: MonotonicInstant) -> Double {
    max(Double(end.nanoseconds - start.nanoseconds) / 1e9, 0)
  }
}
