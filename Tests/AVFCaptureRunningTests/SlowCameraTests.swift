import AVFoundation
import CaptureDevice
import CaptureStage
import Foundation
import Linux
import SimulatedDevices
import StreamParts
import Testing

extension DeviceSuites {
  @Suite("Slow cameras")
  struct SlowCameraTests {
    /// Cameras of one frame in so many seconds.
    static let periods: [Int32] = [2, 8, 30, 60]

    /// A camera of at most 60 frames a second, and at least one in a minute.
    private static let model: SimulatedDeviceModel = {
      var model = SimulatedDeviceModel.camera(
        uniqueID: "slow.back", name: "Slow", sizes: [SessionStage.small])
      for index in model.facts.formats.indices {
        model.facts.formats[index].frameDurations = [FrameDuration(1, 60)...FrameDuration(60, 1)]
        model.facts.formats[index].exposureNanoseconds = 24_000...60_000_000_000
      }
      return model
    }()

    private struct Running {
      let stage: SessionStage
      let camera: AVCaptureDevice
      let counter: CaptureStage.FrameCounter

      func setPeriod(_ duration: CMTime) throws {
        try camera.lockForConfiguration()
        camera.activeVideoMaxFrameDuration = duration
        camera.activeVideoMinFrameDuration = duration
        camera.unlockForConfiguration()
      }

      /// Moves time by so much, in steps of a second, so that each news has been heard before the next.
      func pass(_ seconds: Int) {
        for _ in 0..<seconds { stage.clock.advance(by: .seconds(1)) }
        stage.session.events.sync {}
      }

      var hasFailed: Bool { stage.news.all.contains("error") }
    }

    private func running(_ period: CMTime?, _ faults: [SceneFault] = []) throws -> Running {
      let stage = SessionStage(devices: [Self.model], faults: faults)
      let (_, counter) = try stage.addCamera(Self.model)
      let running = Running(stage: stage, camera: try stage.camera(Self.model), counter: counter)
      if let period { try running.setPeriod(period) }
      stage.session.startRunning()
      return running
    }

    @Test(arguments: periods)
    func `a camera of one frame in seconds runs on, and each of its frames comes`(period: Int32) throws {
      let running = try running(CMTime(value: Int64(period), timescale: 1))
      running.pass(Int(period) * 12 + 1)
      #expect(!running.hasFailed && running.stage.session.isRunning)
      #expect(running.counter.frames == 12)
      running.stage.session.stopRunning()
    }

    @Test(arguments: periods)
    func `a dead camera of that rate is found when five of its frames are missing`(period: Int32) throws {
      let seconds = Int(period)
      let running = try running(
        CMTime(value: Int64(period), timescale: 1),
        [SceneFault(.stall(seconds: 3600), at: Double(seconds * 3) - 0.5)])
      running.pass(seconds * 3 + 1)
      #expect(running.counter.frames == 3 && !running.hasFailed)
      // The frame is there when its exposure is over.
      let last = try #require(running.counter.times.last).seconds + Double(seconds)
      let rest = last + Double(5 * seconds) - Double(running.stage.clock.now.nanoseconds) / 1e9
      running.stage.clock.advance(by: .seconds(rest - 0.001))
      running.stage.session.events.sync {}
      #expect(!running.hasFailed)
      running.stage.clock.advance(by: .seconds(0.002))
      #expect(running.stage.news.wait(for: "stopped"))
      #expect(running.stage.news.lastError?.code == .noDataCaptured)
      let text = "no frame for \(max(5, 5 * seconds)) seconds"
      #expect(running.stage.news.lastError?.localizedDescription.contains(text) == true)
    }

    @Test(arguments: periods)
    func `a slow camera that measures depth has a map with each frame, and is found dead in the same time`(
      period: Int32
    ) throws {
      var model = SimulatedDeviceModel.camera(
        uniqueID: "slow.depth", name: "Slow", sizes: [SessionStage.small], depthSizes: [SessionStage.small])
      let duration = FrameDuration(period, 1)
      for index in model.facts.formats.indices {
        model.facts.formats[index].frameDurations = [duration...duration]
        for map in model.facts.formats[index].depthFormats.indices {
          model.facts.formats[index].depthFormats[map].frameDurations = [duration...duration]
        }
      }
      let seconds = Int(period)
      let stage = SessionStage(
        devices: [model], faults: [SceneFault(.stall(seconds: 3600), at: Double(seconds * 4) - 0.5)])
      let (_, counter) = try stage.addCamera(model)
      let output = AVCaptureDepthDataOutput()
      output.isFilteringEnabled = false
      stage.session.addOutput(output)
      let maps = MapCounter()
      output.setDelegate(maps, callbackQueue: DispatchQueue(label: "maps"))
      stage.session.startRunning()
      let running = Running(stage: stage, camera: try stage.camera(model), counter: counter)
      running.pass(seconds * 4 + 1)
      #expect(counter.frames == 4 && !running.hasFailed)
      #expect(maps.times.withLock { $0 } == counter.times)
      // Five frames' time is over when the sixth would have come; until then it is alive.
      running.pass(max(5, 5 * seconds) - 2)
      #expect(!running.hasFailed)
      running.pass(2)
      #expect(stage.news.wait(for: "stopped"))
      #expect(stage.news.lastError?.code == .noDataCaptured)
    }

    @Test func `the limit follows a rate that is changed while the camera runs, both ways`() throws {
      let running = try running(nil)
      running.pass(3)
      try running.setPeriod(CMTime(value: 8, timescale: 1))
      running.pass(60)
      #expect(!running.hasFailed)
      let slow = running.counter.frames
      // In the middle of a frame of eight seconds, which was begun before.
      running.pass(5)
      try running.setPeriod(CMTime(value: 1, timescale: 30))
      running.pass(30)
      #expect(!running.hasFailed && running.counter.frames > slow + 300)
      running.stage.session.stopRunning()
    }

    @Test func `a camera that dies after it was made faster is found within five seconds`() throws {
      let running = try running(
        CMTime(value: 8, timescale: 1), [SceneFault(.stall(seconds: 3600), at: 40)])
      running.pass(17)
      try running.setPeriod(CMTime(value: 1, timescale: 30))
      running.pass(22)
      #expect(!running.hasFailed && running.counter.frames > 300)
      running.pass(8)
      #expect(running.stage.news.wait(for: "stopped"))
      #expect(running.stage.news.lastError?.localizedDescription.contains("for 5 seconds") == true)
    }

    @Test func `an exposure of eight seconds is no silence`() throws {
      let running = try running(nil)
      running.pass(2)
      let camera = running.camera
      try camera.lockForConfiguration()
      camera.setExposureModeCustom(duration: CMTime(value: 8, timescale: 1), iso: camera.activeFormat.minISO)
      camera.unlockForConfiguration()
      let before = running.counter.frames
      running.pass(60)
      #expect(!running.hasFailed && (6...9).contains(running.counter.frames - before))
      running.stage.session.stopRunning()
    }

    @Test(arguments: [true, false])
    func `an exposure of twelve seconds that is taken back while it lasts is no silence`(isCustom: Bool)
      throws
    {
      let running = try running(nil)
      running.pass(2)
      let camera = running.camera
      try camera.lockForConfiguration()
      camera.setExposureModeCustom(duration: CMTime(value: 12, timescale: 1), iso: camera.activeFormat.minISO)
      running.pass(1)
      if isCustom {
        camera.setExposureModeCustom(
          duration: CMTime(value: 1, timescale: 60), iso: camera.activeFormat.minISO)
      } else {
        camera.exposureMode = .continuousAutoExposure
      }
      camera.unlockForConfiguration()
      let before = running.counter.frames
      running.pass(40)
      #expect(!running.hasFailed && running.counter.frames > before)
      running.stage.session.stopRunning()
    }
  }
}

private final class MapCounter: NSObject, AVCaptureDepthDataOutputDelegate, Sendable {
  let times = Locked<[CMTime]>([])

  func depthDataOutput(
    _ output: AVCaptureDepthDataOutput, didOutput depthData: AVDepthData, timestamp: CMTime,
    connection: AVCaptureConnection
  ) {
    times.withLock { $0.append(timestamp) }
  }
}

@Suite("SilenceLimit: how long a camera may send nothing")
struct SilenceLimitTests {
  private static let second: Int64 = 1_000_000_000

  @Test(arguments: [(0, 5), (1, 5), (2, 10), (8, 40), (60, 300)] as [(Int64, Int64)])
  func `it is five seconds or five frames, whichever is longer`(frame: Int64, limit: Int64) {
    #expect(SilenceLimit.nanoseconds(frame: frame * Self.second) == limit * Self.second)
  }

  @Test func `the longest frame since the last news counts, and the present one from the next on`() {
    var limit = SilenceLimit()
    #expect(limit.note(frame: 8 * Self.second, count: 3) == 40 * Self.second)
    #expect(limit.note(frame: Self.second / 30, count: 3) == 40 * Self.second)
    #expect(limit.note(frame: Self.second / 30, count: 4) == 5 * Self.second)
    #expect(limit.note(frame: 2 * Self.second, count: 4) == 10 * Self.second)
  }
}
