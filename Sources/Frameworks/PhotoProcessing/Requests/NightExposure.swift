package import CaptureDevice
internal import Foundation

/// The exposure of each frame of a photo in so little light that the stream's own frames are much too dark.
///
/// Apple's camera exposes longer in the dark and does not say by which rule. Here a hand can hold still for the time, and what the shutter
/// cannot give the ISO does.
package struct NightExposure: Sendable, Hashable {
  /// From this many missing stops on photos are exposed longer than the stream; with less, several short frames serve better.
  package static let missingStops: Float = 2.5
  /// The longest exposure of one frame, in nanoseconds.
  package static let longestNanoseconds: Int64 = 250_000_000

  package let durationNanoseconds: Int64
  package let iso: Float

  /// An exposure for the light in which the stream has `controls`; `nil` where the stream's own serves.
  ///
  /// Only where exposure is automatic, and within the format's ranges and the longest exposure that a client allows.
  package init?(_ controls: ControlState, _ format: StreamFormat) {
    let isAutomatic = controls.exposureMode == .auto || controls.exposureMode == .continuousAuto
    guard isAutomatic, !controls.isLowLightBoosted, controls.exposureOffset <= -Self.missingStops,
      let duration = controls.exposure.durationNanoseconds, duration > 0, let iso = controls.exposure.iso,
      let durations = format.exposureNanoseconds, let isos = format.iso
    else { return nil }
    let missing = pow(2, -Double(controls.exposureOffset))
    let longest = min(
      durations.upperBound, controls.longestExposure ?? Self.longestNanoseconds, Self.longestNanoseconds)
    durationNanoseconds = min(Int64(Double(duration) * missing), longest)
    // A stop at least, or the wait is not worth it.
    guard durationNanoseconds >= 2 * duration else { return nil }
    let rest = Float(missing * Double(duration) / Double(durationNanoseconds))
    self.iso = min(max(iso * rest, isos.lowerBound), isos.upperBound)
  }

  /// The request for one frame.
  package var still: StillExposure { .manual(durationNanoseconds: durationNanoseconds, iso: iso) }
}
