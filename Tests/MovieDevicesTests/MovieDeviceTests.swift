import CaptureDevice
import CaptureDeviceTesting
import CoreMedia
import CoreVideo
import Foundation
import Linux
import MovieDevices
import MovieTools
import Testing

/// A movie of one second: ten numbered frames, a tone of 500 Hz, turned by 90 degrees.
private let film: String = {
  let path = FileManager.default.temporaryDirectory.appendingPathComponent("film-\(getpid()).mov").path
  let plain = path + ".plain.mov"
  do {
    try Program.make(
      plain,
      [
        "-f", "lavfi", "-i",
        "color=black:size=64x48:rate=50:duration=0.2,format=yuv420p,geq=lum='25+mod(N\\,16)*13':cb=128:cr=128",
        "-f", "lavfi", "-i", "sine=frequency=500:duration=0.2:sample_rate=48000", "-c:v", "libx264", "-bf",
        "2",
        "-c:a", "pcm_s16le",
      ])
    try Program.make(path, ["-i", plain, "-c", "copy", "-metadata:s:v", "rotate=90"])
  } catch {
    Issue.record("The film cannot be made: \(error)")
  }
  try? FileManager.default.removeItem(atPath: plain)
  atexit {
    _ = unlink(FileManager.default.temporaryDirectory.appendingPathComponent("film-\(getpid()).mov").path)
  }
  return path
}()

@Suite("A movie as a camera")
struct MovieDeviceTests {
  @Test(arguments: DeviceConformanceSuite(makeProvider: { try MovieDeviceProvider(path: film) }).checks)
  func `a movie's camera keeps the contract`(_ check: DeviceConformanceSuite.Check) throws {
    try check.run()
  }

  @Test(arguments: MicrophoneConformanceSuite(makeProvider: { try MovieDeviceProvider(path: film) }).checks)
  func `a movie's microphone keeps the contract`(_ check: MicrophoneConformanceSuite.Check) throws {
    try check.run()
  }

  @Test func `frames come upright, over and over, as far apart as in the movie`() throws {
    let provider = try MovieDeviceProvider(path: film)
    let camera = try #require(provider.devices().first)
    #expect(camera.facts.formats.first?.size == FrameSize(width: 48, height: 64))
    let format = try #require(camera.facts.formats.first)
    let stream = try camera.openStream(
      StreamConfiguration(format: format, frameDuration: format.frameDurations[0].lowerBound))
    let seen = Monitor<[(number: Int, time: Int64)]>([])
    try stream.start { event in
      guard case .frame(let frame) = event, case .pixels(let pixels) = frame.picture else { return }
      let number = TestMovie.number(of: pixels)
      seen.withLock { $0.append((number, frame.timestamp.nanoseconds)) }
    }
    let frames = try #require(
      seen.wait(until: .now.advanced(bySeconds: 60), for: { $0.count >= 25 }, then: { Array($0.prefix(25)) }))
    stream.stop()
    #expect(frames.map(\.number) == (0..<25).map { $0 % 10 })
    for (one, next) in zip(frames, frames.dropFirst()) {
      #expect(abs(next.time - one.time - 20_000_000) < 2_000)
    }
  }

  @Test(arguments: [2, 8, 30, 60])
  func `a movie of a frame in many seconds is a camera of that rate, and no dead one`(period: Int32) throws {
    try withMovieFolder { folder in
      let path = "\(folder)/slow.mov"
      try Program.make(
        path,
        [
          "-f", "lavfi", "-i", "color=gray:size=64x48:rate=1/\(period):duration=\(4 * period)", "-c:v",
          "libx264",
        ])
      let camera = try #require(try MovieDeviceProvider(path: path).devices().first)
      let duration = try #require(camera.facts.formats.first?.frameDurations.first).lowerBound
      #expect(duration.nanoseconds == Int64(period) * 1_000_000_000)
      let stream = try camera.openStream(
        StreamConfiguration(format: camera.facts.formats[0], frameDuration: FrameDuration(1, 30)))
      // What a session's watch goes by.
      #expect(stream.configuration.frameDuration.nanoseconds == duration.nanoseconds)
      stream.stop()
    }
  }

  @Test func `the audio is the movie's`() throws {
    let provider = try MovieDeviceProvider(path: film)
    let microphone = try #require(provider.devices().last)
    let stream = try microphone.openStream(.audio(AudioStreamFormat(rate: 48_000, channels: 1)))
    let heard = Monitor<[Int16]>([])
    try stream.start { event in
      guard case .audio(let audio) = event, let bytes = try? audio.samples.dataBytes() else { return }
      let samples = bytes.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
      heard.withLock { $0 += samples }
    }
    let samples = try #require(
      heard.wait(
        until: .now.advanced(bySeconds: 60), for: { $0.count >= 24_000 }, then: { Array($0.prefix(24_000)) }))
    stream.stop()
    let rises = zip(samples, samples.dropFirst()).filter { $0 < 0 && $1 >= 0 }.count
    #expect(abs(rises - 250) <= 3)
    #expect((samples.max() ?? 0) > 3_000)
  }

  /// The first frames of a movie's camera: their numbers, and the very first.
  private func frames(_ path: String, _ count: Int) throws -> (numbers: [Int], first: CVPixelBuffer?) {
    let camera = try #require(try MovieDeviceProvider(path: path).devices().first)
    let format = try #require(camera.facts.formats.first)
    let stream = try camera.openStream(
      StreamConfiguration(format: format, frameDuration: format.frameDurations[0].lowerBound))
    let seen = Monitor<(numbers: [Int], first: CVPixelBuffer?)>(([], nil))
    try stream.start { event in
      guard case .frame(let frame) = event, case .pixels(let pixels) = frame.picture else { return }
      let number = TestMovie.number(of: pixels)
      seen.withLock { seen in
        seen.numbers.append(number)
        seen.first = seen.first ?? pixels
      }
    }
    let found = try #require(
      seen.wait(until: .now.advanced(bySeconds: 60), for: { $0.numbers.count >= count }, then: { $0 }))
    stream.stop()
    return found
  }

  @Test func `no frame of a stream is lost whose headers do not say how far it is reordered`() throws {
    let movies = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("AVFCoreTests/Movies")
    let found = try frames(movies.appendingPathComponent("no-depth-pyramid-3.mp4").path, 18)
    #expect(found.numbers.prefix(18) == (0..<18).map { $0 % 16 }[...])
  }

  @Test func `pixels that are not square become square`() throws {
    try withMovieFolder { folder in
      for (aspect, size, turn) in [("2/1", (128, 48), 0), ("1/2", (32, 48), 0), ("4/3", (48, 86), 90)] {
        let plain = "\(folder)/plain.mov", path = "\(folder)/anamorphic.mov"
        try Program.make(
          plain,
          [
            "-f", "lavfi", "-i", "color=gray:size=64x48:rate=50:duration=0.2,setsar=\(aspect)", "-c:v",
            "libx264",
          ])
        try Program.make(path, ["-i", plain, "-c", "copy", "-metadata:s:v", "rotate=\(turn)"])
        let found = try frames(path, 2)
        let pixels = try #require(found.first)
        #expect(CVPixelBufferGetWidth(pixels) == size.0 && CVPixelBufferGetHeight(pixels) == size.1)
        #expect(CVBufferCopyAttachment(pixels, kCVImageBufferPixelAspectRatioKey, nil) == nil)
      }
    }
  }

  @Test func `the rate is the movie's in other containers, too`() throws {
    try withMovieFolder { folder in
      for (name, options) in [("a.mkv", []), ("b.mp4", ["-movflags", "dash", "-frag_duration", "200000"])] {
        let path = "\(folder)/\(name)"
        try Program.make(
          path,
          ["-f", "lavfi", "-i", "color=gray:size=64x48:rate=50:duration=2", "-c:v", "libx264"] + options)
        let camera = try #require(try MovieDeviceProvider(path: path).devices().first)
        let duration = try #require(camera.facts.formats.first).frameDurations[0].lowerBound
        #expect(duration == FrameDuration(1000, 50_000))
      }
    }
  }

  @Test func `what is no movie is refused with a sentence`() throws {
    let backend = try #require(DeviceBackends.named("movie"))
    for path in [nil, "", "/nowhere/film.mov", "/etc/passwd"] {
      let error = #expect(throws: CaptureDeviceError.self) { try backend.makeProvider(path) }
      #expect(error?.code == .invalidScene && error?.message.isEmpty == false)
    }
  }
}
