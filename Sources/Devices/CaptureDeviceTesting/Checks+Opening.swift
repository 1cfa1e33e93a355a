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
        func cycle() throws {
          let stream = try stage.open()
          try stream.start { _ in }
          stream.stop()
        }
        // The first opening may load what stays.
        try cycle()
        let before = try openDescriptors()
        for _ in 0..<20 { try cycle() }
        let after = try openDescriptors()
        // Other tests of the process may open some meanwhile; a leak would be twenty at least.
        try require(after - before < 15, "\(after - before) descriptors more are open than before.")
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

/// How many files this process has open.
func openDescriptors() throws -> Int {
  try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
}

/// Fails unless `body` throws a device error with this code.
func expect(
  _ code: CaptureDeviceError.Code, _ what: String, line: UInt = #line, _ body: () throws -> Void
) throws {
  do {
    try body()
  } catch let error as CaptureDeviceError {
    try require(error.code == code, "\(what) failed as \(error.code), not \(code): \(error)", line: line)
    try require(!error.message.isEmpty, "\(what) failed without a word.", line: line)
    return
  }
  throw ConformanceFailure(message: "\(what) was accepted instead of failing as \(code).", line: line)
}
