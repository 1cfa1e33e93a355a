internal import CaptureDevice
internal import Linux

extension DeviceConformanceSuite {
  /// Checks of the end of streams.
  var stoppingChecks: [Check] {
    [
      Check("stop returns within a second, twice does no harm, and never started neither") { [self] in
        let stage = try ConformanceStage(self)
        let stream = try stage.open()
        stream.stop()
        let recorder = StreamRecorder()
        try stream.start(recorder.receive)
        try stage.run(stream, recorder, until: "a frame comes") { !$0.frames.isEmpty }
        try requireStop(stream)
        stream.stop()
      },
      Check("stop at once after start returns, and nothing comes") { [self] in
        let stage = try ConformanceStage(self)
        let stream = try stage.open()
        for _ in 0..<3 {
          let recorder = StreamRecorder()
          try stream.start(recorder.receive)
          stream.stop()
          recorder.close()
          stage.pass(frames: 2, of: stream)
          try require(recorder.now.eventsAfterClose == 0, "An event came after stop had returned.")
        }
      },
      Check("stop inside the receiver returns, and nothing comes afterwards") { [self] in
        let stage = try ConformanceStage(self)
        let stream = try stage.open()
        let hasStopped = Monitor(false)
        let recorder = StreamRecorder { [weak stream] event in
          guard case .frame = event else { return }
          stream?.stop()
          hasStopped.withLock { $0 = true }
        }
        try stream.start(recorder.receive)
        try stage.run(stream, recorder, until: "a frame comes") { !$0.frames.isEmpty }
        let deadline = MonotonicInstant.now.advanced(byNanoseconds: 2_000_000_000)
        let returned = hasStopped.wait(until: deadline, for: { $0 }, then: { _ in true })
        try require(returned == true, "stop did not return inside the receiver.")
        stage.pass(frames: 3, of: stream)
        try require(
          recorder.now.frames.count == 1,
          "\(recorder.now.frames.count) frames came, though the first stopped.")
        try run(stream, on: stage, frames: 2)
      },
      Check("a stream that is dropped while it runs gives the device back") { [self] in
        let stage = try ConformanceStage(self)
        let recorder = StreamRecorder()
        var stream: (any CaptureStream)? = try stage.open()
        try stream?.start(recorder.receive)
        if let stream { try stage.run(stream, recorder, until: "a frame comes") { !$0.frames.isEmpty } }
        stream = nil
        recorder.close()
        try run(try stage.open(), on: stage, frames: 2)
        try require(recorder.now.eventsAfterClose == 0, "The dropped stream still sent something.")
      },
    ]
  }
}
