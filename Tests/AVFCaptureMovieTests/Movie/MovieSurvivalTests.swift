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
  @Suite("AVCaptureMovieFileOutput: what survives")
  struct MovieSurvivalTests {
    private func frames(_ url: URL) -> Int {
      // In a folder of its own, as the movie's is watched.
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "copies-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let copy = folder.appendingPathComponent("copy.mov")
      try? FileManager.default.copyItem(at: url, to: copy)
      return (try? Program.frameTimes(copy.path).count) ?? 0
    }

    @Test(arguments: [CMTime(value: 10, timescale: 1), .invalid, .positiveInfinity])
    func `while it is recorded the file holds all but a moment, whatever interval the client kept`(
      interval: CMTime
    ) throws {
      // From the second second on no frame comes for half of one.
      let stage = try MovieStage(faults: [SceneFault(.stall(seconds: 0.5), at: 1)], hasMicrophone: false)
      #expect(try stage.movie.movieFragmentInterval == CMTime(value: 10, timescale: 1))
      try stage.movie.movieFragmentInterval = interval
      stage.session.startRunning()
      stage.output.startRecording(to: stage.url(), recordingDelegate: stage.log)
      stage.pass(frames: 34)
      let count = stage.output.recordedFrameCount
      #expect((28...31).contains(count) && (count - 16..<count).contains(frames(stage.url())))
      // Nothing has come for a quarter of a second of the clock, so that all is written.
      stage.pass(frames: 7)
      #expect(stage.output.recordedFrameCount == count && frames(stage.url()) == count)
      stage.pass(frames: 60)
      stage.output.stopRecording()
      #expect(stage.log.wait(for: "finished movie.mov"))
      #expect(stage.log.lastError == nil)
      let movie = try WrittenMovie(stage.url())
      #expect(movie.stamps.count == stage.output.recordedFrameCount && movie.stamps.count > 80)
      #expect(zip(movie.stamps, movie.stamps.dropFirst()).allSatisfy { ($0 ?? 0) + 1 == $1 })
    }

    /// Takes a recording's file away by `deed`, and goes on until the recording has ended.
    private func ended(
      _ output: AVCaptureFileOutput, _ name: String, by deed: (MovieStage) throws -> Void
    ) throws -> (stage: MovieStage, error: AVError) {
      let stage = try MovieStage(output, hasCamera: output is AVCaptureMovieFileOutput)
      stage.session.startRunning()
      if let audio = output as? AVCaptureAudioFileOutput {
        audio.startRecording(to: stage.url(name), outputFileType: .m4a, recordingDelegate: stage.log)
      } else {
        output.startRecording(to: stage.url(name), recordingDelegate: stage.log)
      }
      stage.pass(frames: 30)
      stage.clock.settle()
      #expect(FileManager.default.fileExists(atPath: stage.url(name).path))
      try deed(stage)
      stage.pass(frames: 30)
      #expect(stage.log.wait(for: "finished \(name)"))
      #expect(!output.isRecording)
      return (stage, try #require(stage.log.lastError))
    }

    @Test func `a file that was removed ends the recording, and has its name again`() throws {
      let (stage, error) = try ended(AVCaptureMovieFileOutput(), "movie.mov") {
        try FileManager.default.removeItem(at: $0.url())
      }
      #expect(error.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool == true)
      #expect(error.localizedDescription.contains("removed"))
      #expect(try Program.frameTimes(stage.url().path).count >= 30)
    }

    @Test func `a file that was replaced ends the recording, and lies beside the other one`() throws {
      let (stage, error) = try ended(AVCaptureMovieFileOutput(), "movie.mov") {
        try Data("mine".utf8).write(to: $0.url(), options: .atomic)
      }
      #expect(error.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool == false)
      #expect(error.localizedDescription.contains("movie-1.mov"))
      #expect(try Data(contentsOf: stage.url()) == Data("mine".utf8))
      #expect(try Program.frameTimes(stage.url("movie-1.mov").path).count >= 30)
    }

    @Test func `a folder that was removed ends the recording with an error`() throws {
      let (_, error) = try ended(AVCaptureMovieFileOutput(), "movie.mov") {
        try FileManager.default.removeItem(at: $0.folder)
      }
      #expect(error.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool == false)
    }

    @Test func `a file of sound that was moved ends the recording, and its error says where it is`() throws {
      let (stage, error) = try ended(AVCaptureAudioFileOutput(), "sound.m4a") {
        try FileManager.default.moveItem(at: $0.url("sound.m4a"), to: $0.url("other.m4a"))
      }
      #expect(error.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool == false)
      #expect(error.localizedDescription.contains("other.m4a"))
      #expect(try Program.probe(stage.url("other.m4a").path).duration > 0.9)
    }
  }
}
