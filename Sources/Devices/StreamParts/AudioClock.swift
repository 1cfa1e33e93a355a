package import Linux

/// The times of samples, filtered from the device's stamps: as even as the samples are, and always true to the host's clock.
///
/// A stamp comes with the interrupt of a chunk, a millisecond late or early; the samples themselves come evenly, at a
/// rate that is near the one promised and never equal to it. A delay-locked loop follows both: its times advance by the
/// rate that the device has on `CLOCK_MONOTONIC`, measured, so that audio and pictures stay together however long a
/// recording is.
///
/// Source: F. Adriaensen, "Using a DLL to filter time", Linux Audio Conference 2005, section 3.
package struct AudioClock: Sendable {
  /// A stamp that is farther from where it should be is of another time: samples were lost, or the device was restarted.
  package static let jumpNanoseconds = 100_000_000.0
  /// The loop's bandwidth at first, in hertz: it finds the device's rate in seconds.
  private static let firstBandwidth = 1.0
  /// The bandwidth later: a jitter of a millisecond leaves some hundredths.
  private static let lastBandwidth = 0.05
  /// The seconds that the first bandwidth lasts, and that the way from it to the last takes.
  private static let settling = 3.0
  /// No crystal is farther from its nominal rate; a loop beyond it follows noise.
  private static let greatestDeviation = 0.002

  private let nominal: Double
  /// Nanoseconds from one sample to the next.
  private var period: Double
  private var origin: (frame: Int64, nanoseconds: Double)?
  private var observedSeconds = 0.0
  private var last: Int64?
  /// Jumps of stamps.
  package private(set) var jumps = 0

  /// A clock for a device of so many samples a second that has just been started.
  package init(rate: Int) {
    nominal = 1e9 / Double(rate)
    period = nominal
  }

  /// The device's rate on the host's clock, as far as it is known.
  package var measuredRate: Double { 1e9 / period }

  /// Takes the device's report that `frame` samples had been taken at `nanoseconds`, counted from its start.
  package mutating func observe(_ frame: Int64, at nanoseconds: Int64) {
    guard let before = origin else {
      origin = (frame, Double(nanoseconds))
      return
    }
    let count = Double(frame - before.frame)
    guard count > 0 else { return }
    let expected = before.nanoseconds + count * period
    let error = Double(nanoseconds) - expected
    guard abs(error) < Self.jumpNanoseconds else {
      jumps += 1
      origin = (frame, Double(nanoseconds))
      observedSeconds = 0
      return
    }
    let seconds = count * nominal / 1e9
    observedSeconds += seconds
    // Beyond one the loop would swing: chunks of a stalled machine are long.
    let omega = min(2 * .pi * bandwidth * seconds, 0.7)
    origin = (frame, expected + 2.0.squareRoot() * omega * error)
    let followed = period + omega * omega * error / count
    let slack = nominal * Self.greatestDeviation
    period = min(max(followed, nominal - slack), nominal + slack)
  }

  /// When `frame` was taken; always later than the answer before.
  ///
  /// Before the first observation it is unknown, and `nil`.
  package mutating func time(of frame: Int64) -> MonotonicInstant? {
    guard let origin else { return nil }
    var nanoseconds = Int64((origin.nanoseconds + Double(frame - origin.frame) * period).rounded())
    if let last { nanoseconds = max(nanoseconds, last + 1) }
    last = nanoseconds
    return MonotonicInstant(nanoseconds: nanoseconds)
  }

  /// Forgets where it was, and keeps the rate: the device was started anew.
  package mutating func restart() {
    origin = nil
  }

  private var bandwidth: Double {
    let progress = min(observedSeconds / Self.settling, 1)
    return Self.firstBandwidth + (Self.lastBandwidth - Self.firstBandwidth) * progress
  }
}
