import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import CoreMedia
import Foundation
import FoundationExtras
import ImageIO
import Linux
import MovieTools
import PhotoProcessing
import SimulatedDevices
import Testing
import Waiting

extension DeviceSuites {
  @Suite("Live Photos: what a press makes")
  struct LivePhotos {
    private static let frame = 1.0 / 30

    @Test func `the movie shows a second and a half on both sides of the press, with sound`() throws {
      let stage = try LiveStage()
      stage.start(frames: 90)
      let film = try stage.take()
      #expect(film.error == nil)
      #expect(abs(film.duration - 3) <= 2 * Self.frame)
      #expect(abs(film.photo - 1.5) <= 2 * Self.frame)
      let movie = try WrittenMovie(film.url)
      #expect((89...91).contains(movie.stamps.count))
      // No frame is missing, and the first one is shown at once.
      let stamps = movie.stamps.compactMap { $0 }
      #expect(stamps.count == movie.stamps.count)
      #expect(zip(stamps, stamps.dropFirst()).allSatisfy { $0 + 1 == $1 })
      #expect(abs(try #require(movie.times.first)) < 0.001)
      let sound = Double(movie.audio.count) / movie.audioRate
      #expect(abs(sound - film.duration) < 0.05)
    }

    @Test func `the photo's frame is shown when the movie says that the photo was taken`() throws {
      let stage = try LiveStage()
      stage.start(frames: 90)
      let film = try stage.take()
      let photo = try #require(stage.log.photos.withLock { $0.first })
      let movie = try WrittenMovie(film.url)
      let place = try #require(movie.stamps.firstIndex { $0 == photo.frameSequenceNumber })
      #expect(abs(movie.times[place] - film.photo) < Self.frame)
      let still = try #require(try LiveStage.stillTime(inMovie: film.url))
      #expect(abs(still - film.photo) < 0.001)
    }

    @Test func `every call comes once, the photo's own in their order, the movie's before the last`() throws {
      let stage = try LiveStage()
      stage.start()
      let id = stage.press()
      stage.pass(frames: 20)
      // The photo does not wait for the movie.
      stage.clock.settle()
      #expect(stage.log.steps(of: id).contains("photo"))
      #expect(!stage.log.steps(of: id).contains("recorded"))
      stage.pass(frames: 30)
      try #require(stage.log.wait())
      #expect(stage.log.steps(of: id) == ["begin", "will", "did", "photo", "recorded", "film", "end"])
      #expect(stage.log.errors.withLock { $0.isEmpty })
      let size = try #require(stage.log.sizes.withLock { $0.first })
      #expect(size.width == 320 && size.height == 240)
    }

    @Test func `a photo without a movie is taken as ever beside`() throws {
      let stage = try LiveStage()
      stage.start()
      stage.press(AVCapturePhotoSettings())
      stage.pass(frames: 3)
      try #require(stage.log.wait())
      #expect(stage.log.films.withLock { $0.isEmpty })
      let size = try #require(stage.log.sizes.withLock { $0.first })
      #expect(size.width == 0 && size.height == 0)
      #expect(
        try LiveStage.identifier(inPhoto: stage.log.photos.withLock { $0[0].fileDataRepresentation() }) == nil
      )
    }

    @Test(arguments: [AVVideoCodecType.jpeg, .hevc])
    func `photo and movie share a name, which the photo keeps whatever is replaced`(
      codec: AVVideoCodecType
    ) throws {
      final class Stripper: AVCapturePhotoFileDataRepresentationCustomizer {
        func replacementMetadata(for photo: AVCapturePhoto) -> [String: Any]? {
          [kCGImagePropertyExifDictionary as String: [kCGImagePropertyExifUserComment as String: "x"]]
        }
      }
      let stage = try LiveStage()
      stage.start()
      let film = try stage.take(stage.settings("a.mov", codec))
      let photo = try #require(stage.log.photos.withLock { $0.first })
      let name = try #require(LiveStage.identifier(inMovie: film.url))
      #expect(UUID(uuidString: name) != nil)
      #expect(try LiveStage.identifier(inPhoto: photo.fileDataRepresentation()) == name)
      let apple = photo.metadata[kCGImagePropertyMakerAppleDictionary] as? [String: Any]
      #expect(apple?["17"] as? String == name)
      let stripped = photo.fileDataRepresentation(with: Stripper())
      #expect(try LiveStage.identifier(inPhoto: stripped) == name)
      // The next one has another.
      let next = try stage.take(stage.settings("b.mov", codec))
      #expect(LiveStage.identifier(inMovie: next.url) != name)
    }

    @Test func `a photo that is finished later, and its proxy, have the movie's name`() throws {
      let stage = try LiveStage(isDeferring: true)
      stage.start()
      let settings = stage.settings()
      settings.photoQualityPrioritization = .quality
      let film = try stage.take(settings)
      let name = LiveStage.identifier(inMovie: film.url)
      let proxy = try #require(stage.log.proxies.withLock { $0.first })
      #expect(name != nil)
      #expect(try LiveStage.identifier(inPhoto: proxy.fileDataRepresentation()) == name)
      let store = stage.output.deferredPhotos.withLock { $0 }
      #expect(try LiveStage.identifier(inPhoto: store.finish(proxy.identifier).file) == name)
    }

    @Test
    func `presses that follow each other each get their movie, with the same frames where they overlap`()
      throws
    {
      let stage = try LiveStage()
      stage.start(frames: 60)
      for index in 0..<4 {
        stage.press(stage.settings("\(index).mov"))
        stage.pass(frames: 15)
      }
      stage.pass(frames: 50)
      try #require(stage.log.wait(for: 4))
      let movies = try stage.log.films.withLock { $0 }.map { try WrittenMovie($0.url) }
      try #require(movies.count == 4)
      for (first, second) in zip(movies, movies.dropFirst()) {
        let (a, b) = (Set(first.stamps.compactMap { $0 }), Set(second.stamps.compactMap { $0 }))
        #expect(a.count >= 88 && b.count >= 88)
        #expect((70...80).contains(a.intersection(b).count))
      }
      let names = Set(stage.log.films.withLock { $0 }.map { LiveStage.identifier(inMovie: $0.url) })
      #expect(names.count == 4)
    }

    @Test func `a press right after the start has a movie that begins with the session`() throws {
      let stage = try LiveStage()
      stage.start(frames: 10)
      let film = try stage.take()
      let movie = try WrittenMovie(film.url)
      #expect(movie.stamps.first == .some(0) && film.error == nil)
      #expect(abs(film.photo - 10 * Self.frame) <= 2 * Self.frame)
      #expect(film.duration > 1.5 && film.duration < 2)
    }

    @Test func `without a microphone the movie is silent, and without Live Photos none is opened`() throws {
      let silent = try LiveStage(hasMicrophone: false)
      silent.start()
      let film = try silent.take()
      #expect(AVURLAsset(url: film.url).tracks(withMediaType: .audio).isEmpty)
      #expect(film.error == nil)
      silent.session.stopRunning()
    }

    @Test func `the microphone is the output's while Live Photos are enabled`() throws {
      let stage = try LiveStage(isEnabled: false)
      stage.start(frames: 5)
      #expect(stage.output.connection(with: .audio) == nil)
      stage.output.isLivePhotoCaptureEnabled = true
      #expect(stage.output.connection(with: .audio)?.isActive == true)
      stage.output.isLivePhotoCaptureEnabled = false
      #expect(stage.output.connection(with: .audio) == nil)
      #expect(stage.output.connection(with: .video)?.isActive == true)
    }

    @Test func `the movie lies as the sensor, and its matrix turns it as the photo is turned`() throws {
      let stage = try LiveStage()
      stage.start()
      stage.output.connection(with: .video)?.videoRotationAngle = 90
      let film = try stage.take()
      let track = try #require(AVURLAsset(url: film.url).tracks(withMediaType: .video).first)
      #expect(track.naturalSize == CGSize(width: 320, height: 240))
      #expect(track.preferredTransform.a == 0 && track.preferredTransform.b == 1)
    }

    @Test func `the movie says what its client wants it to, and who made it when`() throws {
      let stage = try LiveStage()
      stage.start()
      let settings = stage.settings()
      let title = AVMutableMetadataItem()
      title.identifier = .quickTimeMetadataTitle
      title.value = NSString(string: "At the sea")
      settings.livePhotoMovieMetadata = [title]
      settings.metadata = [
        kCGImagePropertyGPSDictionary as String: [
          kCGImagePropertyGPSLatitude as String: 33.8688, kCGImagePropertyGPSLatitudeRef as String: "S",
          kCGImagePropertyGPSLongitude as String: 151.2093, kCGImagePropertyGPSLongitudeRef as String: "E",
        ]
      ]
      title.value = NSString(string: "Changed too late")
      let film = try stage.take(settings)
      let items = AVURLAsset(url: film.url).metadata
      func text(_ identifier: AVMetadataIdentifier) -> String? {
        AVMetadataItem.metadataItems(from: items, filteredByIdentifier: identifier).first?.stringValue
      }
      #expect(text(.quickTimeMetadataTitle) == "At the sea")
      #expect(text(.quickTimeMetadataMake) == "Obscura")
      #expect(text(.quickTimeMetadataLocationISO6709) == "-33.8688+151.2093/")
      #expect(text(.quickTimeMetadataCreationDate)?.hasPrefix("2001-01-01T00:16:") == true)
    }

    @Test func `nothing is left out of a movie of a camera that is held still`() throws {
      let stage = try LiveStage(trims: true)
      stage.start(frames: 60)
      let film = try stage.take()
      #expect(abs(film.duration - 3) <= 2 * Self.frame)
    }

    @Test func `a camera that is swung is left out of the movie, unless the client keeps it`() throws {
      for trims in [true, false] {
        let stage = try LiveStage(trims: trims, layers: Scene.builtIn.layers)
        #expect(stage.output.isLivePhotoAutoTrimmingEnabled == trims)
        let swing = Swing()
        stage.input.setPictureChange(
          pixelFormats: [
            kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
          ], swing.change)
        stage.start(frames: 60)
        // Raised until two thirds of a second before the press, and put away from one second after it on.
        swing.isSwung.withLock { $0 = true }
        stage.pass(frames: 10)
        swing.isSwung.withLock { $0 = false }
        stage.pass(frames: 20)
        stage.press()
        stage.pass(frames: 30)
        swing.isSwung.withLock { $0 = true }
        stage.pass(frames: 20)
        try #require(stage.log.wait())
        let film = try #require(stage.log.films.withLock { $0.first })
        if trims {
          #expect(abs(film.photo - 20 * Self.frame) <= 3 * Self.frame)
          #expect(abs(film.duration - 50 * Self.frame) <= 5 * Self.frame)
        } else {
          #expect(abs(film.duration - 3) <= 2 * Self.frame)
        }
      }
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/exiftool")))
    func `exiftool and ffprobe find the same name in both, and the moment in the movie`() throws {
      let stage = try LiveStage()
      stage.start(frames: 90)
      for codec in [AVVideoCodecType.jpeg, .hevc] {
        let film = try stage.take(stage.settings("\(codec.rawValue).mov", codec))
        let file = stage.url("photo.\(codec == .jpeg ? "jpg" : "heic")")
        try #require(stage.log.photos.withLock { $0.last?.fileDataRepresentation() }).write(to: file)
        // Named so before version 12.65, and otherwise since.
        let name = try Program.run(
          "exiftool", ["-s3", "-MediaGroupUUID", "-Apple:ContentIdentifier", file.path]
        ).trimmingCharacters(in: .whitespacesAndNewlines)
        let movie = try Program.run("exiftool", ["-s3", "-Keys:ContentIdentifier", film.url.path])
          .trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(!name.isEmpty && name == movie)
        #expect(try Program.run("exiftool", ["-ee", "-s3", "-StillImageTime", film.url.path]).contains("-1"))
        let probed = try Program.run(
          "ffprobe",
          ["-v", "error", "-show_entries", "format_tags", "-of", "default=nk=1:nw=1", film.url.path])
        #expect(probed.contains(name))
        let times = try Program.run(
          "ffprobe",
          [
            "-v", "error", "-select_streams", "d:0", "-show_entries", "packet=pts_time", "-of", "csv=p=0",
            film.url.path,
          ])
        let time = try #require(
          times.split(whereSeparator: \.isNewline).first.flatMap { Double($0.prefix { $0 != "," }) })
        #expect(abs(time - film.photo) <= Self.frame)
      }
    }
  }
}

/// Moves pictures of 4:2:0 along their rows, by a tenth of the width with each frame while the camera is swung.
private final class Swing: Sendable {
  let isSwung = Locked(false)
  private let offset = Locked(0)

  func change(_ picture: CVPixelBuffer, _ target: CVPixelBuffer, _ time: CMTime) {
    let step = isSwung.withLock { $0 } ? CVPixelBufferGetWidth(picture) / 10 & ~1 : 0
    let moved = offset.withLock { offset in
      offset += step
      return offset
    }
    CVPixelBufferLockBaseAddress(picture, .readOnly)
    CVPixelBufferLockBaseAddress(target, [])
    defer {
      CVPixelBufferUnlockBaseAddress(target, [])
      CVPixelBufferUnlockBaseAddress(picture, .readOnly)
    }
    for (from, to) in zip(picture.planes, target.planes) {
      // Both planes of such pictures have a byte for each column.
      let width = CVPixelBufferGetWidth(picture)
      for row in 0..<from.height {
        let (source, goal) = (from.row(row), to.row(row))
        for x in 0..<width { goal[x] = source[(x + moved) % width] }
      }
    }
  }
}
