internal import CaptureDevice

/// Chooses the lens of a virtual camera that takes a frame.
///
/// The longest one whose whole view is at least as wide as the frame. Where the choice is free, a wider one in the dark if
/// its aperture is larger, and for things nearer than the long lens can focus.
struct LensChoice: Sendable {
  private let optics: CameraOptics
  /// The conditions of a restricted choice that have occurred and were not considered yet.
  private var occurred: ConstituentConditions = []
  /// The lens that a restricted choice has chosen, and zoom's choice at that time.
  private var held: (ideal: Int, chosen: Int)?

  init(optics: CameraOptics) {
    self.optics = optics
  }

  /// Notes a control that the client has set.
  mutating func note(_ control: CameraControl) {
    switch control {
    case .focusMode, .lensPosition: occurred.insert(.focusModeChanged)
    case .exposureMode, .customExposure: occurred.insert(.exposureModeChanged)
    default: break
    }
  }

  /// Notes that the zoom factor is another one than in the frame before.
  mutating func zoomChanged() {
    occurred.insert(.zoomChanged)
  }

  /// Begins a restricted choice with the lens that is in use.
  mutating func restrict(to state: ControlState) {
    occurred = []
    guard let chosen = optics.lenses.firstIndex(where: { $0.uniqueID == state.constituent }) else { return }
    held = (ideal(state), chosen)
  }

  /// The lens for a frame; `nil` keeps the present one.
  ///
  /// - Parameters:
  ///   - distance: Metres to what is to be sharp.
  ///   - isMeasured: Whether that was seen just now and focus rests: a condition that has occurred is over then.
  mutating func choose(for state: ControlState, distance: Double, isMeasured: Bool) -> Int? {
    let ideal = ideal(state)
    switch state.constituentChoice {
    case .locked: return nil
    case .automatic: return fallback(from: ideal, state, distance)
    case .restricted(let conditions):
      if !occurred.isDisjoint(with: conditions) {
        held = (ideal, fallback(from: ideal, state, distance))
        if isMeasured { occurred = [] }
      }
      if let held, held.ideal == ideal { return held.chosen }
      return ideal
    }
  }

  /// The lens that zoom alone asks for.
  private func ideal(_ state: ControlState) -> Int {
    optics.lenses.lastIndex { $0.zoom <= state.zoom + 1e-9 } ?? 0
  }

  /// The lens that light and focus leave: `ideal`, or one that it may fall back to.
  private func fallback(from ideal: Int, _ state: ControlState, _ distance: Double) -> Int {
    var chosen = ideal
    while let next = (0..<chosen).last(where: { mayFallBack(to: $0, state) }) {
      let lens = optics.lenses[chosen]
      let isTooNear = distance * 1000 < Double(lens.facts?.minimumFocusDistance ?? 0)
      let isTooDark =
        optics.ambientLux < CameraOptics.darkLux / 3 && optics.lenses[next].aperture < lens.aperture
      guard isTooNear || isTooDark else { break }
      chosen = next
    }
    return chosen
  }

  private func mayFallBack(to index: Int, _ state: ControlState) -> Bool {
    guard let allowed = state.fallbackConstituents else { return true }
    return optics.lenses[index].uniqueID.map(allowed.contains) ?? false
  }
}
