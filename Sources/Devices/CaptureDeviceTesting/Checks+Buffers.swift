internal import CaptureDevice
internal import CoreVideo

extension DeviceConformanceSuite {
  /// The requested numbers of buffers, from fewer than any driver gives to more.
  static let requestCounts = [1, 2, 3, 5, 8, 13, 21, 34, 55, 89]

  /// Checks of whose memory a frame is.
  var bufferChecks: [Check] {
    let requests = Self.requestCounts.map { count in
      Check("of \(count) buffer\(count == 1 ? "" : "s") those that are granted can be held, and frames come")
      {
        [self] in
        let stage = try ConformanceStage(self)
        let stream = try stage.open(buffers: count)
        let granted = stream.configuration.bufferCount
        try require(granted >= 1, "\(granted) buffers were granted.")
        try run(stream, on: stage, frames: 3)
        let recorder = StreamRecorder(keeping: granted)
        try stream.start(recorder.receive)
        try stage.run(stream, recorder, until: "the \(granted) buffers that were granted are held") {
          $0.kept.count == granted
        }
        // Every buffer that is not with a client is with the driver now.
        stream.stop()
        recorder.letGo()
        try run(stream, on: stage, frames: 1)
      }
    }
    return requests + [
      Check(
        "a client that holds every buffer gets drops as outOfBuffers, and frames again when it releases them"
      ) { [self] in
        let stage = try ConformanceStage(self)
        // Motion JPEG is bytes of its own in some backends; this is about pictures in the device's memory.
        guard let format = stage.formats.first(where: \.isUncompressed) else { return }
        let stream = try stage.open(format, buffers: 3)
        let recorder = StreamRecorder(keeping: 100)
        try stream.start(recorder.receive)
        defer { stream.stop() }
        // A slow machine may lose frames of its own besides; only those for want of buffers count here.
        try stage.run(stream, recorder, until: "a frame is dropped as outOfBuffers") { log in
          log.drops.contains { $0.reason == .outOfBuffers }
        }
        // The log holds the pictures too, so only its numbers may be kept here.
        let (kept, count) = (recorder.now.kept.count, recorder.now.frames.count)
        try require(kept >= 3, "Only \(kept) frames could be held, though 3 were promised.")
        recorder.letGo()
        try stage.run(stream, recorder, until: "frames come again") { $0.frames.count >= count + 3 }
        try checkOrder(recorder.now)
      },
      Check("frames that are held stay readable after stop and after the stream has gone") { [self] in
        let stage = try ConformanceStage(self)
        var stream: (any CaptureStream)? = try stage.open()
        let recorder = StreamRecorder(keeping: 3)
        try stream?.start(recorder.receive)
        if let stream {
          try stage.run(stream, recorder, until: "three frames are held") { $0.kept.count == 3 }
          stage.pass(frames: 3, of: stream)
        }
        let before = recorder.now.kept.map(\.checksum)
        stream?.stop()
        try require(recorder.now.kept.map(\.checksum) == before, "stop changed pictures that a client holds.")
        stream = nil
        try require(
          recorder.now.kept.map(\.checksum) == before, "Closing changed pictures that a client holds.")
        let next = try stage.open()
        try run(next, on: stage, frames: 3)
        try require(
          recorder.now.kept.map(\.checksum) == before, "The next stream wrote into pictures of the last.")
        recorder.letGo()
      },
      Check("frames are the device's memory, used again and again") { [self] in
        let stage = try ConformanceStage(self)
        guard let format = stage.formats.first(where: \.isUncompressed) else { return }
        let stream = try stage.open(format, buffers: 4)
        let recorder = StreamRecorder()
        try stream.start(recorder.receive)
        try stage.run(stream, recorder, until: "thirty frames come") { $0.frames.count >= 30 }
        stream.stop()
        let addresses = Set(recorder.now.frames.compactMap(\.address))
        // Drivers may add some of their own; a copy for each frame would show thirty.
        try require(addresses.count <= 12, "Thirty frames came from \(addresses.count) places.")
      },
    ]
  }
}

extension StreamFormat {
  fileprivate var isUncompressed: Bool {
    if case .pixels = encoding { true } else { false }
  }
}
