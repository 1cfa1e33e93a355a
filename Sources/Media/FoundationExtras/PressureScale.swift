/// The level of pressure on a machine, in order.
package enum PressureLevel: Int, Sendable, Comparable, CaseIterable {
  /// Not at all.
  case nominal
  /// A little.
  case fair
  /// Much.
  case serious
  /// Almost too much.
  case critical
  /// Too much.
  case shutdown

  /// Whether the left one presses less.
  package static func < (left: PressureLevel, right: PressureLevel) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// Makes levels out of readings: the house's own scale, for Apple's is not published.
///
/// | level | a thermal zone reaches | threads wait for processors |
/// |---|---|---|
/// | fair | its lowest passive limit, or 5 K below its serious one | 40 % of ten seconds |
/// | serious | its highest passive limit (there the kernel throttles), else 10 K below its critical one | 80 % |
/// | critical | its hot limit, or 5 K below its critical one | never: slow is not dangerous |
/// | shutdown | 2 K below its critical limit, where the kernel would switch the machine off | never |
///
/// A level rises at once, and falls when the figure is 5 K (10 percentage points) below where it began, so that it does not
/// flap; each zone has its own memory. The whole is the hardest of all.
package struct PressureScale: Sendable {
  /// The levels that follow from a reading.
  package struct Outcome: Sendable, Hashable {
    /// The hardest level.
    package var level = PressureLevel.nominal
    /// Whether a zone other than a camera's is above nominal.
    package var isSystemHot = false
    /// Whether a camera's own zone is above nominal.
    package var isCameraHot = false
  }

  /// Smaller flaps with a sensor's noise and starts a camera that heats the machine up again in seconds; larger keeps
  /// users waiting.
  private static let coolingKelvins = 5.0
  private static let easingPercent = 10.0

  /// The last level of each zone, by its name.
  private var zones: [String: PressureLevel] = [:]
  private var processors = PressureLevel.nominal

  /// A scale that remembers nothing.
  package init() {}

  /// The level of a reading, given those before it.
  package mutating func take(_ reading: PressureReading) -> Outcome {
    var outcome = Outcome()
    var levels: [String: PressureLevel] = [:]
    for zone in reading.zones {
      let level = Self.settle(
        zones[zone.name] ?? .nominal, rising: Self.level(of: zone, at: zone.celsius),
        falling: Self.level(of: zone, at: zone.celsius + Self.coolingKelvins))
      levels[zone.name] = level
      outcome.level = max(outcome.level, level)
      guard level > .nominal else { continue }
      if zone.isOfCamera { outcome.isCameraHot = true } else { outcome.isSystemHot = true }
    }
    zones = levels
    let stall = reading.cpuStall ?? 0
    processors = Self.settle(
      processors, rising: Self.level(ofStall: stall), falling: Self.level(ofStall: stall + Self.easingPercent)
    )
    outcome.level = max(outcome.level, processors)
    return outcome
  }

  /// At least what the figure is, at most what it would be with the margin, and else what it was.
  private static func settle(_ old: PressureLevel, rising: PressureLevel, falling: PressureLevel)
    -> PressureLevel
  {
    min(max(old, rising), falling)
  }

  private static func level(ofStall percent: Double) -> PressureLevel {
    percent >= 80 ? .serious : percent >= 40 ? .fair : .nominal
  }

  private static func level(of zone: PressureReading.Zone, at celsius: Double) -> PressureLevel {
    func reaches(_ limit: Double?) -> Bool { limit.map { celsius >= $0 } ?? false }
    let serious = zone.passive.last ?? zone.critical.map { $0 - 10 }
    if reaches(zone.critical.map { $0 - 2 }) { return .shutdown }
    if reaches(zone.hot) || reaches(zone.critical.map { $0 - 5 }) { return .critical }
    if reaches(serious) { return .serious }
    if reaches(zone.passive.first) || reaches(serious.map { $0 - 5 }) { return .fair }
    return .nominal
  }
}

extension PressureReading.Zone {
  /// Whether it is a camera's: the kernel's device trees name such zones `camera-thermal`, `camera0-thermal`, `cam-therm`.
  fileprivate var isOfCamera: Bool {
    let type = type.lowercased()
    return type == "cam" || type.hasPrefix("camera") || type.hasPrefix("cam-") || type.hasPrefix("cam_")
  }
}
