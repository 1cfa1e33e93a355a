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
  @Suite("A recording ends with its session, and every request has its last call")
  struct RecordingLifeTests {
    private func expectWhole(_ stage: FleetingRecording, frames: Int = 10, _ name: String = "movie.mov")
      throws
    {
      #expect(stage.log.wait(for: "finished \(name)"))
      let calls = ["started", "finishing", "finished"].map { "\($0) \(name)" }
      #expect(stage.log.all.filter { $0.hasSuffix(name) } == calls)
      let error = try #require(stage.log.lastError)
      #expect(error.code == .sessionNotRunning)
      #expect(error.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool == true)
      #expect(try WrittenMovie(stage.url(name)).stamps.count == frames)
    }

    @Test func `a session that is let go while it records leaves a whole movie and tells its delegate`()
      throws
    {
      let stage = try FleetingRecording()
      let output = AVCaptureMovieFileOutput()
      try stage.start(output)
      output.startRecording(to: stage.url(), recordingDelegate: stage.log)
      stage.pass(frames: 10)
      stage.letGo()
      try expectWhole(stage)
      #expect(!output.isRecording)
    }

    @Test func `so does one whose output nothing else keeps`() throws {
      let stage = try FleetingRecording()
      let outputs = WeakObjects<AVCaptureOutput>()
      do {
        let output = AVCaptureMovieFileOutput()
        outputs.add(output)
        try stage.start(output)
        output.startRecording(to: stage.url(), recordingDelegate: stage.log)
      }
      stage.pass(frames: 10)
      stage.letGo()
      try expectWhole(stage)
      stage.clock.settle()
      #expect(outputs.present.isEmpty)
    }

    @Test func `so does one that goes inside its delegate's first call, and in a pause`() throws {
      let stage = try FleetingRecording()
      let output = AVCaptureMovieFileOutput()
      try stage.start(output)
      let hasGone = Locked(false)
      stage.log.inside.set { word in
        guard word == "started" else { return }
        stage.letGo()
        hasGone.withLock { $0 = true }
      }
      output.startRecording(to: stage.url(), recordingDelegate: stage.log)
      stage.pass(frames: 10)
      stage.clock.settle()
      #expect(hasGone.withLock { $0 })
      #expect(stage.log.wait(for: "finished movie.mov"))
      #expect(stage.log.lastError?.code == .sessionNotRunning)
      #expect(try !WrittenMovie(stage.url()).stamps.isEmpty)
      stage.log.inside.set { _ in }
      try stage.start(output)
      output.startRecording(to: stage.url("2.mov"), recordingDelegate: stage.log)
      stage.pass(frames: 5)
      output.pauseRecording()
      stage.pass(frames: 5)
      stage.letGo()
      #expect(stage.log.wait(for: "finished 2.mov"))
      #expect(try WrittenMovie(stage.url("2.mov")).stamps.count == 5)
    }

    @Test func `sound alone ends with its session, too`() throws {
      let stage = try FleetingRecording()
      let output = AVCaptureAudioFileOutput()
      try stage.start(output)
      output.startRecording(to: stage.url("a.m4a"), outputFileType: .m4a, recordingDelegate: stage.log)
      stage.pass(frames: 30)
      stage.letGo()
      #expect(stage.log.wait(for: "finished a.m4a"))
      #expect(stage.log.lastError?.code == .sessionNotRunning)
      #expect(abs(AVURLAsset(url: stage.url("a.m4a")).duration.seconds - 1) < 0.03)
    }

    @Test func `an output that is removed and let go leaves a whole movie`() throws {
      let stage = try FleetingRecording()
      do {
        let output = AVCaptureMovieFileOutput()
        try stage.start(output)
        output.startRecording(to: stage.url(), recordingDelegate: stage.log)
        stage.pass(frames: 10)
        stage.withSession { $0.removeOutput(output) }
      }
      #expect(stage.log.wait(for: "finished movie.mov"))
      #expect(stage.log.lastError?.code == .sessionConfigurationChanged)
      #expect(try WrittenMovie(stage.url()).stamps.count == 10)
      stage.letGo()
    }

    @Test func `two requests at once follow each other, and one stop ends both`() throws {
      let stage = try FleetingRecording()
      let output = AVCaptureMovieFileOutput()
      try stage.start(output)
      for round in 0..<20 {
        DispatchQueue.concurrentPerform(iterations: 2) { index in
          output.startRecording(to: stage.url("\(round)-\(index).mov"), recordingDelegate: stage.log)
        }
        if round.isMultiple(of: 2) { stage.pass(frames: 1) }
        output.stopRecording()
        #expect(stage.log.wait(for: "finished \(round)-0.mov"))
        #expect(stage.log.wait(for: "finished \(round)-1.mov"))
        #expect(!output.isRecording)
      }
      stage.letGo()
    }
  }
}
