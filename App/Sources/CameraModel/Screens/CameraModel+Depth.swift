import Foundation

/// The depth screen: the map over the picture or the points in space, and what is under the pointer.
extension CameraModel {
  /// Calls `handler` with each depth map in false colours, on a queue of the camera's.
  package func setDepthHandler(_ handler: (@Sendable (Thumbnail) -> Void)?) {
    engine.depthSight.change { $0.handler = handler }
  }

  /// The place whose distance is wanted, in fractions of the picture as it is shown.
  package func pointDepth(x: Double, y: Double) {
    let place = CGPoint(x: min(max(x, 0), 1), y: min(max(y, 0), 1))
    state.value.depth.place = place
    engine.depthSight.change { $0.place = place }
  }

  func take(_ reading: DepthReading) {
    guard state.value.mode == .depth else { return }
    state.value.depth.metres = reading.metres
    state.value.depth.nearest = reading.nearest
    state.value.depth.farthest = reading.farthest
    guard reading.isNod else { return }
    state.value.depth.nods += 1
    if state.value.depth.page != nil { turnPage(by: 1) }
  }

  /// Shows the photos, which nods turn; or ends that.
  package func showPages(_ on: Bool) {
    pages.read(keeper)
    state.value.depth.page = on && !pages.places.isEmpty ? 0 : nil
  }

  /// Turns to another photo.
  package func turnPage(by count: Int) {
    guard let page = state.value.depth.page, !pages.places.isEmpty else { return }
    state.value.depth.page = ((page + count) % pages.places.count + pages.places.count) % pages.places.count
  }

  // MARK: Map

  /// How much of the map is seen over the picture: 0 is the picture alone, 1 the map alone.
  package func setDepthMix(_ mix: Double) { state.value.depth.mix = min(max(mix, 0), 1) }

  /// Smooths the map over time and fills its holes, or shows what the sensor measured; points are always what it measured.
  package func setDepthSmoothing(_ on: Bool) {
    guard !state.value.depth.showsCloud else { return }
    state.value.depth.wantsSmoothing = on
    engine.setDepthSmoothing(on)
  }

  /// Saves what is shown: a map as a grey PNG file with 16 bits, points as a PLY file, in the folder of plain files.
  package func saveDepth() {
    guard state.value.mode == .depth, state.value.availability.isRunning else { return }
    engine.saveDepth(asCloud: state.value.depth.showsCloud, into: photoFolder)
  }

  // MARK: Points

  /// Calls `handler` with each picture of the points, on a queue of the camera's.
  package func setCloudHandler(_ handler: (@Sendable (Thumbnail) -> Void)?) {
    engine.cloud.setHandler(handler)
  }

  /// The size of the pictures of points, in the screen's pixels.
  package func setCloudSize(width: Int, height: Int) { engine.cloud.setSize(width: width, height: height) }

  /// Shows the points in space, or the map again.
  package func showCloud(_ on: Bool) {
    guard on != state.value.depth.showsCloud else { return }
    state.value.depth.showsCloud = on
    state.value.depth.sways = state.value.depth.wantsSway
    engine.showCloud(on, sways: state.value.depth.sways)
    engine.setDepthSmoothing(state.value.depth.smooths)
    if on {
      forgetAim()
      state.value.depth.page = nil
    }
  }

  /// Lets the points sway by themselves until they are touched, or rest.
  package func setSwaying(_ on: Bool) {
    state.value.depth.wantsSway = on
    state.value.depth.sways = on
    engine.cloud.setSwaying(on)
  }

  /// Turns the points as a hand on them does, by fractions of the picture's height.
  package func turnCloud(across: Double, down: Double) {
    touchCloud { $0.turn(across: across, down: down) }
  }

  /// Moves the points in the picture, by fractions of its height.
  package func moveCloud(across: Double, down: Double) {
    touchCloud { $0.move(across: across, down: down) }
  }

  /// Comes nearer to the points by a factor.
  package func zoomCloud(by factor: Double) { touchCloud { $0.zoom(by: factor) } }

  /// Turns the points in the picture, clockwise by radians.
  package func rollCloud(by angle: Double) { touchCloud { $0.roll += angle } }

  /// Puts the points back to the camera's own view.
  package func putCloudBack() {
    state.value.depth.sways = false
    engine.cloud.putBack()
  }

  private func touchCloud(_ change: @Sendable (inout CloudPose) -> Void) {
    guard state.value.depth.showsCloud else { return }
    state.value.depth.sways = false
    engine.cloud.change(change)
  }
}
