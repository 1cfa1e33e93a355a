internal import CaptureDevice
internal import Foundation

/// The auto exposure of a simulated camera: one step for each exposed frame, a pure function of light and start.
///
/// A stream starts as if it came from 1000 lux, and halves its error in stops each frame, as phones do.
struct ExposureControl: Sendable {
  /// What a locked sensor keeps.
  private(set) var mode: ExposureMode = .continuousAuto
  /// Of the frame that is exposed next.
  private(set) var exposure: FrameExposure
  /// Exposure in stops: the binary logarithm of seconds × ISO.
  private var stops: Double
  private let aperture: Double
  private let durations: ClosedRange<Int64>
  private let isos: ClosedRange<Float>

  /// K of ISO 2720 for incident light: with it, 250 lux at f/1.8 and ISO 100 want 1/31 s.
  private static let calibration = 250.0
  /// Light in which a stream believes to be at first.
  private static let initialLux = 1000.0
  /// How near, in stops, counts as settled; a twentieth is below what an eye sees.
  private static let settled = 0.05

  init(aperture: Double, format: StreamFormat?) {
    self.aperture = aperture
    durations = format?.exposureNanoseconds ?? 24_000...1_000_000_000
    isos = format?.iso ?? 32...3072
    stops = 0
    exposure = FrameExposure(durationNanoseconds: 10_000_000, iso: isos.lowerBound)
    restart(frameNanoseconds: 33_333_333)
  }

  /// The stops that light of `lux` wants.
  private func wanted(lux: Double) -> Double {
    log2(aperture * aperture * Self.calibration / lux)
  }

  /// Begins as a stream does, unless the exposure is locked.
  mutating func restart(frameNanoseconds: Int64) {
    guard mode != .locked else { return }
    stops = wanted(lux: Self.initialLux)
    split(frameNanoseconds: frameNanoseconds)
    exposure.isAdjusting = true
  }

  /// Changes the mode; `auto` adjusts once and then locks.
  mutating func setMode(_ mode: ExposureMode) {
    self.mode = mode
    if mode == .locked { exposure.isAdjusting = false }
    if mode == .auto { exposure.isAdjusting = true }
  }

  /// Moves on by one frame.
  mutating func step(lux: Double, frameNanoseconds: Int64) {
    guard mode != .locked else { return }
    let error = wanted(lux: lux) - stops
    if abs(error) <= Self.settled {
      stops += error
      exposure.isAdjusting = false
    } else {
      stops += error / 2
      exposure.isAdjusting = true
    }
    split(frameNanoseconds: frameNanoseconds)
    if mode == .auto && !exposure.isAdjusting { mode = .locked }
  }

  /// How bright a frame comes out: 1 is right, 0.5 one stop dark.
  func gain(lux: Double) -> Double {
    Self.gain(of: exposure, lux: lux, aperture: aperture)
  }

  /// How bright a frame of `exposure` comes out in light of `lux`.
  static func gain(of exposure: FrameExposure, lux: Double, aperture: Double) -> Double {
    guard let nanoseconds = exposure.durationNanoseconds, let iso = exposure.iso else { return 1 }
    return Double(nanoseconds) / 1e9 * Double(iso) * lux / (aperture * aperture * Self.calibration)
  }

  /// Chooses duration and ISO: short durations first, then ISO up to 800, then the whole frame, then all of the ISO.
  private mutating func split(frameNanoseconds: Int64) {
    let product = exp2(stops)
    let low = Double(isos.lowerBound)
    let longest = min(Double(frameNanoseconds), Double(durations.upperBound)) / 1e9
    let handheld = min(1.0 / 60, longest)
    var seconds = product / low
    var iso = low
    if seconds > handheld {
      seconds = handheld
      iso = product / seconds
      if iso > 800 {
        iso = 800
        seconds = min(product / iso, longest)
        iso = product / seconds
      }
    }
    let nanoseconds = min(max(Int64(seconds * 1e9), durations.lowerBound), durations.upperBound)
    exposure.durationNanoseconds = nanoseconds
    exposure.iso = Float(min(max(iso, low), Double(isos.upperBound)))
  }
}
