internal import CaptureDevice
internal import CoreMedia
internal import CoreVideo
internal import Linux

extension DeviceConformanceSuite {
  /// Checks of depth maps beside frames; a camera that measures none passes those that begin with “a depth camera”,
  /// because they ask nothing of it.
  var depthChecks: [Check] {
    depthFactChecks + depthStreamChecks + depthHoldingChecks + depthStoppingChecks
  }

  // MARK: Facts

  private var depthFactChecks: [Check] {
    [
      Check("depth is promised exactly where some format has it, in ways that make sense") { [self] in
        for device in try makeProvider().devices() { try checkDepthFacts(device.facts) }
      },
      Check("a way to measure depth that the format lacks is refused") { [self] in
        let stage = try ConformanceStage(self)
        var formats = stage.formats
        if let measuring = stage.depthConfigurations.last?.format { formats.append(measuring) }
        for format in formats {
          var foreign =
            format.depthFormats.last
            ?? DepthStreamFormat(
              size: format.size, pixelFormat: kCVPixelFormatType_DepthFloat32,
              frameDurations: format.frameDurations)
          foreign.size.width += 3
          var wanted = stage.configuration(format)
          wanted.depth = DepthConfiguration(format: foreign, frameDuration: wanted.frameDuration)
          try expect(.formatUnsupported, "A stream with maps of \(foreign.size)") {
            _ = try stage.driver.openStream(wanted)
          }
        }
        // A refusal leaves the device free.
        _ = try stage.open()
      },
    ]
  }

  private static let depthPixelFormats: Set<OSType> = [
    kCVPixelFormatType_DepthFloat16, kCVPixelFormatType_DepthFloat32,
    kCVPixelFormatType_DisparityFloat16, kCVPixelFormatType_DisparityFloat32,
  ]

  private func checkDepthFacts(_ facts: DeviceFacts) throws {
    let name = facts.name
    try require(
      facts.media.contains(.depth) == facts.formats.contains { !$0.depthFormats.isEmpty },
      "\(name) promises depth and has none, or has depth and does not say so.")
    for format in facts.formats {
      let depths = format.depthFormats
      try require(Set(depths).count == depths.count, "\(name) lists a way to measure depth twice.")
      let areas = depths.map { $0.size.width * $0.size.height }
      try require(areas == areas.sorted(), "\(name) does not list its largest maps of \(format.size) last.")
      for depth in depths {
        try require(depth.size.width > 0 && depth.size.height > 0, "\(name) has empty maps.")
        try require(
          Self.depthPixelFormats.contains(depth.pixelFormat),
          "\(name) offers maps that are neither depth nor disparity.")
        try require(!depth.frameDurations.isEmpty, "\(name) has no rate of maps of \(depth.size).")
        let shortest = depth.frameDurations.map(\.lowerBound)
        try require(
          shortest == shortest.sorted(), "\(name) does not list the shortest duration of its maps first.")
      }
    }
  }

  // MARK: Streaming

  private var depthStreamChecks: [Check] {
    [
      Check("without being asked for depth a camera sends none") { [self] in
        let stage = try ConformanceStage(self)
        for format in stage.formats {
          let stream = try stage.open(format)
          try require(stream.configuration.depth == nil, "Depth was granted without a request.")
          let recorder = StreamRecorder()
          try stream.start(recorder.receive)
          try stage.run(stream, recorder, until: "five frames come") { $0.frames.count >= 5 }
          stream.stop()
          try require(recorder.now.depthOrder.isEmpty, "Maps came without a request.")
        }
      },
      Check("a depth camera grants what was asked, and maps come beside frames in each way") { [self] in
        let stage = try ConformanceStage(self)
        for wanted in stage.depthConfigurations {
          let stream = try stage.driver.openStream(wanted)
          let granted = stream.configuration.depth
          try require(granted?.format == wanted.depth?.format, "Other maps were granted than asked for.")
          try require((granted?.bufferCount ?? 0) >= 1, "No buffer was granted for maps.")
          try runDepth(stream, on: stage, maps: 4)
        }
      },
      Check("a depth camera starts and stops three times, and its maps count from 0 each time") { [self] in
        let stage = try ConformanceStage(self)
        guard let wanted = stage.depthConfigurations.last else { return }
        let stream = try stage.driver.openStream(wanted)
        for _ in 0..<3 { try runDepth(stream, on: stage, maps: 3) }
      },
      Check("a depth camera sends maps no more often than asked") { [self] in
        let stage = try ConformanceStage(self)
        guard var wanted = stage.depthConfigurations.last, let depth = wanted.depth else { return }
        let twice = FrameDuration(
          wanted.frameDuration.numerator * 2, wanted.frameDuration.denominator)
        guard depth.format.frameDurations.contains(where: { $0.contains(twice) }) else { return }
        wanted.depth?.frameDuration = twice
        let stream = try stage.driver.openStream(wanted)
        let log = try runDepth(stream, on: stage, maps: 5)
        guard let first = log.depths.first, let last = log.depths.last else { return }
        let span = last.timestamp.nanoseconds - first.timestamp.nanoseconds
        let asked = Int64(last.sequence - first.sequence) * twice.nanoseconds
        // Sensors stamp what they measure, so a tenth is left to how exactly they keep time.
        try require(
          span * 10 >= asked * 9,
          "\(last.sequence - first.sequence + 1) maps came within \(span / 1_000_000) ms, "
            + "at most one each \(twice.nanoseconds / 1_000_000) ms was asked for.")
      },
      Check("a depth camera's maps are the device's memory, used again and again") { [self] in
        let stage = try ConformanceStage(self)
        guard let wanted = stage.depthConfigurations.last else { return }
        let stream = try stage.driver.openStream(wanted)
        let recorder = StreamRecorder()
        try stream.start(recorder.receive)
        try stage.run(stream, recorder, until: "thirty maps come") { $0.depths.count >= 30 }
        stream.stop()
        let addresses = Set(recorder.now.depths.map(\.address))
        // As of frames: drivers may add some of their own; a copy for each map would show thirty.
        try require(addresses.count <= 12, "Thirty maps came from \(addresses.count) places.")
      },
    ]
  }

  /// Starts, waits for `count` maps and as many frames, stops, and checks all events.
  @discardableResult
  private func runDepth(
    _ stream: any CaptureStream, on stage: ConformanceStage, maps count: Int
  ) throws -> StreamRecorder.Log {
    let (log, span) = try watch(stream, on: stage, until: "\(count) maps and frames come") {
      $0.depths.count >= count && $0.frames.count >= count
    }
    try checkDepthOrder(log)
    for depth in log.depths {
      try require(
        span.contains(depth.timestamp.nanoseconds),
        "Map \(depth.sequence) was measured at \(depth.timestamp.nanoseconds), outside \(span) of the device's clock."
      )
      if let format = stream.configuration.depth?.format { try check(depth, is: format) }
    }
    return log
  }

  private func check(_ depth: StreamRecorder.DepthNote, is format: DepthStreamFormat) throws {
    try require(depth.size == format.size, "A map is \(depth.size) instead of \(format.size).")
    if let metres = depth.metresPerUnit {
      try require(metres > 0 && metres.isFinite, "A unit of a map is \(metres) metres.")
      try require(
        depth.pixelFormat == kCVPixelFormatType_OneComponent16,
        "A map in units of the sensor has another pixel format than OneComponent16.")
    } else {
      try require(
        depth.pixelFormat == format.pixelFormat,
        "A map of \(format.size) has another pixel format than was granted.")
    }
  }

  /// Maps are numbered from 0, each is delivered or dropped, and their times increase.
  private func checkDepthOrder(_ log: StreamRecorder.Log, line: UInt = #line) throws {
    try requireOrder(
      "map", numbers: log.depthOrder, delivered: log.depths.map { ($0.sequence, $0.timestamp) }, line: line)
    try require(
      log.depthOrder.count == log.depths.count + log.depthDrops.count,
      "\(log.depthOrder.count) maps are not \(log.depths.count) delivered and \(log.depthDrops.count) dropped ones.",
      line: line)
  }

  // MARK: Holding

  private var depthHoldingChecks: [Check] {
    [
      Check(
        "a depth camera drops maps as outOfBuffers for a client that holds all, and recovers when it releases them"
      ) {
        [self] in
        let stage = try ConformanceStage(self)
        guard var wanted = stage.depthConfigurations.last else { return }
        wanted.depth?.bufferCount = 3
        let stream = try stage.driver.openStream(wanted)
        let granted = stream.configuration.depth?.bufferCount ?? 0
        let recorder = StreamRecorder(keepingDepths: 100)
        try stream.start(recorder.receive)
        defer { stream.stop() }
        try stage.run(stream, recorder, until: "a map is dropped as outOfBuffers") { log in
          log.depthDrops.contains { $0.reason == .outOfBuffers }
        }
        // Only numbers are kept here: the log holds the maps too.
        let (kept, frames, maps) = (
          recorder.now.keptDepths.count, recorder.now.frames.count, recorder.now.depths.count
        )
        try require(
          kept >= granted, "Only \(kept) maps could be held, though \(granted) were promised.")
        try stage.run(stream, recorder, until: "frames come beside held maps") {
          $0.frames.count >= frames + 3
        }
        recorder.letGo()
        try stage.run(stream, recorder, until: "maps come again") { $0.depths.count >= maps + 3 }
        try checkOrder(recorder.now)
        try checkDepthOrder(recorder.now)
      },
      Check("a depth camera's maps that are held stay readable after stop and after the stream has gone") {
        [self] in
        let stage = try ConformanceStage(self)
        guard let wanted = stage.depthConfigurations.last else { return }
        var stream: (any CaptureStream)? = try stage.driver.openStream(wanted)
        let recorder = StreamRecorder(keepingDepths: 2)
        try stream?.start(recorder.receive)
        if let stream {
          try stage.run(stream, recorder, until: "two maps are held") { $0.keptDepths.count == 2 }
          stage.pass(frames: 3, of: stream)
        }
        let before = recorder.now.keptDepths.map(\.checksum)
        func requireSame(_ what: String) throws {
          try require(
            recorder.now.keptDepths.map(\.checksum) == before, "\(what) changed maps that a client holds.")
        }
        stream?.stop()
        try requireSame("stop")
        stream = nil
        try requireSame("Closing")
        try runDepth(try stage.driver.openStream(wanted), on: stage, maps: 3)
        try requireSame("The next stream")
        recorder.letGo()
      },
    ]
  }

  // MARK: Stopping

  private var depthStoppingChecks: [Check] {
    [
      Check("a depth camera stops inside the receiver of a map, and nothing comes afterwards") { [self] in
        let stage = try ConformanceStage(self)
        guard let wanted = stage.depthConfigurations.last else { return }
        let stream = try stage.driver.openStream(wanted)
        let hasStopped = Monitor(false)
        let recorder = StreamRecorder { [weak stream] event in
          guard case .depth = event else { return }
          stream?.stop()
          hasStopped.withLock { $0 = true }
        }
        try stream.start(recorder.receive)
        try stage.run(stream, recorder, until: "a map comes") { !$0.depths.isEmpty }
        let deadline = MonotonicInstant.now.advanced(byNanoseconds: 2_000_000_000)
        let returned = hasStopped.wait(until: deadline, for: { $0 }, then: { _ in true })
        try require(returned == true, "stop did not return inside the receiver.")
        recorder.close()
        stage.pass(frames: 3, of: stream)
        try require(
          recorder.now.depths.count == 1,
          "\(recorder.now.depths.count) maps came, though the first stopped.")
        try require(recorder.now.eventsAfterClose == 0, "An event came after stop had returned.")
        try runDepth(stream, on: stage, maps: 2)
      },
      Check("a depth camera stops within a second while maps are held, and streams again") { [self] in
        let stage = try ConformanceStage(self)
        guard var wanted = stage.depthConfigurations.last else { return }
        wanted.depth?.bufferCount = 4
        let stream = try stage.driver.openStream(wanted)
        let recorder = StreamRecorder(keepingDepths: 2)
        try stream.start(recorder.receive)
        try stage.run(stream, recorder, until: "two maps are held") { $0.keptDepths.count == 2 }
        try requireStop(stream)
        recorder.letGo()
        try runDepth(stream, on: stage, maps: 3)
      },
    ]
  }
}

extension ConformanceStage {
  /// Streams with depth, what is taken unasked last: the smallest maps of each pixel format, and the last way of all.
  ///
  /// Empty for a camera that measures none.
  var depthConfigurations: [StreamConfiguration] {
    guard
      let format = formats.first(where: { !$0.depthFormats.isEmpty })
        ?? driver.facts.formats.first(where: { !$0.depthFormats.isEmpty })
    else { return [] }
    var chosen: [DepthStreamFormat] = []
    for depth in format.depthFormats where !chosen.contains(where: { $0.pixelFormat == depth.pixelFormat }) {
      chosen.append(depth)
    }
    if let last = format.depthFormats.last {
      chosen.removeAll { $0 == last }
      chosen.append(last)
    }
    return chosen.map { depth in
      var configuration = configuration(format)
      let wanted = configuration.frameDuration
      let durations = depth.frameDurations.map { min(max(wanted, $0.lowerBound), $0.upperBound) }
      // What maps last is at least what frames do, wherever there is a choice.
      let fitting = durations.filter { $0 >= wanted }
      configuration.depth = DepthConfiguration(
        format: depth, frameDuration: fitting.min() ?? durations.max() ?? wanted, bufferCount: 4)
      return configuration
    }
  }
}
