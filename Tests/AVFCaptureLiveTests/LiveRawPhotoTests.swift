import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import CoreVideo
import Foundation
import FoundationExtras
import ImageIO
import Linux
import MovieTools
import SimulatedDevices
import StillCodecs
import Testing

extension DeviceSuites {
  @Suite("Live Photos: raw pictures")
  struct LiveRawPhotos {
    private static let frame = 1.0 / 30
    private static let format = kCVPixelFormatType_14Bayer_RGGB

    private func settings(_ stage: LiveStage, isAlone: Bool = false) -> AVCapturePhotoSettings {
      let settings = AVCapturePhotoSettings(
        rawPixelFormatType: Self.format,
        processedFormat: isAlone ? nil : [AVVideoCodecKey: AVVideoCodecType.jpeg])
      settings.livePhotoMovieFileURL = stage.url()
      return settings
    }

    /// The name in a DNG file that its movie has, too.
    private func identifier(inRaw file: Data?) throws -> String? {
      let note: [UInt8]
      switch try DNGDecoder.decode(#require(file)).exif[ExifTag(.exif, 0x927C)] {
      case .undefined(let bytes)?, .bytes(let bytes)?: note = bytes
      default: return nil
      }
      guard case .text(let name)? = AppleMakerNote(note)?[AppleMakerNote.contentIdentifier] else {
        return nil
      }
      return name
    }

    @Test func `a raw picture, the one beside it and their movie are one photo of one name`() throws {
      let stage = try LiveStage()
      stage.start(frames: 90)
      let settings = settings(stage)
      let film = try stage.take(settings)
      #expect(
        stage.log.steps(of: settings.uniqueID) == [
          "begin", "will", "did", "photo", "photo", "recorded", "film", "end",
        ])
      #expect(film.error == nil && abs(film.duration - 3) <= 2 * Self.frame)
      let photos = stage.log.photos.withLock { $0 }
      try #require(photos.count == 2)
      #expect(photos.map(\.isRawPhoto) == [true, false] && photos.map(\.photoCount) == [1, 2])
      let resolved = photos[0].resolvedSettings
      #expect(resolved === photos[1].resolvedSettings && resolved.expectedPhotoCount == 2)
      #expect(resolved.rawPhotoDimensions.width == 320 && resolved.livePhotoMovieDimensions.width == 320)
      let name = try #require(LiveStage.identifier(inMovie: film.url))
      #expect(try identifier(inRaw: photos[0].fileDataRepresentation()) == name)
      #expect(try LiveStage.identifier(inPhoto: photos[1].fileDataRepresentation()) == name)
      let movie = try WrittenMovie(film.url)
      let place = try #require(movie.stamps.firstIndex { $0 == photos[0].frameSequenceNumber })
      #expect(abs(movie.times[place] - film.photo) < Self.frame)
    }

    @Test func `a raw picture alone has a movie, whose name it keeps whatever is replaced`() throws {
      final class Stripper: AVCapturePhotoFileDataRepresentationCustomizer {
        func replacementMetadata(for photo: AVCapturePhoto) -> [String: Any]? { nil }
      }
      let stage = try LiveStage()
      stage.start()
      let settings = settings(stage, isAlone: true)
      let film = try stage.take(settings)
      #expect(
        stage.log.steps(of: settings.uniqueID) == [
          "begin", "will", "did", "photo", "recorded", "film", "end",
        ])
      let photo = try #require(stage.log.photos.withLock { $0.first })
      #expect(photo.isRawPhoto && film.error == nil)
      let name = try #require(LiveStage.identifier(inMovie: film.url))
      #expect(try identifier(inRaw: photo.fileDataRepresentation()) == name)
      #expect(try identifier(inRaw: photo.fileDataRepresentation(with: Stripper())) == name)
    }

    @Test func `a camera that sends nothing but its sensor's numbers has movies of what is made of them`()
      throws
    {
      let stage = try LiveStage(encodings: [.mosaic(MosaicLayout(pixelFormat: Self.format, bits: 12))])
      stage.start(frames: 90)
      let film = try stage.take(settings(stage))
      #expect(film.error == nil && abs(film.duration - 3) <= 2 * Self.frame)
      #expect((89...91).contains(try WrittenMovie(film.url).stamps.count))
      #expect(stage.log.photos.withLock { $0.map(\.isRawPhoto) } == [true, false])
    }

    @Test func `a press that is refused calls back for both pictures and the movie`() throws {
      let stage = try LiveStage()
      stage.start(frames: 3)
      stage.output.isLivePhotoCaptureSuspended = true
      let settings = settings(stage)
      #expect(ProgrammingMistake.collect { stage.press(settings) }.count == 1)
      try #require(stage.log.wait())
      #expect(
        stage.log.steps(of: settings.uniqueID).filter { ["lost", "failed", "end"].contains($0) } == [
          "lost", "failed", "failed", "end",
        ])
      #expect(stage.log.photos.withLock { $0.map(\.isRawPhoto) } == [true, false])
    }

    @Test func `a raw picture that comes to nothing leaves the other one and the movie`() throws {
      let stage = try ScriptedStage(
        stillMosaic: StillMosaicFormat(
          layout: MosaicLayout(pixelFormat: Self.format, bits: 12), size: ScriptedCamera.size))
      stage.session.stopRunning()
      stage.output.isLivePhotoCaptureEnabled = true
      stage.session.startRunning()
      let log = LiveLog()
      let url = FileManager.default.temporaryDirectory.appendingPathComponent("live-\(UUID().uuidString).mov")
      defer { try? FileManager.default.removeItem(at: url) }
      let settings = AVCapturePhotoSettings(
        rawPixelFormatType: Self.format, processedFormat: [AVVideoCodecKey: AVVideoCodecType.jpeg])
      settings.livePhotoMovieFileURL = url
      stage.camera.streamFrame(isOfClock: false)
      stage.output.capturePhoto(with: settings, delegate: log)
      stage.camera.expose()
      stage.camera.clock.settle()
      #expect(log.steps(of: settings.uniqueID).contains("photo"))
      stage.session.stopRunning()
      try #require(log.wait())
      #expect(
        log.steps(of: settings.uniqueID) == [
          "begin", "will", "did", "failed", "photo", "recorded", "film", "end",
        ])
      #expect(log.films.withLock { $0.first?.error } == nil && log.errors.withLock { $0.count } == 1)
    }
  }
}
