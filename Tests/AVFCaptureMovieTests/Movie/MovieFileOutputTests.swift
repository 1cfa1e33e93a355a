import AVFoundation
import CaptureDevice
import CaptureStage
import CoreMedia
import Foundation
import Linux
import MovieTools
import SimulatedDevices
import Testing

extension DeviceSuites {
  @Suite("AVCaptureMovieFileOutput")
  struct MovieFileOutputTests {
    static let large = FrameSize(width: 1280, height: 720)

    @Test
    func `a recording has each frame at its own time, begins with the first and with its audio`() throws {
      let stage = try MovieStage()
      stage.session.startRunning()
      stage.pass(frames: 5)
      let url = try stage.record(frames: 30)
      #expect(stage.log.all == ["started movie.mov", "finishing movie.mov", "finished movie.mov"])
      #expect(stage.log.lastError == nil)
      let movie = try WrittenMovie(url)
      let first = try #require(movie.stamps.first ?? nil)
      #expect(movie.stamps == (0..<30).map { first + UInt32($0) })
      for (index, time) in movie.times.enumerated() {
        #expect(abs(time - Double(index) / 30) < 0.000_002)
      }
      #expect(movie.lightness.allSatisfy { $0 > 60 })
      #expect(abs(try #require(movie.audioStart)) < 0.001)
      let length = Double(movie.audio.count) / movie.audioRate
      #expect(length > 0.96 && length < 1.01)
      #expect(stage.output.recordedFrameCount == 30 && stage.output.droppedFrameCount == 0)
      #expect(abs(stage.output.recordedDuration.seconds - 1) < 0.001)
      let probe = try Program.probe(url.path)
      #expect(probe.streams.count == 2)
      #expect(
        stage.output.recordedFileSize
          == Int64(try #require(try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int)))
    }

    @Test
    func `isRecording and outputFileURL say at once what is recorded, and observers hear it`() throws {
      let stage = try MovieStage(hasMicrophone: false)
      stage.session.startRunning()
      let heard = Locked<[Bool]>([])
      let observation = stage.output.observe(\.isRecording, options: .new) { _, change in
        heard.withLock { $0.append(change.newValue ?? false) }
      }
      #expect(!stage.output.isRecording && stage.output.outputFileURL == nil)
      stage.output.startRecording(to: stage.url(), recordingDelegate: stage.log)
      #expect(stage.output.isRecording && stage.output.outputFileURL == stage.url())
      stage.pass(frames: 3)
      stage.output.stopRecording()
      #expect(!stage.output.isRecording && stage.output.outputFileURL == nil)
      #expect(stage.log.wait(for: "finished movie.mov"))
      #expect(heard.withLock { $0 } == [true, false])
      observation.invalidate()
    }

    @Test
    func `a pause leaves its frames and audio out, and the file goes on without a gap`() throws {
      let stage = try MovieStage()
      stage.session.startRunning()
      let url = stage.url()
      stage.output.startRecording(to: url, recordingDelegate: stage.log)
      stage.pass(frames: 10)
      stage.output.pauseRecording()
      #expect(stage.output.isRecording && stage.output.isRecordingPaused)
      stage.pass(frames: 20)
      stage.output.resumeRecording()
      #expect(!stage.output.isRecordingPaused)
      stage.pass(frames: 10)
      stage.output.stopRecording()
      #expect(stage.log.wait(for: "finished movie.mov"))
      #expect(
        stage.log.all == ["started", "paused", "resumed", "finishing", "finished"].map { "\($0) movie.mov" })
      let movie = try WrittenMovie(url)
      let first = try #require(movie.stamps.first ?? nil)
      #expect(movie.stamps == (Array(0..<10) + Array(30..<40)).map { first + UInt32($0) })
      for (index, time) in movie.times.enumerated() { #expect(abs(time - Double(index) / 30) < 0.000_01) }
      let sound = try #require(AVURLAsset(url: url).tracks(withMediaType: .audio).first)
      let length = sound.timeRange.duration.seconds
      #expect(length > 0.64 && length < 0.67)
    }

    @Test
    func `a new file takes over without losing or repeating a frame`() throws {
      let stage = try MovieStage()
      stage.session.startRunning()
      stage.output.startRecording(to: stage.url("1.mov"), recordingDelegate: stage.log)
      stage.pass(frames: 20)
      stage.output.startRecording(to: stage.url("2.mov"), recordingDelegate: stage.log)
      stage.pass(frames: 20)
      stage.output.stopRecording()
      #expect(stage.log.wait(for: "finished 1.mov") && stage.log.wait(for: "finished 2.mov"))
      #expect(stage.log.lastError == nil)
      let (one, two) = (try WrittenMovie(stage.url("1.mov")), try WrittenMovie(stage.url("2.mov")))
      let first = try #require(one.stamps.first ?? nil)
      #expect(one.stamps + two.stamps == (0..<40).map { first + UInt32($0) })
      #expect(one.stamps.count == 20)
      #expect(abs(try #require(two.times.first)) < 0.000_01)
      // The first file's audio lasts until its last picture ends.
      let sound = try #require(AVURLAsset(url: stage.url("1.mov")).tracks(withMediaType: .audio).first)
      #expect(abs(sound.timeRange.duration.seconds - 20.0 / 30) < 0.002)
      #expect(abs(try #require(two.audioStart)) < 0.001)
    }

    /// The moment of the first file's beginning and so many seconds later.
    private func moment(_ stage: MovieStage, _ seconds: Double) throws -> CMTime {
      let first = try #require(stage.log.starts.withLock { $0.first })
      return first + CMTime(seconds: seconds, preferredTimescale: 1_000_000_000)
    }

    @Test
    func `a file that is to begin at a moment begins with the frame of it, and the one before ends there`()
      throws
    {
      let stage = try MovieStage()
      let movie = try stage.movie
      stage.session.startRunning()
      stage.output.startRecording(to: stage.url("1.mov"), recordingDelegate: stage.log)
      stage.pass(frames: 5)
      #expect(stage.log.wait(for: "started 1.mov"))
      // Asked for long before, and shortly before: 24 frames are 0.8 s.
      for (number, frames) in [(2, 21), (3, 5), (4, 4)] {
        movie.startRecording(
          to: stage.url("\(number).mov"), at: try moment(stage, 0.8 * Double(number - 1)),
          recordingDelegate: stage.log)
        #expect(stage.output.outputFileURL == stage.url("\(number - 1).mov"))
        stage.pass(frames: frames)
        #expect(stage.log.wait(for: "started \(number).mov"))
        #expect(stage.output.outputFileURL == stage.url("\(number).mov"))
        stage.pass(frames: 20)
      }
      stage.output.stopRecording()
      for number in 1...4 { #expect(stage.log.wait(for: "finished \(number).mov")) }
      #expect(stage.log.lastError == nil)
      let movies = try (1...4).map { try WrittenMovie(stage.url("\($0).mov")) }
      let first = try #require(movies[0].stamps.first ?? nil)
      let stamps = movies.flatMap(\.stamps)
      #expect(stamps == stamps.indices.map { first + UInt32($0) })
      #expect(movies.prefix(3).map(\.stamps.count) == [24, 24, 24])
      for number in 1...3 {
        #expect(abs(AVURLAsset(url: stage.url("\(number).mov")).duration.seconds - 0.8) < 0.002)
      }
    }

    @Test
    func `a stop before a file was to begin ends the present one at once, and leaves nothing of the other`()
      throws
    {
      let stage = try MovieStage(hasMicrophone: false)
      let movie = try stage.movie
      stage.session.startRunning()
      stage.output.startRecording(to: stage.url("1.mov"), recordingDelegate: stage.log)
      stage.pass(frames: 5)
      #expect(stage.log.wait(for: "started 1.mov"))
      movie.startRecording(to: stage.url("2.mov"), at: try moment(stage, 1), recordingDelegate: stage.log)
      stage.pass(frames: 5)
      stage.output.stopRecording()
      #expect(!stage.output.isRecording)
      #expect(stage.log.wait(for: "finished 1.mov") && stage.log.wait(for: "finished 2.mov"))
      #expect(stage.log.errors.withLock { $0.map(\.code) } == [.noDataCaptured])
      stage.pass(frames: 30)
      #expect(try WrittenMovie(stage.url("1.mov")).stamps.count == 10)
      #expect(!FileManager.default.fileExists(atPath: stage.url("2.mov").path))
      #expect(!stage.log.all.contains("started 2.mov"))
    }

    @Test
    func `a file that is begun at once takes the place of one that was to begin later`() throws {
      let stage = try MovieStage(hasMicrophone: false)
      let movie = try stage.movie
      stage.session.startRunning()
      stage.output.startRecording(to: stage.url("1.mov"), recordingDelegate: stage.log)
      stage.pass(frames: 5)
      #expect(stage.log.wait(for: "started 1.mov"))
      movie.startRecording(to: stage.url("2.mov"), at: try moment(stage, 1), recordingDelegate: stage.log)
      stage.output.startRecording(to: stage.url("3.mov"), recordingDelegate: stage.log)
      stage.pass(frames: 60)
      stage.output.stopRecording()
      for number in 1...3 { #expect(stage.log.wait(for: "finished \(number).mov")) }
      #expect(try WrittenMovie(stage.url("1.mov")).stamps.count == 5)
      #expect(try WrittenMovie(stage.url("3.mov")).stamps.count == 60)
    }

    @Test
    func `the longest duration ends a file exactly there, with its error`() throws {
      let stage = try MovieStage()
      stage.session.startRunning()
      #expect(!stage.output.maxRecordedDuration.isValid)
      stage.output.maxRecordedDuration = CMTime(value: 500, timescale: 1000)
      stage.output.startRecording(to: stage.url(), recordingDelegate: stage.log)
      stage.pass(frames: 40)
      #expect(stage.log.wait(for: "finished movie.mov"))
      #expect(!stage.output.isRecording)
      let error = try #require(stage.log.lastError)
      #expect(error.code == .maximumDurationReached)
      #expect(error.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool == true)
      #expect(abs(try #require(error.time).seconds - 0.5) < 0.04)
      let asset = AVURLAsset(url: stage.url())
      #expect(abs(asset.duration.seconds - 0.5) < 0.001)
      #expect(try WrittenMovie(stage.url()).stamps.count == 15)
    }

    @Test
    func `the duration that is reported is the file's, also when frames before its end were lost`() throws {
      let stage = try MovieStage(faults: [SceneFault(.stall(seconds: 0.5), at: 0.3, device: "movie.back")])
      stage.session.startRunning()
      stage.output.maxRecordedDuration = CMTime(value: 500, timescale: 1000)
      stage.output.startRecording(to: stage.url(), recordingDelegate: stage.log)
      stage.pass(frames: 40)
      #expect(stage.log.wait(for: "finished movie.mov"))
      #expect(try WrittenMovie(stage.url()).stamps.count < 11)
      #expect(abs(AVURLAsset(url: stage.url()).duration.seconds - 0.5) < 0.001)
      #expect(abs(stage.output.recordedDuration.seconds - 0.5) < 0.001)
      #expect(abs(try #require(stage.log.lastError?.time).seconds - 0.5) < 0.001)
    }

    @Test(arguments: [
      (60_000, MovieStage.size), (150_000, MovieStage.size), (400_000, MovieStage.size), (300_000, large),
      (1_000_000, large), (2_000_000, large),
    ])
    func `the largest file size is used up and not exceeded, and ends a file with its error`(
      limit: Int, size: FrameSize
    ) throws {
      var scene = Scene(isNoisy: true)
      scene.seed = 7
      let camera = SimulatedDeviceModel.camera(uniqueID: "movie.back", name: "Back", sizes: [size])
      let stage = try MovieStage(scene: scene, devices: [camera])
      stage.session.startRunning()
      #expect(stage.output.maxRecordedFileSize == 0)
      stage.output.maxRecordedFileSize = Int64(limit)
      stage.output.startRecording(to: stage.url(), recordingDelegate: stage.log)
      for _ in 0..<60 where stage.output.isRecording { stage.pass(frames: 20) }
      #expect(stage.log.wait(for: "finished movie.mov"))
      let error = try #require(stage.log.lastError)
      #expect(error.code == .maximumFileSizeReached)
      #expect(error.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool == true)
      let size = try #require(
        try FileManager.default.attributesOfItem(atPath: stage.url().path)[.size] as? Int)
      #expect(size <= limit && size > limit * 8 / 10, "\(size) of \(limit)")
      #expect(error.fileSize == Int64(size))
      // What the encoder had taken beyond it is not counted.
      let duration = AVURLAsset(url: stage.url()).duration.seconds
      #expect(abs(stage.output.recordedDuration.seconds - duration) < 0.01)
      #expect(abs(Double(stage.output.recordedFrameCount) / 30 - duration) < 0.15)
    }

    @Test
    func `a recording that is stopped while its encoder holds too much ends at its largest size, too`() throws
    {
      var scene = Scene(isNoisy: true)
      scene.seed = 7
      let stage = try MovieStage(scene: scene)
      stage.session.startRunning()
      stage.output.maxRecordedFileSize = 40_000
      stage.output.startRecording(to: stage.url(), recordingDelegate: stage.log)
      stage.pass(frames: 20)
      stage.output.stopRecording()
      #expect(stage.log.wait(for: "finished movie.mov"))
      #expect(stage.log.lastError?.code == .maximumFileSizeReached)
      let size = try #require(
        try FileManager.default.attributesOfItem(atPath: stage.url().path)[.size] as? Int)
      #expect(size <= 40_000 && size > 10_000, "\(size)")
      let duration = AVURLAsset(url: stage.url()).duration.seconds
      #expect(duration > 0 && abs(stage.output.recordedDuration.seconds - duration) < 0.01)
    }

    @Test
    func `audio alone ends at its largest file size, too`() throws {
      let stage = try MovieStage(hasCamera: false)
      stage.session.startRunning()
      stage.output.maxRecordedFileSize = 30_000
      stage.output.startRecording(to: stage.url(), recordingDelegate: stage.log)
      for _ in 0..<30 where stage.output.isRecording { stage.pass(frames: 30) }
      #expect(stage.log.wait(for: "finished movie.mov"))
      #expect(stage.log.lastError?.code == .maximumFileSizeReached)
      let size = try #require(
        try FileManager.default.attributesOfItem(atPath: stage.url().path)[.size] as? Int)
      #expect(size <= 30_000 && size > 20_000, "\(size)")
    }

    @Test
    func `a disk with less free space than asked for refuses a recording, and ends one`() throws {
      let stage = try MovieStage()
      stage.session.startRunning()
      #expect(stage.output.minFreeDiskSpaceLimit == 0)
      stage.output.startRecording(to: stage.url("1.mov"), recordingDelegate: stage.log)
      stage.pass(frames: 5)
      stage.output.minFreeDiskSpaceLimit = .max
      stage.pass(frames: 1)
      #expect(stage.log.wait(for: "finished 1.mov"))
      #expect(stage.log.lastError?.code == .diskFull)
      #expect(stage.log.lastError?.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool == true)
      #expect(try WrittenMovie(stage.url("1.mov")).stamps.count == 5)
      stage.output.startRecording(to: stage.url("2.mov"), recordingDelegate: stage.log)
      #expect(stage.log.wait(for: "finished 2.mov"))
      #expect(stage.log.lastError?.code == .diskFull)
      #expect(stage.log.lastError?.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool == false)
      #expect(!FileManager.default.fileExists(atPath: stage.url("2.mov").path))
    }

    @Test
    func `nothing is overwritten, and what was there stays`() throws {
      let stage = try MovieStage()
      stage.session.startRunning()
      try Data("mine".utf8).write(to: stage.url())
      stage.output.startRecording(to: stage.url(), recordingDelegate: stage.log)
      #expect(stage.log.wait(for: "finished movie.mov"))
      #expect(stage.log.lastError?.code == .fileAlreadyExists)
      #expect(stage.log.all == ["finishing movie.mov", "finished movie.mov"])
      #expect(try Data(contentsOf: stage.url()) == Data("mine".utf8))
    }

    @Test
    func `a recording that is stopped before a frame came has captured nothing`() throws {
      let stage = try MovieStage()
      stage.session.startRunning()
      stage.output.startRecording(to: stage.url(), recordingDelegate: stage.log)
      stage.output.stopRecording()
      #expect(stage.log.wait(for: "finished movie.mov"))
      #expect(stage.log.lastError?.code == .noDataCaptured)
      #expect(!FileManager.default.fileExists(atPath: stage.url().path))
    }

    @Test
    func `audio alone is recorded, too`() throws {
      let stage = try MovieStage(hasCamera: false)
      stage.session.startRunning()
      let url = try stage.record(frames: 30)
      let movie = try WrittenMovie(url)
      #expect(movie.stamps.isEmpty)
      #expect(abs(Double(movie.audio.count) / movie.audioRate - 1) < 0.03)
    }
  }
}

extension DeviceSuites {
  @Suite("AVCaptureAudioFileOutput")
  struct AudioFileOutputTests {
    @Test
    func `audio is recorded to a file of its own beside a movie`() throws {
      let output = AVCaptureAudioFileOutput()
      let stage = try MovieStage(output)
      #expect(AVCaptureAudioFileOutput.availableOutputFileTypes().contains(.m4a))
      let movie = AVCaptureMovieFileOutput()
      stage.session.addOutput(movie)
      #expect(output.connections.count == 1 && output.audioSettings == nil && output.metadata.isEmpty)
      let title = AVMutableMetadataItem()
      title.identifier = .commonIdentifierTitle
      title.value = "Sound" as NSString
      output.metadata = [title]
      output.audioSettings = [AVFormatIDKey: kAudioFormatMPEG4AAC, AVEncoderBitRateKey: 96_000]
      stage.session.startRunning()
      let url = stage.url("sound.m4a")
      output.startRecording(to: url, outputFileType: .m4a, recordingDelegate: stage.log)
      stage.pass(frames: 30)
      output.stopRecording()
      #expect(stage.log.wait(for: "finished sound.m4a"))
      #expect(stage.log.lastError == nil)
      let asset = AVURLAsset(url: url)
      #expect(asset.tracks.map(\.mediaType) == [.audio])
      #expect(abs(asset.duration.seconds - 1) < 0.03)
      #expect(
        AVMetadataItem.metadataItems(from: asset.metadata, filteredByIdentifier: .commonIdentifierTitle)
          .first?
          .stringValue == "Sound")
    }

    @Test
    func `a file without a type, or of a type that cannot be written, is a mistake`() throws {
      let output = AVCaptureAudioFileOutput()
      let stage = try MovieStage(output)
      stage.session.startRunning()
      let mistakes = MistakeRecorder.mistakes {
        output.startRecording(to: stage.url("1.m4a"), recordingDelegate: stage.log)
        output.startRecording(to: stage.url("2.mp3"), outputFileType: .mp3, recordingDelegate: stage.log)
        output.audioSettings = [AVVideoCodecKey: "avc1"]
      }
      #expect(mistakes.count == 3)
      #expect(stage.log.wait(for: "finished 1.m4a") && stage.log.wait(for: "finished 2.mp3"))
      #expect(stage.log.lastError?.code == .fileFormatNotRecognized)
    }
  }
}
