import AVFoundation

extension CameraModel {
  /// Zooms to a factor as it is shown; smoothly for a preset, at once for fingers and wheels.
  package func zoom(to factor: Double, smoothly: Bool = false) {
    let range = state.value.abilities.zoom
    let zoom = min(max(factor, range.lowerBound), range.upperBound)
    state.value.zoom = zoom
    engine.zoom(to: zoom, smoothly: smoothly)
  }

  /// Zooms in or out by a factor.
  package func zoom(by factor: Double) { zoom(to: state.value.zoom * factor) }

  /// The user points at a place, in fractions of the picture as it is shown.
  package func aim(x: Double, y: Double) {
    let crop = state.value.crop
    guard (crop.minX...crop.maxX).contains(x), (crop.minY...crop.maxY).contains(y),
      state.value.availability.isRunning
    else { return }
    let abilities = state.value.abilities
    guard abilities.canFocusAtPoint || abilities.canExposeAtPoint else { return }
    aimRun += 1
    state.value.aim = Aim(x: x, y: y, isAdjusting: true)
    engine.aim(at: CGPoint(x: x, y: y), untilChange: state.value.mode == .depth)
  }

  /// The seconds that the mark of a place stays after the last touch.
  static let aimStays = 5.0

  /// The camera has what it aims at; where it watches the place, the mark stays until something else is there.
  func settleAim(isWatched: Bool) {
    state.value.aim?.isAdjusting = false
    if !isWatched { hideAimLater() }
  }

  private func hideAimLater() {
    aimRun += 1
    let run = aimRun
    time.after(Self.aimStays) { [weak self] in
      guard let self, run == aimRun else { return }
      state.value.aim = nil
    }
  }

  /// Lets the camera look at the whole picture again, in its usual light.
  package func forgetAim() {
    state.value.aim = nil
    setBias(0)
    engine.forgetAim()
  }

  /// Makes the picture brighter or darker by so many stops.
  package func setBias(_ stops: Double) {
    guard let range = state.value.abilities.bias else { return }
    state.value.bias = min(max(stops, range.lowerBound), range.upperBound)
    engine.setBias(state.value.bias)
    if state.value.aim != nil, state.value.mode != .depth { hideAimLater() }
  }

  /// Does something with a control of the panel.
  package func change(_ control: ControlItem.Name, _ change: ControlChange) { engine.change(control, change) }

  /// The panel of controls comes or goes: with it, a camera of several lenses is used by the one that can be set by hand.
  package func showControls(_ on: Bool) {
    engine.setMainLens(on)
    engine.readControls()
  }

  /// Reads the controls anew: what the camera sets by itself has moved.
  package func refreshControls() { engine.readControls() }

  /// Puts all controls back to what the camera does by itself.
  package func resetControls() {
    state.value.bias = 0
    engine.resetControls()
  }

  /// Takes what the view has counted of the pictures.
  package func note(_ figures: PreviewFigures) {
    state.value.figures = figures
    if figures.height > 0 { state.value.aspect = Double(figures.width) / Double(figures.height) }
    showLook()
  }

  // MARK: Codes

  /// Searches for codes in a part of the picture as it is shown.
  package func setScanRegion(_ region: CGRect) {
    state.value.scan.region = region
    engine.setRegion(region)
  }

  /// Makes the searched part larger or smaller.
  package func scaleScanRegion(by factor: Double) {
    guard state.value.mode == .scan else { return }
    setScanRegion(RegionDrag.scaled(state.value.scan.region, by: factor))
  }

  func take(_ codes: [FoundCode]) {
    guard state.value.mode == .scan, state.value.scan.hit == nil else { return }
    if let hit = scanPause.take(codes) {
      state.value.scan.hit = hit
      state.value.scan.codes = [hit]
    } else {
      state.value.scan.codes = codes
    }
  }

  /// Looks for other codes again.
  package func dismissHit() {
    guard let hit = state.value.scan.hit else { return }
    scanPause.dismiss(hit)
    state.value.scan.hit = nil
    state.value.scan.codes = []
  }
}
