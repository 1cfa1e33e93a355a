import AVFoundation

extension CaptureEngine {
  /// Makes the picture sharp and rightly exposed at a place in fractions of the picture as it is shown; where it is to stay so until
  /// something else is there, the camera watches for that.
  func aim(at place: CGPoint, untilChange isWatched: Bool) {
    configure { engine, device in
      let geometry = engine.preview.unitGeometry ?? engine.preview.plannedGeometry
      let shown = geometry.picturePoint(fromLayerPoint: place)
      guard (0...1).contains(shown.x), (0...1).contains(shown.y) else { return }
      let point = device.pointOfInterest(shownAt: shown)
      if device.isFocusPointOfInterestSupported {
        device.focusPointOfInterest = point
        if device.isFocusModeSupported(.autoFocus) { device.focusMode = .autoFocus }
      }
      if device.isExposurePointOfInterestSupported {
        device.exposurePointOfInterest = point
        if device.isExposureModeSupported(.continuousAutoExposure) {
          device.exposureMode = .continuousAutoExposure
        }
      }
      device.isSubjectAreaChangeMonitoringEnabled = isWatched
      engine.send(.aimed(isWatched: device.isSubjectAreaChangeMonitoringEnabled))
    }
  }

  /// Lets the camera look at the whole picture again.
  func forgetAim() {
    configure { _, device in
      device.isSubjectAreaChangeMonitoringEnabled = false
      let middle = CGPoint(x: 0.5, y: 0.5)
      if device.isFocusPointOfInterestSupported {
        device.focusPointOfInterest = middle
        if device.isFocusModeSupported(.continuousAutoFocus) { device.focusMode = .continuousAutoFocus }
      }
      if device.isExposurePointOfInterestSupported {
        device.exposurePointOfInterest = middle
        if device.isExposureModeSupported(.continuousAutoExposure) {
          device.exposureMode = .continuousAutoExposure
        }
      }
    }
  }

  /// Makes the exposure brighter or darker by so many stops.
  func setBias(_ stops: Double) {
    configure { _, device in
      guard device.maxExposureTargetBias > device.minExposureTargetBias else { return }
      device.setExposureTargetBias(
        min(max(Float(stops), device.minExposureTargetBias), device.maxExposureTargetBias))
    }
  }

  /// Zooms to a factor as it is shown, at once or smoothly.
  func zoom(to factor: Double, smoothly: Bool) {
    configure { _, device in
      let wanted = CGFloat(factor / device.zoomScale)
      let zoom = min(max(wanted, device.minAvailableVideoZoomFactor), device.maxAvailableVideoZoomFactor)
      if smoothly { device.ramp(toVideoZoomFactor: zoom, withRate: 8) } else { device.videoZoomFactor = zoom }
    }
  }

  /// Does what the user wants of a control, and reports all of them as they then are.
  func change(_ name: ControlItem.Name, _ change: ControlChange) {
    withDesk { try $0.apply(change, to: name) }
  }

  /// Puts all controls back.
  func resetControls() {
    withDesk { try $0.reset() }
  }

  /// Reports the controls as they are now.
  func readControls() {
    withDesk { _ in }
  }

  private func withDesk(_ body: @escaping @Sendable (ControlsReader) throws -> Void) {
    queue.async {
      guard let device = self.input?.device else { return }
      let desk = ControlsReader(device: device)
      do { try body(desk) } catch { self.send(.controlFailed(error.localizedDescription)) }
      self.send(.controls(desk.items()))
    }
  }

  private func configure(_ body: @escaping @Sendable (CaptureEngine, AVCaptureDevice) -> Void) {
    queue.async {
      guard let device = self.input?.device else { return }
      do {
        try device.lockForConfiguration()
        body(self, device)
        device.unlockForConfiguration()
      } catch {
        self.send(.controlFailed(error.localizedDescription))
      }
    }
  }
}
