import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import CoreMedia
import Foundation
import MovieTools
import SimulatedDevices
import Testing
import Waiting

extension DeviceSuites {
  @Suite("AVCaptureMovieFileOutput: what ends a recording")
  struct MovieEndingTests {
    /// Ends a recording of ten frames by `end`; the movie is whole, and its error says `code`.
    private func trial(
      _ code: AVError.Code, faults: [SceneFault] = [], _ end: (MovieStage) throws -> Void
    ) throws {
      let stage = try MovieStage(faults: faults)
      stage.session.startRunning()
      stage.output.startRecording(to: stage.url(), recordingDelegate: stage.log)
      stage.pass(frames: 10)
      try end(stage)
      #expect(stage.log.wait(for: "finished movie.mov"))
      #expect(stage.log.lastError?.code == code)
      #expect(stage.log.lastError?.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool == true)
      #expect(!stage.output.isRecording)
      let movie = try WrittenMovie(stage.url())
      #expect(movie.stamps.count >= 10)
      #expect(zip(movie.stamps, movie.stamps.dropFirst()).allSatisfy { ($0 ?? 0) + 1 == $1 })
      #expect(try Program.probe(stage.url().path).streams.count == 2)
    }

    @Test
    func `a stop of the session`() throws {
      try trial(.sessionNotRunning) { $0.session.stopRunning() }
    }

    @Test
    func `a camera that is pulled out`() throws {
      try trial(.deviceWasDisconnected, faults: [SceneFault(.unplug, at: 0.5, device: "movie.back")]) {
        $0.pass(frames: 10)
      }
    }

    @Test
    func `a microphone that is pulled out, as Apple's guide says`() throws {
      try trial(.deviceWasDisconnected, faults: [SceneFault(.unplug, at: 0.5, device: "stage.microphone")]) {
        $0.pass(frames: 10)
      }
    }

    @Test
    func `a recording that may goes on without its microphone, and still ends with its camera`() throws {
      let stage = try MovieStage(faults: [
        SceneFault(.unplug, at: 0.5, device: "stage.microphone"),
        SceneFault(.unplug, at: 1.5, device: "movie.back"),
      ])
      stage.output.continuesRecordingAcrossDeviceSwitches = true
      stage.session.startRunning()
      stage.output.startRecording(to: stage.url(), recordingDelegate: stage.log)
      stage.pass(frames: 30)
      stage.clock.settle()
      #expect(stage.output.connection(with: .audio)?.isActive == false)
      #expect(stage.output.isRecording)
      stage.pass(frames: 30)
      #expect(stage.log.wait(for: "finished movie.mov"))
      #expect(stage.log.lastError?.code == .deviceWasDisconnected)
      let movie = try WrittenMovie(stage.url())
      #expect(movie.stamps.count > 40)
      #expect(zip(movie.stamps, movie.stamps.dropFirst()).allSatisfy { ($0 ?? 0) + 1 == $1 })
      let sound = Double(movie.audio.count) / movie.audioRate
      #expect(sound > 0.4 && sound < 0.6)
    }

    @Test
    func `a reset of the media service`() throws {
      try trial(.mediaServicesWereReset, faults: [SceneFault(.reset(seconds: 1), at: 0.5)]) {
        $0.pass(frames: 10)
      }
    }

    @Test
    func `an interruption`() throws {
      try trial(
        .sessionWasInterrupted, faults: [SceneFault(.privacy(seconds: 1), at: 0.5, device: "movie.back")]
      ) {
        $0.pass(frames: 10)
      }
    }

    @Test
    func `another camera, as on Apple's systems`() throws {
      try trial(.sessionConfigurationChanged) { try $0.switchCamera(to: MovieStage.front) }
    }

    @Test
    func `the removal of the output`() throws {
      try trial(.sessionConfigurationChanged) { $0.session.removeOutput($0.output) }
    }

    @Test
    func `a recording that may goes on across a switch of cameras, in one size and the right way up`() throws
    {
      let stage = try MovieStage()
      stage.output.continuesRecordingAcrossDeviceSwitches = true
      stage.session.startRunning()
      stage.output.startRecording(to: stage.url(), recordingDelegate: stage.log)
      stage.pass(frames: 10)
      try stage.switchCamera(to: MovieStage.front)
      stage.pass(frames: 10)
      stage.output.stopRecording()
      #expect(stage.log.wait(for: "finished movie.mov"))
      #expect(stage.log.lastError == nil)
      let movie = try WrittenMovie(stage.url())
      #expect(movie.times.count >= 19)
      #expect(zip(movie.times, movie.times.dropFirst()).allSatisfy { $0 < $1 })
      // The front camera lies the other way round in its machine, so its stamp is upside down in this movie's pixels.
      #expect(movie.stamps.prefix(10).allSatisfy { $0 != nil })
      let track = try #require(AVURLAsset(url: stage.url()).tracks(withMediaType: .video).first)
      #expect(track.naturalSize == CGSize(width: 320, height: 240))
    }

    @Test
    func `a new file that ends before its first picture leaves the one before it whole`() throws {
      let stage = try MovieStage(hasMicrophone: false)
      stage.output.continuesRecordingAcrossDeviceSwitches = true
      stage.session.startRunning()
      stage.output.startRecording(to: stage.url(), recordingDelegate: stage.log)
      stage.pass(frames: 10)
      stage.output.continuesRecordingAcrossDeviceSwitches = false
      stage.output.startRecording(to: stage.url("next.mov"), recordingDelegate: stage.log)
      try stage.switchCamera(to: MovieStage.front)
      stage.pass(frames: 5)
      stage.output.stopRecording()
      #expect(stage.log.wait(for: "finished next.mov") && stage.log.wait(for: "finished movie.mov"))
      #expect(try WrittenMovie(stage.url()).times.count >= 10)
    }

    @Test
    func `a size that not even the first picture has room in leaves that picture and its time`() throws {
      let stage = try MovieStage()
      stage.output.maxRecordedFileSize = 1
      stage.session.startRunning()
      stage.output.startRecording(to: stage.url(), recordingDelegate: stage.log)
      stage.pass(frames: 15)
      #expect(stage.log.wait(for: "finished movie.mov"))
      #expect(stage.log.lastError?.code == .maximumFileSizeReached)
      #expect(stage.output.recordedDuration > .zero)
      #expect(try WrittenMovie(stage.url()).times.count == 1)
    }

    @Test
    func `nothing can be recorded without media, or while the session does not run`() throws {
      let stage = try MovieStage()
      stage.output.startRecording(to: stage.url("1.mov"), recordingDelegate: stage.log)
      #expect(stage.log.wait(for: "finished 1.mov"))
      #expect(stage.log.lastError?.code == .sessionNotRunning)
      #expect(stage.log.all == ["finishing 1.mov", "finished 1.mov"])
      stage.session.startRunning()
      let mistakes = try MistakeRecorder.mistakes {
        for connection in stage.output.connections { connection.isEnabled = false }
        stage.output.startRecording(to: stage.url("2.mov"), recordingDelegate: stage.log)
        for connection in stage.output.connections { connection.isEnabled = true }
        stage.output.startRecording(
          to: try #require(URL(string: "https://example.org/3.mov")), recordingDelegate: stage.log)
      }
      #expect(mistakes.count == 2)
      #expect(stage.log.wait(for: "finished 2.mov") && stage.log.wait(for: "finished 3.mov"))
    }
  }
}
