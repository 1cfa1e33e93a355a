import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import CoreMedia
import Foundation
import Linux
import SimulatedDevices
import Testing
import Waiting

extension DeviceSuites {
  @Suite("Live Photos: what ends them early")
  struct LivePhotoEnds {
    private static let frame = 1.0 / 30
    private static let whole = ["begin", "will", "did", "photo", "recorded", "film", "end"]

    /// The photo and the movie of a press half a second after which something happened.
    private func cut(_ stage: LiveStage, by body: () throws -> Void) throws -> LiveLog.Film {
      stage.start(frames: 60)
      let id = stage.press()
      stage.pass(frames: 15)
      try body()
      try #require(stage.log.wait())
      #expect(Set(stage.log.steps(of: id)) == Set(Self.whole))
      #expect(stage.log.steps(of: id).last == "end")
      #expect(stage.log.errors.withLock { $0.isEmpty })
      return try #require(stage.log.films.withLock { $0.first })
    }

    private func expectShort(_ film: LiveLog.Film) throws {
      #expect(film.error == nil)
      #expect(abs(film.duration - 2) <= 3 * Self.frame)
      #expect(abs(film.photo - 1.5) <= 2 * Self.frame)
      let movie = try WrittenMovie(film.url)
      #expect(abs(movie.stamps.count - 60) <= 3)
    }

    @Test func `a session that stops leaves the photo, and the movie until then`() throws {
      let stage = try LiveStage()
      try expectShort(cut(stage) { stage.session.stopRunning() })
    }

    @Test func `a camera that is unplugged leaves the photo, and the movie until then`() throws {
      let stage = try LiveStage()
      try expectShort(
        cut(stage) {
          let camera = stage.provider.devices().first { $0.facts.uniqueID == "live.back" }
          try #require(camera as? SimulatedDevice).unplug()
        })
    }

    @Test func `a microphone that is unplugged leaves both, with the sound until then`() throws {
      let stage = try LiveStage()
      stage.start(frames: 60)
      stage.press()
      stage.pass(frames: 15)
      let microphone = stage.provider.devices().first { $0.facts.uniqueID == "stage.microphone" }
      try #require(microphone as? SimulatedDevice).unplug()
      stage.clock.settle()
      #expect(stage.output.connection(with: .audio)?.isActive != true)
      stage.pass(frames: 60)
      try #require(stage.log.wait())
      let film = try #require(stage.log.films.withLock { $0.first })
      #expect(film.error == nil && abs(film.duration - 3) <= 2 * Self.frame)
      #expect(stage.log.errors.withLock { $0.isEmpty })
      let movie = try WrittenMovie(film.url)
      let sound = Double(movie.audio.count) / movie.audioRate
      #expect(sound > 1.8 && sound < 2.3)
    }

    @Test
    func `suspending cuts the movies under way, and later ones show nothing from before the resumption`()
      throws
    {
      let stage = try LiveStage()
      try expectShort(cut(stage) { stage.output.isLivePhotoCaptureSuspended = true })
      // Meanwhile a press with a movie is a mistake, and one without is not.
      let mistakes = ProgrammingMistake.collect { stage.press(stage.settings("no.mov")) }
      #expect(mistakes.count == 1)
      try #require(stage.log.wait(for: 2))
      stage.pass(frames: 30)
      stage.output.isLivePhotoCaptureSuspended = false
      stage.pass(frames: 15)
      let film = try stage.take(stage.settings("after.mov"))
      #expect(film.error == nil)
      #expect(abs(film.photo - 0.5) <= 3 * Self.frame)
      #expect(abs(film.duration - 2) <= 3 * Self.frame)
    }

    @Test func `switching Live Photos off cuts the movies under way`() throws {
      let stage = try LiveStage()
      try expectShort(cut(stage) { stage.output.isLivePhotoCaptureEnabled = false })
    }

    @Test func `another camera in the place of this one cuts the movies under way`() throws {
      let stage = try LiveStage()
      try expectShort(
        cut(stage) {
          stage.session.beginConfiguration()
          stage.session.removeInput(stage.input)
          let front = try #require(AVCaptureDevice(uniqueID: "live.front"))
          stage.session.addInput(try AVCaptureDeviceInput(device: front))
          stage.session.commitConfiguration()
          // As programs do it that switch cameras.
          stage.output.isLivePhotoCaptureEnabled = stage.output.isLivePhotoCaptureSupported
          #expect(stage.output.isLivePhotoCaptureEnabled)
        })
      let film = try {
        stage.pass(frames: 60)
        return try stage.take(stage.settings("front.mov"))
      }()
      #expect(film.error == nil && abs(film.duration - 3) <= 2 * Self.frame)
    }

    @Test func `a file that cannot be made is the movie's error, and the photo is there`() throws {
      let stage = try LiveStage()
      stage.start()
      let taken = stage.url("taken.mov")
      try Data("mine".utf8).write(to: taken)
      let places = [(taken, AVError.Code.fileAlreadyExists), (stage.url("none/a.mov"), nil)]
      for (index, (url, code)) in places.enumerated() {
        let settings = AVCapturePhotoSettings()
        settings.livePhotoMovieFileURL = url
        let film = try stage.take(settings)
        #expect(film.url == url && film.error != nil)
        if let code { #expect(film.error?.code == code) }
        #expect(film.duration.isNaN && film.photo.isNaN)
        let steps = stage.log.steps(of: settings.uniqueID)
        #expect(steps.contains("photo") && steps.contains("lost") && steps.last == "end")
        #expect(stage.log.photos.withLock { $0.count } == index + 1)
      }
      #expect(stage.log.errors.withLock { $0.isEmpty })
      #expect(try Data(contentsOf: taken) == Data("mine".utf8))
    }

    @Test func `a photo that comes to nothing takes its movie along`() throws {
      let stage = try LiveStage()
      stage.start()
      let settings = stage.settings()
      let id = settings.uniqueID
      stage.session.stopRunning()
      stage.press(settings)
      try #require(stage.log.wait())
      #expect(
        stage.log.steps(of: id).filter { ["failed", "lost", "end"].contains($0) } == [
          "lost", "failed", "end",
        ])
      #expect(stage.log.films.withLock { $0.first?.error?.code } == .sessionNotRunning)
      #expect(!FileManager.default.fileExists(atPath: stage.url().path))
    }

    @Test func `fifty presses in a row leave no frame of a video data output out`() throws {
      let stage = try LiveStage()
      let video = AVCaptureVideoDataOutput()
      let counter = FrameCounter()
      counter.watch(video)
      stage.session.addOutput(video)
      #expect(stage.output.isLivePhotoCaptureEnabled)
      stage.start(frames: 30)
      for index in 0..<50 {
        stage.press(stage.settings("\(index).mov"))
        stage.pass(frames: 3)
      }
      stage.pass(frames: 50)
      try #require(stage.log.wait(for: 50))
      #expect(stage.log.films.withLock { films in films.allSatisfy { $0.error == nil } })
      #expect(counter.drops == 0 && counter.frames >= 228)
      #expect(stage.log.films.withLock { films in films.count } == 50)
    }
  }
}
