import AVFoundation
import CaptureDevice
import CaptureStage
import Foundation
import Linux
import MovieDevices
import MovieTools
import SimulatedDevices
import Testing

extension DeviceSuites {
  @Suite("Movies as slow cameras, in virtual time")
  struct SlowMovieTests {
    /// A session with a movie as its camera, on a clock that the test moves.
    private final class Theatre {
      let clock = SimulatedClock()
      let session = AVCaptureSession()
      let news: SessionNews
      let counter = CaptureStage.FrameCounter()
      /// How long the movie's frames are shown, in the mean.
      let frameSeconds: Double

      init(_ path: String) throws {
        // The clock is the program's, also where its devices are others.
        SimulatedDevices.install(scene: Scene(devices: []), clock: clock)
        let provider = try MovieDeviceProvider(path: path, clock: clock.mediaClock)
        CaptureDeviceProviders.install([provider])
        news = SessionNews(session)
        let driver = try #require(provider.devices().first)
        frameSeconds = Double(driver.facts.formats[0].frameDurations[0].lowerBound.nanoseconds) / 1e9
        let camera = try #require(AVCaptureDevice(uniqueID: driver.facts.uniqueID))
        session.addInput(try AVCaptureDeviceInput(device: camera))
        let output = AVCaptureVideoDataOutput()
        counter.watch(output)
        session.addOutput(output)
        session.startRunning()
      }

      deinit {
        session.stopRunning()
        SimulatedDevices.uninstall()
      }

      func pass(_ seconds: Double) {
        clock.advance(by: .seconds(seconds))
        session.events.sync {}
      }

      var hasFailed: Bool { news.all.contains("error") }
    }

    /// A movie of so many frames, each `period` seconds after the one before, but for one that comes later.
    private func movie(_ folder: String, period: Int, frames: Int, gap: Int = 0) throws -> String {
      let path = "\(folder)/slow-\(period)-\(gap).mov"
      try Program.make(
        path,
        [
          "-f", "lavfi", "-i", "color=gray:size=64x48:rate=1/\(period):duration=\(frames * period)", "-vf",
          "settb=1/1000,setpts='N*\(period * 1000)+if(gte(N,5),\(gap * 1000),0)'", "-fps_mode", "vfr",
          "-enc_time_base", "1/1000", "-c:v", "libx264", "-bf", "0",
        ])
      return path
    }

    @Test(arguments: [2, 8, 30, 60])
    func `a movie of one frame in seconds runs on, over and over, and each of its frames comes`(period: Int)
      throws
    {
      try withMovieFolder { folder in
        let theatre = try Theatre(movie(folder, period: period, frames: 4))
        #expect(abs(theatre.frameSeconds - Double(period)) < 0.001)
        for _ in 0..<period * 12 + 1 { theatre.pass(1) }
        #expect(!theatre.hasFailed && theatre.session.isRunning)
        let times = theatre.counter.times.map(\.seconds)
        #expect(times.count == 13 && theatre.counter.drops == 0)
        for (one, next) in zip(times, times.dropFirst()) { #expect(abs(next - one - Double(period)) < 0.01) }
        theatre.session.stopRunning()
        theatre.pass(Double(period) * 3)
        #expect(theatre.counter.frames == 13)
      }
    }

    @Test(arguments: [2, 8, 30, 60])
    func `one that sends nothing is found dead when five of its frames are missing, and not before`(
      period: Int
    ) throws {
      try withMovieFolder { folder in
        // Its frames are some two seconds of these apart in the mean, and the one that is late would be the tenth.
        let theatre = try Theatre(movie(folder, period: period, frames: 24, gap: 24 * period))
        let limit = max(5, 5 * theatre.frameSeconds)
        #expect(limit < Double(24 * period))
        for _ in 0..<period * 4 + 1 { theatre.pass(1) }
        #expect(theatre.counter.frames == 5)
        let last = try #require(theatre.counter.times.last).seconds
        let rest = last + limit - Double(theatre.clock.now.nanoseconds) / 1e9
        theatre.pass(rest - 0.001)
        #expect(!theatre.hasFailed)
        theatre.pass(0.002)
        #expect(theatre.news.wait(for: "stopped"))
        #expect(theatre.news.lastError?.code == .noDataCaptured)
        #expect(theatre.counter.frames == 5)
      }
    }

    @Test func `a movie's sound comes in virtual time beside its pictures, as long as they are`() throws {
      try withMovieFolder { folder in
        let path = "\(folder)/sound.mov"
        try Program.make(
          path,
          [
            "-f", "lavfi", "-i", "color=gray:size=64x48:rate=1/2:duration=8", "-f", "lavfi", "-i",
            "sine=frequency=500:duration=8:sample_rate=48000", "-c:v", "libx264", "-c:a", "pcm_s16le",
          ])
        let clock = SimulatedClock()
        let provider = try MovieDeviceProvider(path: path, clock: clock.mediaClock)
        let microphone = try #require(provider.devices().last)
        let stream = try microphone.openStream(.audio(AudioStreamFormat(rate: 48_000, channels: 1)))
        let begin = clock.now
        let chunks = Locked<[(begin: Int64, count: Int)]>([])
        try stream.start { event in
          guard case .audio(let audio) = event else { return }
          chunks.withLock { $0.append((audio.timestamp.nanoseconds - begin.nanoseconds, audio.frameCount)) }
        }
        clock.advance(by: .seconds(20))
        stream.stop()
        clock.advance(by: .seconds(1))
        let heard = chunks.withLock { $0 }
        #expect(heard.count == 2000 && heard.allSatisfy { $0.count == 480 })
        #expect(heard.enumerated().allSatisfy { $0.element.begin == Int64($0.offset) * 10_000_000 })
      }
    }
  }
}
