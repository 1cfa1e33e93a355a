import AVFoundation
import CaptureDevice
import CaptureStage
import CoreMedia
import Foundation
import Linux
import SimulatedDevices
import Testing

extension DeviceSuites {
  @Suite("A recording has what was captured from the press to the stop")
  struct RecordingMomentsTests {
    private func connection(_ stage: MovieStage) throws -> AVCaptureConnection {
      try #require(stage.output.connection(with: .video))
    }

    /// In frames of a thirtieth of a second.
    private func frames(_ time: CMTime, since start: CMTime = .zero) -> Double { (time - start).seconds * 30 }

    private func sound(_ url: URL) throws -> CMTimeRange {
      try #require(AVURLAsset(url: url).tracks(withMediaType: .audio).first).timeRange
    }

    private func areAtTheirTimes(_ times: [Double], from first: Double = 0) -> Bool {
      times.enumerated().allSatisfy { abs($1 - first - Double($0) / 30) < 0.000_02 }
    }

    @Test(
      arguments: [
        .off, .standard, .cinematic, .cinematicExtended, .cinematicExtendedEnhanced,
      ] as [AVCaptureVideoStabilizationMode])
    func `however late the stabilization lets frames come`(mode: AVCaptureVideoStabilizationMode) throws {
      let stage = try MovieStage()
      try connection(stage).preferredVideoStabilizationMode = mode
      let start = try #require(stage.session.synchronizationClock).time
      stage.session.startRunning()
      stage.pass(frames: 40)
      stage.output.startRecording(to: stage.url(), recordingDelegate: stage.log)
      stage.pass(frames: 40)
      stage.output.stopRecording()
      #expect(!stage.output.isRecording)
      stage.pass(frames: 30)
      #expect(stage.log.wait(for: "finished movie.mov"))
      #expect(stage.log.lastError == nil)
      #expect(stage.log.starts.withLock { $0 }.map { frames($0, since: start).rounded() } == [40])
      let movie = try WrittenMovie(stage.url())
      #expect(movie.times.count == 40 && areAtTheirTimes(movie.times))
      #expect(abs(try #require(movie.audioStart)) < 0.001)
      #expect(abs(frames(try sound(stage.url()).duration) - 40) < 0.4)
      #expect(abs(frames(AVURLAsset(url: stage.url()).duration) - 40) < 0.01)
      #expect(stage.output.droppedFrameCount == 0)
    }

    @Test(arguments: [AVCaptureVideoStabilizationMode.off, .cinematicExtended])
    func `a press and a stop between frames`(mode: AVCaptureVideoStabilizationMode) throws {
      let stage = try MovieStage()
      try connection(stage).preferredVideoStabilizationMode = mode
      let start = try #require(stage.session.synchronizationClock).time
      stage.session.startRunning()
      stage.pass(frames: 20)
      stage.clock.advance(by: .milliseconds(12))
      stage.output.startRecording(to: stage.url(), recordingDelegate: stage.log)
      stage.pass(frames: 20)
      stage.output.stopRecording()
      stage.pass(frames: 25)
      #expect(stage.log.wait(for: "finished movie.mov"))
      #expect(stage.log.lastError == nil)
      #expect(stage.log.starts.withLock { $0 }.map { frames($0, since: start).rounded() } == [21])
      let movie = try WrittenMovie(stage.url())
      #expect(movie.times.count == 20 && areAtTheirTimes(movie.times))
      // From the first picture to the stop.
      let length = 19.0 / 30 + 0.012
      #expect(abs(AVURLAsset(url: stage.url()).duration.seconds - length) < 0.001)
      #expect(abs(try sound(stage.url()).duration.seconds - length) < 0.012)
      #expect(abs(try #require(movie.audioStart)) < 0.001)
    }

    @Test(arguments: [AVCaptureVideoStabilizationMode.off, .cinematic, .cinematicExtendedEnhanced])
    func `without what was captured in pauses, shorter or longer than frames are late`(
      mode: AVCaptureVideoStabilizationMode
    ) throws {
      let stage = try MovieStage()
      try connection(stage).preferredVideoStabilizationMode = mode
      stage.session.startRunning()
      stage.output.startRecording(to: stage.url(), recordingDelegate: stage.log)
      // Recorded and left out by turns, in frames.
      for (recorded, left) in [(10, 3), (4, 40), (12, 7), (6, 0)] {
        stage.pass(frames: recorded)
        if left > 0 {
          stage.output.pauseRecording()
          stage.pass(frames: left)
          stage.output.resumeRecording()
        }
      }
      stage.output.stopRecording()
      stage.pass(frames: 30)
      #expect(stage.log.wait(for: "finished movie.mov"))
      #expect(stage.log.lastError == nil)
      let movie = try WrittenMovie(stage.url())
      #expect(movie.times.count == 32 && areAtTheirTimes(movie.times))
      if mode == .off {
        let wanted: [UInt32] = Array(0..<10) + Array(13..<17) + Array(57..<69) + Array(76..<82)
        #expect(movie.stamps == wanted.map { $0 })
      }
      #expect(abs(frames(try sound(stage.url()).duration) - 32) < 0.5)
      #expect(stage.output.droppedFrameCount == 0)
    }

    @Test func `a pause before the first frame has come`() throws {
      let stage = try MovieStage()
      try connection(stage).preferredVideoStabilizationMode = .cinematicExtended
      stage.session.startRunning()
      stage.pass(frames: 20)
      stage.output.startRecording(to: stage.url(), recordingDelegate: stage.log)
      stage.pass(frames: 5)
      stage.output.pauseRecording()
      stage.pass(frames: 2)
      stage.output.resumeRecording()
      stage.pass(frames: 3)
      stage.output.stopRecording()
      stage.pass(frames: 25)
      #expect(stage.log.wait(for: "finished movie.mov"))
      #expect(stage.log.lastError == nil)
      let movie = try WrittenMovie(stage.url())
      #expect(movie.times.count == 8 && areAtTheirTimes(movie.times))
    }

    @Test func `a file that takes over begins where the one before it ends, however late frames come`() throws
    {
      let stage = try MovieStage()
      try connection(stage).preferredVideoStabilizationMode = .cinematicExtended
      stage.session.startRunning()
      stage.output.startRecording(to: stage.url("1.mov"), recordingDelegate: stage.log)
      stage.pass(frames: 20)
      stage.output.startRecording(to: stage.url("2.mov"), recordingDelegate: stage.log)
      stage.pass(frames: 10)
      stage.output.stopRecording()
      stage.pass(frames: 25)
      #expect(stage.log.wait(for: "finished 1.mov") && stage.log.wait(for: "finished 2.mov"))
      #expect(stage.log.lastError == nil)
      let (one, two) = (try WrittenMovie(stage.url("1.mov")), try WrittenMovie(stage.url("2.mov")))
      #expect(one.times.count == 20 && areAtTheirTimes(one.times))
      #expect(two.times.count == 10 && areAtTheirTimes(two.times))
      #expect(abs(frames(try sound(stage.url("1.mov")).duration) - 20) < 0.2)
    }

    @Test func `a file that takes over and is stopped before its first frame leaves the one before it whole`()
      throws
    {
      let stage = try MovieStage()
      stage.session.startRunning()
      stage.output.startRecording(to: stage.url("1.mov"), recordingDelegate: stage.log)
      stage.pass(frames: 20)
      stage.output.startRecording(to: stage.url("2.mov"), recordingDelegate: stage.log)
      stage.output.stopRecording()
      #expect(stage.log.wait(for: "finished 1.mov") && stage.log.wait(for: "finished 2.mov"))
      #expect(stage.log.errors.withLock { $0.map(\.code) } == [.noDataCaptured])
      #expect(try WrittenMovie(stage.url("1.mov")).times.count == 20)
    }

    @Test func `a frame that was captured between a press and a stop in quick succession`() throws {
      let stage = try MovieStage()
      stage.session.startRunning()
      stage.pass(frames: 10)
      stage.clock.advance(by: .milliseconds(30))
      stage.output.startRecording(to: stage.url(), recordingDelegate: stage.log)
      stage.clock.advance(by: .milliseconds(10))
      stage.output.stopRecording()
      stage.pass(frames: 2)
      #expect(stage.log.wait(for: "finished movie.mov"))
      #expect(stage.log.lastError == nil)
      #expect(try WrittenMovie(stage.url()).stamps == [11])
    }

    @Test func `a stop of the recording right before that of the session is no error`() throws {
      let stage = try MovieStage()
      stage.session.startRunning()
      stage.output.startRecording(to: stage.url(), recordingDelegate: stage.log)
      stage.pass(frames: 10)
      stage.clock.advance(by: .milliseconds(12))
      stage.output.stopRecording()
      stage.session.stopRunning()
      #expect(stage.log.wait(for: "finished movie.mov"))
      #expect(stage.log.lastError == nil)
      #expect(try WrittenMovie(stage.url()).stamps.count == 10)
    }

    @Test func `another stabilization ends no recording and makes no gap in it`() throws {
      let stage = try MovieStage()
      let connection = try connection(stage)
      let data = AVCaptureVideoDataOutput()
      let counter = FrameCounter()
      data.alwaysDiscardsLateVideoFrames = false
      counter.watch(data)
      stage.session.addOutput(data)
      stage.session.startRunning()
      stage.output.startRecording(to: stage.url(), recordingDelegate: stage.log)
      for mode: AVCaptureVideoStabilizationMode in [.off, .cinematicExtended, .standard, .cinematic, .off] {
        connection.preferredVideoStabilizationMode = mode
        stage.pass(frames: 20)
        #expect(connection.activeVideoStabilizationMode == mode)
      }
      stage.output.stopRecording()
      stage.pass(frames: 25)
      #expect(stage.log.wait(for: "finished movie.mov"))
      #expect(stage.log.lastError == nil && stage.output.droppedFrameCount == 0)
      let movie = try WrittenMovie(stage.url())
      #expect(movie.times.count == 100 && areAtTheirTimes(movie.times))
      #expect(abs(frames(try sound(stage.url()).duration) - 100) < 0.5)
      #expect(counter.drops == 0)
      let times = counter.times
      #expect(zip(times, times.dropFirst()).allSatisfy { abs(frames($1, since: $0) - 1) < 0.001 })
    }

    @Test func `sound alone begins with the press and ends with the stop`() throws {
      let output = AVCaptureAudioFileOutput()
      let stage = try MovieStage(output, hasCamera: false)
      let start = try #require(stage.session.synchronizationClock).time
      stage.session.startRunning()
      stage.clock.advance(by: .milliseconds(503))
      output.startRecording(to: stage.url("a.mov"), outputFileType: .mov, recordingDelegate: stage.log)
      stage.clock.advance(by: .milliseconds(504))
      output.stopRecording()
      #expect(stage.log.wait(for: "finished a.mov"))
      #expect(stage.log.lastError == nil)
      let began = try #require(stage.log.starts.withLock { $0.first })
      #expect(abs((began - start).seconds - 0.503) < 0.000_1)
      // The chunk that is under way ends with the clock, which stands.
      #expect(abs(AVURLAsset(url: stage.url("a.mov")).duration.seconds - 0.504) < 0.025)
    }

    @Test(arguments: [0.5, 2, 4.5])
    func `a camera that stands still lacks pictures, which are counted, and none of the sound`(
      seconds: Double
    )
      throws
    {
      let stage = try MovieStage(
        faults: [SceneFault(.stall(seconds: seconds), at: 1, device: "movie.back")])
      stage.session.startRunning()
      stage.output.startRecording(to: stage.url(), recordingDelegate: stage.log)
      stage.pass(frames: 180)
      stage.output.stopRecording()
      #expect(stage.log.wait(for: "finished movie.mov"))
      #expect(stage.log.lastError == nil)
      let lost = Int((seconds * 30).rounded())
      #expect(stage.output.recordedFrameCount == 180 - lost)
      #expect(stage.output.droppedFrameCount == lost)
      #expect(abs(frames(try sound(stage.url()).duration) - 180) < 0.5)
    }

    @Test func `a camera that stands still until the stop lacks pictures, too`() throws {
      let stage = try MovieStage(faults: [SceneFault(.stall(seconds: 4), at: 2, device: "movie.back")])
      stage.session.startRunning()
      stage.output.startRecording(to: stage.url(), recordingDelegate: stage.log)
      stage.pass(frames: 150)
      stage.output.stopRecording()
      // Waited for until nothing of before the stop can come any more.
      stage.pass(frames: 20)
      #expect(stage.log.wait(for: "finished movie.mov"))
      #expect(stage.log.lastError == nil)
      #expect(stage.output.recordedFrameCount == 60 && stage.output.droppedFrameCount == 90)
      #expect(abs(AVURLAsset(url: stage.url()).duration.seconds - 5) < 0.001)
      // The last picture is shown until then, as the sound is heard.
      let pictures = try #require(AVURLAsset(url: stage.url()).tracks(withMediaType: .video).first)
      #expect(abs(pictures.timeRange.duration.seconds - 5) < 0.001)
      #expect(abs(frames(try sound(stage.url()).duration) - 150) < 0.5)
    }

    @Test func `a camera that changes its rate lacks nothing`() throws {
      let stage = try MovieStage()
      let device = try #require(stage.camera?.device)
      stage.session.startRunning()
      stage.output.startRecording(to: stage.url(), recordingDelegate: stage.log)
      stage.pass(frames: 30)
      try device.lockForConfiguration()
      for rate: Int32 in [5, 30] {
        device.activeVideoMinFrameDuration = CMTime(value: 1, timescale: rate)
        device.activeVideoMaxFrameDuration = CMTime(value: 1, timescale: rate)
        stage.pass(frames: 60)
      }
      device.unlockForConfiguration()
      stage.output.stopRecording()
      stage.pass(frames: 2)
      #expect(stage.log.wait(for: "finished movie.mov"))
      #expect(stage.output.droppedFrameCount == 0)
    }

    @Test(arguments: [8, 30])
    func
      `of a camera of a frame in seconds, nothing of before the press, and all sound from the first frame on`(
        period: Int
      ) throws
    {
      var model = SimulatedDeviceModel.camera(
        uniqueID: "slow.movie", name: "Slow", sizes: [FrameSize(width: 64, height: 48)])
      for index in model.facts.formats.indices {
        model.facts.formats[index].frameDurations = [FrameDuration(1, 60)...FrameDuration(60, 1)]
        model.facts.formats[index].exposureNanoseconds = 24_000...60_000_000_000
      }
      let stage = try MovieStage(devices: [model])
      let camera = try #require(stage.camera?.device)
      try camera.lockForConfiguration()
      camera.activeVideoMaxFrameDuration = CMTime(value: CMTimeValue(period), timescale: 1)
      camera.activeVideoMinFrameDuration = CMTime(value: CMTimeValue(period), timescale: 1)
      camera.unlockForConfiguration()
      func pass(_ seconds: Int) { for _ in 0..<seconds { stage.clock.advance(by: .seconds(1)) } }
      stage.session.startRunning()
      pass(period + period / 2)
      let press = Double(stage.clock.now.nanoseconds) / 1e9
      stage.output.startRecording(to: stage.url(), recordingDelegate: stage.log)
      pass(4 * period)
      #expect(stage.log.wait(for: "started movie.mov"))
      let first = try #require(stage.log.starts.withLock { $0.first }).seconds
      #expect(first >= press - 0.001 && first <= press + Double(period) + 0.001)
      stage.output.stopRecording()
      pass(3 * period)
      #expect(stage.log.wait(for: "finished movie.mov"))
      #expect(stage.log.lastError == nil)
      let range = try sound(stage.url())
      let length = press + Double(4 * period) - first
      #expect(range.start.seconds < 0.05 && abs(range.duration.seconds - length) < 0.1)
    }
  }
}
