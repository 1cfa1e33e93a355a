internal import CaptureDevice

/// The lens of a simulated camera: where it stands, and how auto focus moves it, one step for each exposed frame.
///
/// Positions are linear in dioptres, as a lens's travel is: 0 focuses at the nearest distance, 1 at infinity.
struct FocusControl: Sendable {
  private(set) var mode = FocusMode.locked
  private(set) var position = 1.0
  private(set) var isAdjusting = false
  var range = FocusRange.everywhere
  var isSmooth = false
  /// The client's request; holds with the next mode.
  var point = FramePoint()
  /// The point where auto focus measures.
  private(set) var activePoint = FramePoint()
  /// Whether auto focus has ever measured.
  private var hasLooked = false
  /// Dioptres at position 0.
  private var nearest: Double

  /// The end of the near range, in metres.
  private static let nearLimit = 0.5
  /// An error of the position that continuous auto focus lets stand.
  private static let tolerance = 0.01
  /// An error that counts as none.
  private static let settled = 0.002

  /// - Parameter minimumDistance: The nearest distance in metres; `nil` for a lens that cannot move.
  init(minimumDistance: Double?, modes: Set<FocusMode>) {
    nearest = 1 / (minimumDistance ?? .infinity)
    if modes.contains(.continuousAuto) { mode = .continuousAuto }
  }

  /// One over the distance in metres that is sharp.
  var dioptres: Double { nearest * (1 - position) }

  /// Looks through another lens, at the same distance if it can.
  mutating func setLens(minimumDistance: Double?) {
    let other = 1 / (minimumDistance ?? .infinity)
    guard other != nearest else { return }
    if other > 0 { position = min(max(1 - dioptres / other, 0), 1) }
    nearest = other
  }

  mutating func setMode(_ mode: FocusMode) {
    self.mode = mode
    activePoint = point
    isAdjusting = mode == .auto
  }

  mutating func setPosition(_ position: Double) {
    mode = .locked
    isAdjusting = false
    self.position = min(max(position, 0), 1)
  }

  /// The position at which `distance` metres are sharp, within the range that auto focus may use.
  private func target(_ distance: Double) -> Double {
    guard nearest > 0 else { return position }
    let sharp = 1 - 1 / max(distance, 1e-3) / nearest
    let limit = 1 - 1 / Self.nearLimit / nearest
    let allowed =
      switch range {
      case .everywhere: sharp
      case .near: min(sharp, limit)
      case .far: max(sharp, limit)
      }
    return min(max(allowed, 0), 1)
  }

  /// Moves on by one frame that showed something at `distance` metres where auto focus measures.
  mutating func step(distance: Double) {
    guard mode != .locked else { return }
    let target = target(distance)
    if !hasLooked {
      // A camera that starts has found its focus before it shows the first frame.
      hasLooked = true
      if mode == .continuousAuto {
        position = target
        return
      }
    }
    let error = target - position
    if mode == .continuousAuto && !isAdjusting && abs(error) <= Self.tolerance { return }
    if abs(error) <= Self.settled {
      position = target
      isAdjusting = false
      if mode == .auto { mode = .locked }
    } else {
      position += error * (isSmooth && mode == .continuousAuto ? 0.12 : 0.5)
      isAdjusting = true
    }
  }
}
