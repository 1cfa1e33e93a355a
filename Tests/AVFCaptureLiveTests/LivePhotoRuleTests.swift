import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import CoreMedia
import Foundation
import FoundationExtras
import Linux
import SimulatedDevices
import Testing
import Waiting

extension DeviceSuites {
  @Suite("Live Photos: rules")
  struct LivePhotoRules {
    @Test func `need a camera, and no movie file output beside`() throws {
      let alone = AVCapturePhotoOutput()
      #expect(!alone.isLivePhotoCaptureSupported && alone.availableLivePhotoVideoCodecTypes.isEmpty)
      #expect(!alone.isLivePhotoAutoTrimmingEnabled)
      #expect(ProgrammingMistake.collect { alone.isLivePhotoCaptureEnabled = true }.count == 1)
      let stage = try LiveStage(isEnabled: false)
      let output = stage.output
      #expect(output.isLivePhotoCaptureSupported && !output.isLivePhotoCaptureEnabled)
      #expect(output.availableLivePhotoVideoCodecTypes == [.h264])
      stage.session.addOutput(AVCaptureVideoDataOutput())
      #expect(output.isLivePhotoCaptureSupported)
      output.isLivePhotoCaptureEnabled = true
      let movie = AVCaptureMovieFileOutput()
      stage.session.addOutput(movie)
      #expect(!output.isLivePhotoCaptureSupported && !output.isLivePhotoCaptureEnabled)
      #expect(ProgrammingMistake.collect { output.isLivePhotoCaptureEnabled = true }.count == 1)
      // The client's choice does not come back by itself.
      stage.session.removeOutput(movie)
      #expect(output.isLivePhotoCaptureSupported && !output.isLivePhotoCaptureEnabled)
    }

    @Test func `are trimmed unless a client wants all`() throws {
      let stage = try LiveStage(trims: true)
      #expect(stage.output.isLivePhotoAutoTrimmingEnabled)
      stage.output.isLivePhotoAutoTrimmingEnabled = false
      #expect(!stage.output.isLivePhotoAutoTrimmingEnabled)
    }

    @Test func `are suspended only while enabled and running, until the session stops`() throws {
      let stage = try LiveStage()
      let output = stage.output
      output.isLivePhotoCaptureSuspended = true
      #expect(!output.isLivePhotoCaptureSuspended)
      stage.start(frames: 3)
      output.isLivePhotoCaptureSuspended = true
      #expect(output.isLivePhotoCaptureSuspended)
      stage.session.stopRunning()
      stage.clock.settle()
      #expect(!output.isLivePhotoCaptureSuspended)
      #expect(!output.preservesLivePhotoCaptureSuspendedOnSessionStop)
      output.preservesLivePhotoCaptureSuspendedOnSessionStop = true
      stage.start(frames: 3)
      output.isLivePhotoCaptureSuspended = true
      stage.session.stopRunning()
      stage.start(frames: 3)
      #expect(output.isLivePhotoCaptureSuspended)
      output.isLivePhotoCaptureEnabled = false
      #expect(!output.isLivePhotoCaptureSuspended)
      #expect(ProgrammingMistake.collect { output.isLivePhotoCaptureSuspended = true }.count == 1)
    }

    @Test func `are observable`() throws {
      let stage = try LiveStage()
      let seen = Locked<[String]>([])
      let observations = [
        stage.output.observe(\.isLivePhotoCaptureSupported, options: .new) { _, change in
          seen.withLock { $0.append("supported \(change.newValue ?? true)") }
        },
        stage.output.observe(\.isLivePhotoCaptureEnabled, options: .new) { _, change in
          seen.withLock { $0.append("enabled \(change.newValue ?? true)") }
        },
        stage.output.observe(\.isLivePhotoCaptureSuspended, options: .new) { _, change in
          seen.withLock { $0.append("suspended \(change.newValue ?? true)") }
        },
        stage.output.observe(\.availableLivePhotoVideoCodecTypes, options: .new) { _, change in
          seen.withLock { $0.append("codecs \(change.newValue?.count ?? -1)") }
        },
      ]
      stage.start(frames: 2)
      stage.output.isLivePhotoCaptureSuspended = true
      stage.clock.settle()
      #expect(seen.withLock { $0 } == ["suspended true"])
      stage.session.removeInput(stage.input)
      stage.clock.settle()
      #expect(
        seen.withLock { Set($0) }
          == ["suspended true", "suspended false", "enabled false", "supported false", "codecs 0"])
      for observation in observations { observation.invalidate() }
    }

    @Test func `a press that breaks one is a mistake, and every call comes with the error`() throws {
      let stage = try LiveStage()
      stage.start(frames: 3)
      func expectMistake(_ settings: AVCapturePhotoSettings, _ word: String) throws {
        let count = stage.log.ended.withLock { $0 }
        let mistakes = ProgrammingMistake.collect { stage.press(settings) }
        #expect(mistakes.count == 1 && mistakes.first?.rule.contains(word) == true, "\(mistakes)")
        try #require(stage.log.wait(for: count + 1))
        let steps = stage.log.steps(of: settings.uniqueID)
        #expect(
          steps.first == "begin" && steps.last == "end" && steps.contains("recorded")
            && steps.contains("lost") && steps.contains("failed"))
      }
      let web = AVCapturePhotoSettings()
      web.livePhotoMovieFileURL = URL(string: "https://example.org/a.mov")
      try expectMistake(web, "livePhotoMovieFileURL")
      let codec = stage.settings()
      codec.livePhotoVideoCodecType = .hevc
      try expectMistake(codec, "livePhotoVideoCodecType")
      let bracket = AVCapturePhotoBracketSettings(
        rawPixelFormatType: 0, processedFormat: nil,
        bracketedSettings: [
          AVCaptureAutoExposureBracketedStillImageSettings.autoExposureSettings(exposureTargetBias: 0)
        ])
      bracket.livePhotoMovieFileURL = stage.url()
      try expectMistake(bracket, "Brackets")
      stage.output.isLivePhotoCaptureSuspended = true
      try expectMistake(stage.settings(), "isLivePhotoCaptureSuspended")
      stage.output.isLivePhotoCaptureEnabled = false
      try expectMistake(stage.settings(), "isLivePhotoCaptureEnabled")
    }

    @Test func `a delegate without the movie's call is a mistake`() throws {
      final class Deaf: AVCapturePhotoCaptureDelegate {
        let ended = Monitor(false)
        func photoOutput(
          _ output: AVCapturePhotoOutput,
          didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings,
          error: (any Error)?
        ) { ended.withLock { $0 = true } }
      }
      let stage = try LiveStage()
      stage.start(frames: 10)
      let deaf = Deaf()
      let recorder = MistakeRecorder()
      stage.output.capturePhoto(with: stage.settings(), delegate: deaf)
      stage.pass(frames: 50)
      stage.clock.settle()
      #expect(deaf.ended.withLock { $0 })
      #expect(recorder.mistakes.contains { $0.rule.contains("didFinishProcessingLivePhotoToMovieFileAt") })
      withExtendedLifetime(recorder) {}
    }
  }
}

@Suite("Live Photos: settings")
struct LivePhotoSettingsTests {
  @Test func `the defaults are H.264 and no movie, and all goes into copies`() throws {
    let settings = AVCapturePhotoSettings()
    #expect(settings.livePhotoMovieFileURL == nil)
    #expect(settings.livePhotoVideoCodecType == .h264 && settings.livePhotoMovieMetadata.isEmpty)
    let item = AVMutableMetadataItem()
    item.identifier = .quickTimeMetadataTitle
    item.value = NSString(string: "x")
    settings.livePhotoMovieFileURL = URL(fileURLWithPath: "/tmp/a.mov")
    settings.livePhotoMovieMetadata = [item]
    let copy = try #require(settings.copy() as? AVCapturePhotoSettings)
    for other in [copy, AVCapturePhotoSettings(from: settings)] {
      #expect(other.livePhotoMovieFileURL?.path == "/tmp/a.mov")
      #expect(other.livePhotoMovieMetadata.first?.stringValue == "x")
    }
    settings.livePhotoMovieMetadata = nil
    #expect(settings.livePhotoMovieMetadata.isEmpty)
  }

  @Test func `the name of the pair is not the client's to give`() {
    let settings = AVCapturePhotoSettings()
    let item = AVMutableMetadataItem()
    item.identifier = .quickTimeMetadataContentIdentifier
    item.value = NSString(string: "mine")
    #expect(ProgrammingMistake.collect { settings.livePhotoMovieMetadata = [item] }.count == 1)
    #expect(settings.livePhotoMovieMetadata.isEmpty)
  }
}
