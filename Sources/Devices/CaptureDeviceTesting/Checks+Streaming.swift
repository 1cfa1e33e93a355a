internal import CaptureDevice
internal import CoreMedia
internal import CoreVideo
internal import Linux

extension DeviceConformanceSuite {
  /// The frames that a run of the start-and-stop matrix waits for.
  static let runLengths = [1, 2, 3, 5, 8, 13, 21]

  /// Checks of frames, their numbers and their times.
  var streamingChecks: [Check] {
    let matrix = Self.runLengths.map { count in
      Check("start, \(count) frame\(count == 1 ? "" : "s"), stop: numbers and times are in order") { [self] in
        let stage = try ConformanceStage(self)
        for format in stage.formats {
          let stream = try stage.open(format)
          try run(stream, on: stage, frames: count)
        }
      }
    }
    return matrix + [
      Check("a restarted stream counts from 0 again") { [self] in
        let stage = try ConformanceStage(self)
        let stream = try stage.open()
        for _ in 0..<3 { try run(stream, on: stage, frames: 3) }
      },
      Check("a stream that runs cannot be started again") { [self] in
        let stage = try ConformanceStage(self)
        let stream = try stage.open()
        let recorder = StreamRecorder()
        try stream.start(recorder.receive)
        defer { stream.stop() }
        try expect(.deviceBusy, "A second start") { try stream.start { _ in } }
        try stage.run(stream, recorder, until: "a frame comes after a refused start") { !$0.frames.isEmpty }
      },
      Check("frames have the granted size and encoding") { [self] in
        let stage = try ConformanceStage(self)
        for format in stage.formats {
          let stream = try stage.open(format)
          let recorder = StreamRecorder(keeping: 1)
          try stream.start(recorder.receive)
          try stage.run(stream, recorder, until: "a frame comes") { !$0.kept.isEmpty }
          stream.stop()
          guard let frame = recorder.now.kept.first else { continue }
          switch (frame.picture, format.encoding) {
          case (.pixels(let buffer), .pixels(let pixelFormat)):
            try require(
              buffer.format == pixelFormat,
              "A frame of \(format.size) has another pixel format than promised.")
            try require(
              buffer.width == stream.configuration.size.width
                && buffer.height == stream.configuration.size.height,
              "A frame is \(buffer.width)×\(buffer.height) instead of \(stream.configuration.size).")
          case (.jpeg(let block, let size), .motionJPEG):
            try require(size == stream.configuration.size, "A frame is \(size) instead of the granted size.")
            try require(CMBlockBufferGetDataLength(block) > 4, "A JPEG frame is empty.")
          case (.mosaic(let mosaic), .mosaic(let layout)):
            try require(mosaic.layout == layout, "A mosaic has another layout than promised.")
            try require(
              mosaic.size == stream.configuration.size,
              "A frame is \(mosaic.size) instead of the granted size.")
            try require(
              mosaic.data.dataLength >= mosaic.bytesPerRow * (mosaic.size.height - 1),
              "A mosaic is shorter than its rows.")
          case (.coded(let coded), .h264), (.coded(let coded), .hevc):
            try require(coded.isKeyFrame, "The first coded frame is no key frame.")
            try require(coded.data.dataLength > 4, "A coded frame is empty.")
          default:
            throw ConformanceFailure(
              message: "A frame of \(format.size) has the wrong encoding.", line: #line)
          }
          recorder.letGo()
        }
      },
      Check("another frame duration is granted without a gap, or refused") { [self] in
        let stage = try ConformanceStage(self)
        try stage.withRunningStream(frames: 2) { stream, recorder in
          guard let longest = stage.format.frameDurations.last?.upperBound else { return }
          do {
            let granted = try stream.setFrameDuration(longest)
            try require(granted.numerator > 0, "An empty duration was granted.")
          } catch let error as CaptureDeviceError {
            try require(error.code == .formatUnsupported, "It was refused as \(error.code): \(error)")
          }
          let count = recorder.now.frames.count
          try stage.run(stream, recorder, until: "a frame comes after the change") { $0.frames.count > count }
          try checkOrder(recorder.now)
        }
      },
      Check("another stabilization is granted without a gap, or refused") { [self] in
        let stage = try ConformanceStage(self)
        try stage.withRunningStream(frames: 2) { stream, recorder in
          // Every format can be without.
          for mode in StabilizationMode.allCases.filter(stage.format.stabilizationModes.contains) + [.off] {
            do {
              try stream.setStabilization(mode)
              try require(stream.configuration.stabilization == mode, "\(mode) was granted and is not there.")
            } catch let error as CaptureDeviceError {
              try require(error.code == .formatUnsupported, "It was refused as \(error.code): \(error)")
            }
            let count = recorder.now.frames.count
            try stage.run(stream, recorder, until: "a frame comes after the change") {
              $0.frames.count > count
            }
          }
          try checkOrder(recorder.now)
        }
      },
    ]
  }

  /// Starts, waits until the log satisfies `condition`, stops, and checks what holds for every run.
  ///
  /// - Returns: All events, and from when to when on the device's clock it may have been exposed.
  func watch(
    _ stream: any CaptureStream, on stage: ConformanceStage, until what: String,
    _ condition: (StreamRecorder.Log) -> Bool
  ) throws -> (log: StreamRecorder.Log, span: ClosedRange<Int64>) {
    let recorder = StreamRecorder()
    let clock = stage.driver.clock
    let before = clock.nanoseconds
    try stream.start(recorder.receive)
    try stage.run(stream, recorder, until: what, condition)
    stream.stop()
    recorder.close()
    let after = clock.nanoseconds
    stage.pass(frames: 2, of: stream)
    let log = recorder.now
    try require(log.eventsAfterClose == 0, "\(log.eventsAfterClose) events came after stop had returned.")
    try require(log.failure == nil, "The stream failed: \(log.failure.map(\.message) ?? "")")
    try require(!log.wasConcurrent, "Two events came at once.")
    try checkOrder(log)
    // Something may have been exposed a little before the start by a sensor that never rests.
    return (log, before - 999_999_999...after)
  }

  /// Starts, waits for `count` frames, stops, and checks all events.
  func run(_ stream: any CaptureStream, on stage: ConformanceStage, frames count: Int) throws {
    let (log, span) = try watch(stream, on: stage, until: "\(count) frames come") { $0.frames.count >= count }
    for frame in log.frames {
      try require(
        span.contains(frame.timestamp.nanoseconds),
        "Frame \(frame.sequence) was taken at \(frame.timestamp.nanoseconds), outside \(span) of the device's clock."
      )
    }
  }

  /// Sequence numbers start at 0 and skip nothing that was not reported; times increase.
  func checkOrder(_ log: StreamRecorder.Log, line: UInt = #line) throws {
    try requireOrder(
      "frame", numbers: log.order, delivered: log.frames.map { ($0.sequence, $0.timestamp) }, line: line)
  }
}
