internal import CaptureDevice
internal import Linux

extension DeviceConformanceSuite {
  /// Checks of the controls: what the capabilities promise is kept, what they lack is refused.
  var controlChecks: [Check] {
    [
      Check("a control that the camera lacks is refused, and nothing changes") { [self] in
        let stage = try ConformanceStage(self)
        let before = stage.driver.controlState
        for control in lacking(stage) {
          do {
            _ = try stage.driver.apply([control])
          } catch let error as CaptureDeviceError {
            try require(
              error.code == .controlUnsupported,
              "The unknown control \(control) failed as \(error.code), not controlUnsupported: \(error)")
            try require(
              stage.driver.controlState == before, "The refused control \(control) has changed something.")
            continue
          }
          throw ConformanceFailure(
            message: "\(stage.driver.facts.name) took \(control), which its capabilities lack.", line: #line)
        }
      },
      Check("changes are numbered upwards, and each shows within three frames") { [self] in
        let stage = try ConformanceStage(self)
        try stage.withRunningStream(frames: 2) { stream, recorder in
          var last = stage.driver.controlState.change
          for (control, shows) in promised(stage) {
            let change = try stage.driver.apply([control])
            // Counted as they come: on a machine that is late the numbers of those that it could not take are passed over.
            let count = recorder.now.frames.count
            try require(change > last, "After change \(last) came change \(change), which is not greater.")
            last = change
            try stage.run(stream, recorder, until: "four frames come after \(control)") {
              $0.frames.count >= count + 4
            }
            let shown = recorder.now.frames.prefix(count + 4).first { $0.conditions.state.change >= change }
            guard let shown else {
              throw ConformanceFailure(
                message: "No frame of the three after \(control) shows change \(change).", line: #line)
            }
            try require(
              shows(shown.conditions.state),
              "The frame that reports \(control) has \(shown.conditions.state).")
          }
        }
      },
      Check("frames between two changes share one object of conditions") { [self] in
        let stage = try ConformanceStage(self)
        try stage.withRunningStream(frames: 10) { stream, recorder in
          let frames = recorder.now.frames.map(\.conditions)
          for (one, next) in zip(frames, frames.dropFirst()) where one.state == next.state {
            try require(one === next, "Two frames have equal conditions in two objects.")
          }
        }
      },
    ]
  }

  /// Controls that the camera should refuse.
  private func lacking(_ stage: ConformanceStage) -> [CameraControl] {
    let capabilities = stage.driver.facts.capabilities
    let best = stage.driver.facts.formats.map(\.maxZoom).max() ?? 1
    var controls: [CameraControl] = [.zoom(best * 2 + 1)]
    for mode in FocusMode.allCases where !capabilities.focusModes.contains(mode) {
      controls.append(.focusMode(mode))
    }
    for mode in ExposureMode.allCases where !capabilities.exposureModes.contains(mode) {
      controls.append(.exposureMode(mode))
    }
    for mode in WhiteBalanceMode.allCases where !capabilities.whiteBalanceModes.contains(mode) {
      controls.append(.whiteBalanceMode(mode))
    }
    if !capabilities.hasLensPosition { controls.append(.lensPosition(0.5)) }
    if !capabilities.hasFocusPoint { controls.append(.focusPoint(FramePoint())) }
    if !capabilities.hasExposurePoint { controls.append(.exposurePoint(FramePoint())) }
    controls.append(.exposureBias((capabilities.exposureBias?.upperBound ?? 0) + 1))
    if capabilities.whiteBalanceGains == nil { controls.append(.whiteBalanceGains(WhiteBalanceGains())) }
    if !capabilities.torchModes.contains(.on) { controls.append(.torch(.on, level: 1)) }
    return controls
  }

  /// Controls that the camera promises, each with what the frame that shows it must report.
  private func promised(
    _ stage: ConformanceStage
  ) -> [(control: CameraControl, shows: @Sendable (ControlState) -> Bool)] {
    let capabilities = stage.driver.facts.capabilities
    var controls: [(CameraControl, @Sendable (ControlState) -> Bool)] = []
    if capabilities.exposureModes.contains(.locked) {
      controls.append((.exposureMode(.locked), { $0.exposureMode == .locked }))
    }
    if capabilities.exposureModes.contains(.custom), let isos = stage.format.iso {
      let iso = isos.upperBound
      controls.append(
        (.customExposure(durationNanoseconds: nil, iso: iso), { abs(($0.exposure.iso ?? 0) - iso) < 1 }))
    }
    if capabilities.whiteBalanceModes.contains(.locked) {
      controls.append((.whiteBalanceMode(.locked), { $0.whiteBalanceMode == .locked }))
    }
    if capabilities.hasLensPosition {
      controls.append((.lensPosition(0), { $0.lensPosition == 0 && $0.focusMode == .locked }))
    }
    if stage.format.maxZoom > 1 {
      let zoom = stage.format.maxZoom
      controls.append((.zoom(zoom), { abs($0.zoom - zoom) < 0.01 * zoom }))
      controls.append((.zoom(capabilities.minZoom), { [low = capabilities.minZoom] in $0.zoom == low }))
    }
    if let level = capabilities.torchLevel, capabilities.torchModes.contains(.on) {
      controls.append((.torch(.on, level: level), { $0.torchMode == .on && $0.torchLevel > 0 }))
      controls.append((.torch(.off, level: level), { $0.torchMode == .off && $0.torchLevel == 0 }))
    }
    if capabilities.exposureModes.contains(.continuousAuto) {
      controls.append((.exposureMode(.continuousAuto), { $0.exposureMode == .continuousAuto }))
    }
    return controls
  }
}
