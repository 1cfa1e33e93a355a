package import CaptureDevice

/// The mode of video stabilization of a connection.
///
/// Apple: `AVCaptureVideoStabilizationMode`.
public enum AVCaptureVideoStabilizationMode: Int, Sendable {
  /// Not at all.
  case off = 0
  /// Against a hand's tremor.
  case standard = 1
  /// Like a camera on rails; more is cut off, and frames come later: of simulated cameras when the 5 frames after them have
  /// been exposed.
  case cinematic = 2
  /// Like `cinematic`, more so; simulated cameras look 15 frames ahead.
  case cinematicExtended = 3
  /// For what is seen at once and not recorded.
  case previewOptimized = 4
  /// Like `cinematicExtended`, more so; simulated cameras look 24 frames ahead.
  case cinematicExtendedEnhanced = 5
  /// As much as can be without frames coming later.
  case lowLatency = 6
  /// The mode that suits the format: `standard` where it has that, else its first mode in the order of this list.
  case auto = -1

  /// The modes that devices can be asked for, in the order in which `auto` looks.
  private static let modes: [(AVCaptureVideoStabilizationMode, StabilizationMode)] = [
    (.standard, .standard), (.cinematic, .cinematic), (.cinematicExtended, .cinematicExtended),
    (.previewOptimized, .previewOptimized), (.cinematicExtendedEnhanced, .cinematicExtendedEnhanced),
    (.lowLatency, .lowLatency),
  ]

  package init(_ mode: StabilizationMode) {
    self = Self.modes.first { $0.1 == mode }?.0 ?? .off
  }

  /// The mode of a format that has `modes` when this is preferred; `off` when it lacks it.
  package func resolved(among modes: Set<StabilizationMode>) -> StabilizationMode {
    let fitting = Self.modes.first { mode, wanted in
      modes.contains(wanted) && (self == .auto || self == mode)
    }
    return fitting?.1 ?? .off
  }
}
