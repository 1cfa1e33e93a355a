import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import Foundation
import Linux
import SimulatedDevices
import Testing
import Waiting

extension DeviceSuites {
  @Suite("AVCaptureSession: a device that stands still")
  struct StallTests {
    private static let devices = [SessionStage.back, SessionStage.front, .stageMicrophone]

    /// Whether an error has been reported, once the news of now has reached the session.
    private func hasFailed(_ stage: SessionStage) -> Bool {
      stage.session.events.sync {}
      return stage.news.all.contains("error")
    }

    /// A stage whose camera stalls at the times given, running.
    private func stage(_ faults: [SceneFault]) throws -> (SessionStage, FrameCounter) {
      let stage = SessionStage(devices: Self.devices, faults: faults)
      let (_, counter) = try stage.addCamera()
      stage.session.startRunning()
      return (stage, counter)
    }

    @Test(arguments: [0, 0.2, 1, 3.9, 4.1, 7.37])
    func `the error comes five seconds after the last frame, whenever that was`(at: Double) throws {
      let (stage, counter) = try stage([SceneFault(.stall(seconds: 60), at: at)])
      let start = stage.clock.now
      stage.pass(milliseconds: Int(at * 1000) + 200)
      let last = counter.times.last.map { $0.seconds + 1 / 30 } ?? start.seconds
      let rest = last + 5 - stage.clock.now.seconds
      stage.clock.advance(by: .seconds(rest - 0.001))
      #expect(!hasFailed(stage))
      stage.clock.advance(by: .seconds(0.002))
      #expect(stage.news.wait(for: "stopped"))
      #expect(stage.news.all.suffix(3) == ["error", "isRunning false", "stopped"])
      #expect(stage.news.lastError?.code == .noDataCaptured)
      #expect(
        stage.news.lastError?.localizedDescription.contains("Back has delivered no frame for 5 seconds")
          == true)
    }

    /// The stall is over and frames would come when the session hears of it.
    @Test(arguments: [5.1, 7, 30])
    func `a stall is noticed however fast the clock is moved past it, and nothing follows the error`(
      seconds: Double
    ) throws {
      let (stage, counter) = try stage([SceneFault(.stall(seconds: seconds), at: 1)])
      stage.clock.advance(by: .seconds(60))
      #expect(stage.news.wait(for: "stopped"))
      #expect(counter.frames == 30)
      #expect(stage.news.all == ["isRunning true", "started", "error", "isRunning false", "stopped"])
    }

    @Test func `stalls that are over in time are no error, one after the other`() throws {
      let (stage, counter) = try stage([
        SceneFault(.stall(seconds: 4.9), at: 1), SceneFault(.stall(seconds: 3), at: 6.2),
        SceneFault(.stall(seconds: 4), at: 9.5),
      ])
      stage.clock.advance(by: .seconds(20))
      #expect(!hasFailed(stage) && stage.session.isRunning)
      #expect(abs(counter.frames - Int((20 - 4.9 - 3 - 4) * 30)) <= 3)
      stage.session.stopRunning()
    }

    @Test func `an interruption is no silence, and a stall after it is timed from its own beginning`() throws
    {
      let (stage, counter) = try stage([
        SceneFault(.privacy(seconds: 20), at: 1), SceneFault(.stall(seconds: 60), at: 22),
      ])
      // What the interruption ended must not take the first frame after it along.
      stage.clock.advance(by: .seconds(2))
      #expect(stage.news.wait(for: "interrupted"))
      stage.session.events.sync {}
      stage.clock.advance(by: .seconds(24.9))
      #expect(stage.news.wait(for: "interruption ended") && !hasFailed(stage))
      #expect(counter.frames == 60)
      stage.clock.advance(by: .seconds(0.2))
      #expect(stage.news.wait(for: "stopped") && stage.news.lastError?.code == .noDataCaptured)
    }

    @Test func `a stop, and a change of what runs, end the look at what ran before`() throws {
      let (stage, counter) = try stage([])
      let input = try #require(stage.session.inputs.first)
      stage.pass(frames: 3)
      stage.session.stopRunning()
      stage.clock.advance(by: .seconds(20))
      #expect(stage.news.all.last == "stopped" && !hasFailed(stage))
      stage.session.startRunning()
      stage.pass(frames: 3)
      stage.session.beginConfiguration()
      stage.session.removeInput(input)
      try stage.session.addInput(AVCaptureDeviceInput(device: stage.camera(SessionStage.front)))
      stage.session.commitConfiguration()
      let before = counter.frames
      stage.clock.advance(by: .seconds(20))
      #expect(!hasFailed(stage) && counter.frames >= before + 590)
      stage.session.stopRunning()
    }

    @Test func `a client that starts again at the error has pictures again, each time`() throws {
      let (stage, counter) = try stage([SceneFault(.stall(seconds: 60), at: 0.5)])
      let token = NotificationCenter.default.addObserver(
        forName: .AVCaptureSessionRuntimeError, object: stage.session, queue: nil
      ) { [unowned session = stage.session] _ in session.startRunning() }
      defer { NotificationCenter.default.removeObserver(token) }
      for round in 1...3 {
        stage.clock.advance(by: .seconds(1))
        #expect(counter.frames == 15 * round)
        stage.clock.advance(by: .seconds(5))
        #expect(stage.news.wait(for: "started", count: round + 1))
      }
      stage.session.stopRunning()
    }

    @Test
    func
      `what waits for devices to return does not start after a stall, but when the plug was pulled and put in`()
      throws
    {
      let (stage, counter) = try stage([SceneFault(.stall(seconds: 60), at: 0.5)])
      stage.session.startsAgainWhenDevicesReturn = true
      stage.clock.advance(by: .seconds(20))
      #expect(stage.news.wait(for: "stopped"))
      stage.clock.advance(by: .seconds(100))
      stage.session.events.sync {}
      #expect(!stage.session.isRunning)
      let simulated = try stage.simulated()
      simulated.unplug()
      simulated.plugIn()
      #expect(stage.news.wait(for: "started", count: 2))
      stage.pass(frames: 6)
      #expect(counter.frames > 15)
      stage.session.stopRunning()
    }

    @Test func `a microphone that stands still leaves the pictures, and is heard again after a start`() throws
    {
      let stage = SessionStage(
        devices: Self.devices,
        faults: [SceneFault(.stall(seconds: 60), at: 0.2, device: "stage.microphone")])
      let (_, frames) = try stage.addCamera()
      let output = AVCaptureAudioDataOutput()
      let sound = try stage.addMicrophone(to: output)
      let connection = try #require(output.connection(with: .audio))
      stage.session.startRunning()
      for round in 1...2 {
        stage.pass(milliseconds: 5190)
        #expect(!stage.news.all.contains("stopped") && stage.news.all.count { $0 == "error" } == round - 1)
        let (before, heard) = (frames.frames, sound.stretches.count)
        stage.pass(milliseconds: 40)
        #expect(stage.news.wait(for: "error", count: round))
        #expect(stage.news.lastError?.localizedDescription.contains("no sound for 5 seconds") == true)
        #expect(!connection.isActive)
        stage.pass(milliseconds: 100)
        #expect(frames.frames > before + 1 && sound.stretches.count == heard)
        stage.session.startRunning()
        #expect(connection.isActive && stage.session.isRunning)
      }
      #expect(stage.news.all == ["isRunning true", "started", "error", "error"])
      stage.session.stopRunning()
    }

    @Test func `a camera stands still beside a microphone that another program holds`() throws {
      let stage = SessionStage(
        devices: Self.devices,
        faults: [
          SceneFault(.busy(seconds: 60), at: 0.2, device: "stage.microphone"),
          SceneFault(.stall(seconds: 60), at: 1, device: "stage.back"),
        ])
      try stage.addCamera()
      try stage.addMicrophone()
      stage.session.startRunning()
      stage.pass(milliseconds: 500)
      #expect(stage.news.wait(for: "interrupted"))
      stage.clock.advance(by: .seconds(5.6))
      #expect(stage.news.wait(for: "stopped") && stage.news.lastError?.code == .noDataCaptured)
      #expect(!stage.session.isInterrupted)
    }

    @Test func `a recording ends with the error, and keeps what came before the stall`() throws {
      let stage = try MovieStage(faults: [SceneFault(.stall(seconds: 60), at: 1, device: "movie.back")])
      let news = SessionNews(stage.session)
      stage.session.startRunning()
      stage.output.startRecording(to: stage.url(), recordingDelegate: stage.log)
      stage.pass(frames: 200)
      #expect(news.wait(for: "error") && stage.log.wait(for: "finished movie.mov"))
      #expect(stage.log.lastError?.code == .noDataCaptured)
      #expect(stage.log.lastError?.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool == true)
      #expect(try WrittenMovie(stage.url()).stamps.count >= 28)
    }
  }
}

extension MonotonicInstant {
  fileprivate var seconds: Double { Double(nanoseconds) / 1e9 }
}
