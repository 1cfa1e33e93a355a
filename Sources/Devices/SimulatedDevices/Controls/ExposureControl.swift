internal import CaptureDevice
internal import Foundation

/// The exposure of a simulated camera: one step for each exposed frame, a pure function of light, wishes and start.
///
/// A stream starts as if it came from 1000 lux, and halves its error in stops each frame, as phones do.
struct ExposureControl: Sendable {
  /// The exposure mode.
  private(set) var mode: ExposureMode = .continuousAuto
  /// Of the frame that is exposed next.
  private(set) var exposure: FrameExposure
  /// Stops by which auto exposure makes it brighter.
  var bias: Float = 0
  /// The longest exposure that auto exposure chooses; `nil` is the frame.
  var longest: Int64?
  /// Whether four photosites may be added in the dark.
  var mayBoost = false
  /// Whether they are: two stops more at the same exposure.
  private(set) var isBoosted = false
  /// Exposure in stops: the binary logarithm of seconds × ISO.
  private var stops: Double
  private var aperture: Double
  private var durations: ClosedRange<Int64>
  private var isos: ClosedRange<Float>

  /// K of ISO 2720 for incident light: with it, 250 lux at f/1.8 and ISO 100 want 1/31 s.
  private static let calibration = 250.0
  /// Light in which a stream believes to be at first.
  private static let initialLux = 1000.0
  /// The error in stops that counts as settled; a twentieth is below what an eye sees.
  private static let settled = 0.05
  /// Stops that adding four photosites gives.
  static let boostStops = 2.0

  init(aperture: Double, format: StreamFormat?) {
    self.aperture = aperture
    durations = format?.exposureNanoseconds ?? 24_000...1_000_000_000
    isos = format?.iso ?? 32...3072
    stops = 0
    exposure = FrameExposure(durationNanoseconds: 10_000_000, iso: isos.lowerBound)
    restart(frameNanoseconds: 33_333_333)
  }

  /// The stops that light of `lux` wants, without bias.
  private func wanted(lux: Double) -> Double {
    log2(aperture * aperture * Self.calibration / lux)
  }

  private var isAutomatic: Bool { mode == .auto || mode == .continuousAuto }

  /// Stops by which a frame in light of `lux` comes out brighter than it should, bias included.
  func offset(lux: Double) -> Double {
    let boost = isBoosted ? Self.boostStops : 0
    return log2(Self.product(exposure)) + boost - wanted(lux: lux) - Double(bias)
  }

  private static func product(_ exposure: FrameExposure) -> Double {
    Double(exposure.durationNanoseconds ?? 10_000_000) / 1e9 * Double(exposure.iso ?? 100)
  }

  // MARK: Wishes

  /// Begins as a stream does, unless the exposure is fixed.
  mutating func restart(frameNanoseconds: Int64) {
    guard isAutomatic else { return }
    stops = wanted(lux: Self.initialLux) + Double(bias)
    isBoosted = false
    split(frameNanoseconds: frameNanoseconds)
    exposure.isAdjusting = true
  }

  /// Changes the mode; `auto` adjusts once and then locks.
  mutating func setMode(_ mode: ExposureMode) {
    self.mode = mode
    exposure.isAdjusting = mode == .auto
  }

  /// Fixes duration and ISO; `nil` keeps what is.
  mutating func setCustom(durationNanoseconds: Int64?, iso: Float?) {
    mode = .custom
    isBoosted = false
    exposure.durationNanoseconds = durationNanoseconds ?? exposure.durationNanoseconds
    exposure.iso = iso ?? exposure.iso
    exposure.isAdjusting = false
    stops = log2(Self.product(exposure))
  }

  /// Keeps the exposure within another format's ranges.
  mutating func setFormat(_ format: StreamFormat) {
    durations = format.exposureNanoseconds ?? durations
    isos = format.iso ?? isos
    if let duration = exposure.durationNanoseconds {
      exposure.durationNanoseconds = min(max(duration, durations.lowerBound), durations.upperBound)
    }
    if let iso = exposure.iso { exposure.iso = min(max(iso, isos.lowerBound), isos.upperBound) }
  }

  /// Looks through another lens; what is automatic stays as bright as it was.
  mutating func setAperture(_ aperture: Double, frameNanoseconds: Int64) {
    guard aperture != self.aperture else { return }
    if isAutomatic {
      stops += 2 * log2(aperture / self.aperture)
      split(frameNanoseconds: frameNanoseconds)
    }
    self.aperture = aperture
  }

  // MARK: Frames

  /// Moves on by one frame that was metered as light of `lux`.
  mutating func step(lux: Double, frameNanoseconds: Int64) {
    guard isAutomatic else { return }
    let plain = wanted(lux: lux) + Double(bias)
    chooseBoost(plain, frameNanoseconds: frameNanoseconds)
    let error = plain - (isBoosted ? Self.boostStops : 0) - stops
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

  /// Adds photosites when a stop is missing at the most sensitive, and no longer when half a stop is to spare.
  private mutating func chooseBoost(_ plain: Double, frameNanoseconds: Int64) {
    guard mayBoost else {
      if isBoosted { stops += Self.boostStops }
      isBoosted = false
      return
    }
    let most = log2(longestSeconds(frameNanoseconds: frameNanoseconds) * Double(isos.upperBound))
    let needsBoost = plain > most + (isBoosted ? 0.5 : 1)
    if needsBoost != isBoosted {
      stops += needsBoost ? -Self.boostStops : Self.boostStops
      isBoosted = needsBoost
    }
  }

  /// The exposure of one picture in light of `lux`, as a still wants it of its own.
  func exposure(for wish: StillExposure?, lux: Double, frameNanoseconds: Int64) -> FrameExposure {
    var single = self
    switch wish {
    case .manual(let duration, let iso): single.setCustom(durationNanoseconds: duration, iso: iso)
    case .bias(let bias):
      // A custom exposure has no auto exposure to start from: it is the middle of the bracket.
      if mode == .custom || mode == .locked {
        single.stops += Double(bias)
      } else {
        single.stops = wanted(lux: lux) + Double(bias) - (isBoosted ? Self.boostStops : 0)
      }
      single.split(frameNanoseconds: frameNanoseconds)
    case nil:
      guard isAutomatic else { return exposure }
      single.stops = wanted(lux: lux) + Double(bias) - (isBoosted ? Self.boostStops : 0)
      single.split(frameNanoseconds: frameNanoseconds)
    }
    return single.exposure
  }

  /// The brightness of a frame of `exposure` in light of `lux`: 1 is right, 0.5 one stop dark.
  static func gain(of exposure: FrameExposure, lux: Double, aperture: Double) -> Double {
    guard let nanoseconds = exposure.durationNanoseconds, let iso = exposure.iso else { return 1 }
    return Double(nanoseconds) / 1e9 * Double(iso) * lux / (aperture * aperture * Self.calibration)
  }

  private func longestSeconds(frameNanoseconds: Int64) -> Double {
    Double(min(frameNanoseconds, durations.upperBound, longest ?? .max)) / 1e9
  }

  /// Chooses duration and ISO: short durations first, then ISO up to 800, then the whole frame, then all of the ISO.
  private mutating func split(frameNanoseconds: Int64) {
    let product = exp2(stops)
    let low = Double(isos.lowerBound)
    let longest = longestSeconds(frameNanoseconds: frameNanoseconds)
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
