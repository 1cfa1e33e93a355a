internal import CaptureDevice
internal import CoreVideo
internal import CoreMedia
internal import Linux

extension DeviceConformanceSuite {
  private typealias Outcome = Result<CapturedFrame, CaptureDeviceError>

  /// Checks of full-size pictures.
  var stillChecks: [Check] {
    [
      Check("a still has the size that was asked for and the number of a frame of the stream") { [self] in
        let stage = try ConformanceStage(self)
        for format in stage.formats {
          let sizes = [format.stillSizes.first, format.stillSizes.last, format.fullStillSizes.last]
          for size in Set(sizes.compactMap(\.self)) {
            let stream = try stage.open(format)
            let recorder = StreamRecorder()
            try stream.start(recorder.receive)
            try stage.run(stream, recorder, until: "two frames come") { $0.frames.count >= 2 }
            let outcomes = Monitor<[Outcome]>([])
            take(size, from: stream, into: outcomes)
            let count = recorder.now.order.count
            try stage.run(stream, recorder, until: "four more frames come") { $0.order.count >= count + 4 }
            let outcome = try single(outcomes, on: stage)
            stream.stop()
            let frame = try outcome.get()
            try require(frame.pictureSize == size, "The still is \(frame.pictureSize) instead of \(size).")
            try require(
              recorder.now.order.contains(frame.sequence),
              "No frame of the stream has the still's number \(frame.sequence).")
          }
        }
      },
      Check("a still brings the sensor's numbers where its format promises them") { [self] in
        let stage = try ConformanceStage(self)
        for format in stage.formats {
          guard let promised = format.rawFormat, let size = format.stillSizes.first else { continue }
          let stream = try stage.open(format)
          let recorder = StreamRecorder()
          try stream.start(recorder.receive)
          try stage.run(stream, recorder, until: "two frames come") { $0.frames.count >= 2 }
          let outcomes = Monitor<[Outcome]>([])
          var request = StillRequest(size: size)
          request.wantsMosaic = true
          take(request, from: stream, into: outcomes)
          let count = recorder.now.order.count
          try stage.run(stream, recorder, until: "four more frames come") { $0.order.count >= count + 4 }
          let frame = try single(outcomes, on: stage).get()
          stream.stop()
          guard let mosaic = frame.mosaic else {
            throw ConformanceFailure(message: "A still came without the sensor's numbers.", line: #line)
          }
          try require(
            mosaic.layout == promised.layout && mosaic.size == promised.size,
            "The numbers are \(mosaic.size) instead of \(promised.size), or lie in another way.")
          try require(
            mosaic.data.dataLength >= mosaic.bytesPerRow * (mosaic.size.height - 1),
            "The numbers are fewer than their rows.")
          try require(
            mosaic.blackLevels.count == 1 || mosaic.blackLevels.count == 4, "There are other levels of black."
          )
        }
      },
      Check("a still of a size that the format lacks is refused") { [self] in
        let stage = try ConformanceStage(self)
        let stream = try stage.open()
        let recorder = StreamRecorder()
        try stream.start(recorder.receive)
        defer { stream.stop() }
        let outcomes = Monitor<[Outcome]>([])
        take(FrameSize(width: 7, height: 5), from: stream, into: outcomes)
        try refuse(.formatUnsupported, try single(outcomes, on: stage))
      },
      Check("a still with an exposure of its own shows it, or is refused") { [self] in
        let stage = try ConformanceStage(self)
        // Photos of coded formats are pictures of the stream, which the session takes.
        guard let size = stage.format.stillSizes.first else { return }
        let capabilities = stage.driver.facts.capabilities
        let duration = stage.format.exposureNanoseconds?.lowerBound
        let exposure = StillExposure.manual(durationNanoseconds: duration, iso: nil)
        try stage.withRunningStream(frames: 1) { stream, recorder in
          let outcomes = Monitor<[Outcome]>([])
          take(size, exposure, from: stream, into: outcomes)
          let count = recorder.now.order.count
          try stage.run(stream, recorder, until: "four more frames come") { $0.order.count >= count + 4 }
          let outcome = try single(outcomes, on: stage)
          if capabilities.exposesStillsApart && capabilities.exposureModes.contains(.custom) {
            let shown = try outcome.get().exposure.durationNanoseconds
            try require(
              shown == duration, "The still was exposed for \(shown ?? 0) ns instead of \(duration ?? 0) ns.")
          } else {
            try refuse(.controlUnsupported, outcome)
          }
        }
      },
      Check("stills of the cameras under a virtual one are of one exposure, or are refused") { [self] in
        let stage = try ConformanceStage(self)
        // Photos of coded formats are pictures of the stream, which the session takes.
        guard let size = stage.format.stillSizes.first else { return }
        let facts = stage.driver.facts
        try stage.withRunningStream(frames: 1) { stream, recorder in
          let ids = facts.capabilities.takesConstituentStills ? facts.constituents : ["none"]
          let outcomes = Monitor<[Outcome]>([])
          for id in ids {
            let request = StillRequest(
              size: size, constituent: id, groupSize: ids.count)
            take(request, from: stream, into: outcomes)
          }
          let count = recorder.now.order.count
          try stage.run(stream, recorder, until: "four more frames come") { $0.order.count >= count + 4 }
          guard facts.capabilities.takesConstituentStills else {
            return try refuse(.controlUnsupported, single(outcomes, on: stage))
          }
          let deadline = MonotonicInstant.now.advanced(byNanoseconds: ConformanceStage.timeoutNanoseconds)
          _ = outcomes.wait(until: deadline, for: { $0.count >= ids.count }, then: { _ in })
          let frames = try outcomes.withLock { $0 }.map { try $0.get() }
          let takers = frames.map { $0.conditions.state.constituent ?? "none" }
          try require(takers == ids, "\(ids) were asked for stills, and \(takers) took them.")
          let numbers = Set(frames.map(\.sequence))
          try require(numbers.count == 1, "The stills are of the frames \(numbers.sorted()).")
        }
      },
      Check("a still of a stopped stream is refused") { [self] in
        let stage = try ConformanceStage(self)
        // Photos of coded formats are pictures of the stream, which the session takes.
        guard let size = stage.format.stillSizes.first else { return }
        let stream = try stage.open()
        let never = Monitor<[Outcome]>([])
        take(size, from: stream, into: never)
        try refuse(.noFrames, try single(never, on: stage))
        try run(stream, on: stage, frames: 1)
        let afterwards = Monitor<[Outcome]>([])
        take(size, from: stream, into: afterwards)
        try refuse(.noFrames, try single(afterwards, on: stage))
      },
      Check("every still is answered exactly once, whatever ends the stream") { [self] in
        let stage = try ConformanceStage(self)
        // Photos of coded formats are pictures of the stream, which the session takes.
        guard let size = stage.format.stillSizes.first else { return }
        let stream = try stage.open()
        let recorder = StreamRecorder()
        try stream.start(recorder.receive)
        try stage.run(stream, recorder, until: "a frame comes") { !$0.frames.isEmpty }
        let outcomes = Monitor<[Outcome]>([])
        for _ in 0..<3 { take(size, from: stream, into: outcomes) }
        stream.stop()
        let deadline = MonotonicInstant.now.advanced(byNanoseconds: ConformanceStage.timeoutNanoseconds)
        _ = outcomes.wait(until: deadline, for: { $0.count >= 3 }, then: { _ in })
        stage.pass(frames: 2, of: stream)
        let count = outcomes.withLock { $0.count }
        try require(count == 3, "Three stills were asked for and \(count) answers came.")
      },
    ]
  }

  private func take(
    _ size: FrameSize, _ exposure: StillExposure? = nil, from stream: any CaptureStream,
    into outcomes: Monitor<[Outcome]>
  ) {
    take(StillRequest(size: size, exposure: exposure), from: stream, into: outcomes)
  }

  private func take(
    _ request: StillRequest, from stream: any CaptureStream, into outcomes: Monitor<[Outcome]>
  ) {
    stream.captureStill(request) { result in
      let kept = result.map { frame in
        var frame = frame
        frame.inFlight = nil
        return frame
      }
      outcomes.withLock { $0.append(kept) }
    }
  }

  private func single(_ outcomes: Monitor<[Outcome]>, on stage: ConformanceStage) throws -> Outcome {
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: ConformanceStage.timeoutNanoseconds)
    let all = outcomes.wait(until: deadline, for: { !$0.isEmpty }, then: { $0 }) ?? []
    guard all.count == 1, let outcome = all.first else {
      throw ConformanceFailure(message: "A still was answered \(all.count) times.", line: #line)
    }
    return outcome
  }

  private func refuse(_ code: CaptureDeviceError.Code, _ outcome: Outcome, line: UInt = #line) throws {
    guard case .failure(let error) = outcome else {
      throw ConformanceFailure(message: "A still was taken instead of failing as \(code).", line: line)
    }
    try require(error.code == code, "A still failed as \(error.code), not \(code): \(error)", line: line)
  }
}

extension CapturedFrame {
  fileprivate var pictureSize: FrameSize {
    switch picture {
    case .pixels(let buffer): FrameSize(width: buffer.width, height: buffer.height)
    case .jpeg(_, let size): size
    case .mosaic(let mosaic): mosaic.size
    case .coded(let coded): FrameSize(coded.format.dimensions)
    }
  }
}
