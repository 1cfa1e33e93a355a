internal import CaptureDevice
internal import Foundation

extension DeviceConformanceSuite {
  /// Checks around opening, configuring and closing.
  var openingChecks: [Check] {
    [
      Check("a device that is open is busy, and free again when its stream goes") { [self] in
        let stage = try ConformanceStage(self)
        var first: (any CaptureStream)? = try stage.open()
        try expect(.deviceBusy, "A second opening") { _ = try stage.open() }
        try withExtendedLifetime(first) { try require(first != nil, "The stream went by itself.") }
        first = nil
        _ = try stage.open()
      },
      Check("what is granted is what was asked") { [self] in
        let stage = try ConformanceStage(self)
        for format in stage.formats {
          let wanted = stage.configuration(format)
          let granted = try stage.driver.openStream(wanted).configuration
          try require(granted.format == format, "Another format was granted than \(format.size).")
          try require(granted.size == wanted.size, "\(granted.size) was granted instead of \(wanted.size).")
        }
      },
      Check("a format that the device lacks is refused") { [self] in
        let stage = try ConformanceStage(self)
        var format = stage.format
        format.size.width += 2
        let wanted = StreamConfiguration(format: format, frameDuration: stage.configuration().frameDuration)
        try expect(.formatUnsupported, "An unknown format") { _ = try stage.driver.openStream(wanted) }
      },
      Check("a stream size of another shape is refused") { [self] in
        let stage = try ConformanceStage(self)
        var wanted = stage.configuration()
        wanted.size = FrameSize(width: wanted.format.size.width * 2, height: wanted.format.size.height)
        try expect(.formatUnsupported, "A size twice as wide") { _ = try stage.driver.openStream(wanted) }
      },
      Check("twenty openings and closings leave no file descriptor behind") { [self] in
        let stage = try ConformanceStage(self)
        try requireNoLeak {
          let stream = try stage.open()
          try stream.start { _ in }
          stream.stop()
        }
      },
      Check("exposure modes are honoured or refused as the facts say") { [self] in
        let stage = try ConformanceStage(self)
        for mode in ExposureMode.allCases {
          if stage.driver.facts.capabilities.exposureModes.contains(mode) {
            _ = try stage.driver.apply([.exposureMode(mode)])
          } else {
            try expect(.controlUnsupported, "The mode \(mode)") {
              _ = try stage.driver.apply([.exposureMode(mode)])
            }
          }
        }
        if stage.driver.facts.capabilities.exposureModes.contains(.continuousAuto) {
          _ = try stage.driver.apply([.exposureMode(.continuousAuto)])
          try require(
            stage.driver.controlState.exposureMode == .continuousAuto, "The mode that was set does not show.")
        }
      },
    ]
  }
}
