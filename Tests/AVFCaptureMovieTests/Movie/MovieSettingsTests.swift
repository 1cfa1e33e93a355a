import AVFoundation
import CaptureDevice
import CaptureStage
import CoreMedia
import Foundation
import GraphicsCore
import MovieTools
import SimulatedDevices
import Testing

extension DeviceSuites {
  @Suite("AVCaptureMovieFileOutput: settings")
  struct MovieSettingsTests {
    private func codec(_ url: URL, _ type: AVMediaType = .video) throws -> FourCharCode {
      let track = try #require(AVURLAsset(url: url).tracks(withMediaType: type).first)
      return CMFormatDescriptionGetMediaSubType(
        try #require(track.formatDescriptions.first as? CMFormatDescription))
    }

    @Test
    func `the codec can be chosen, and the whole settings are readable`() throws {
      let stage = try MovieStage(hasMicrophone: false)
      stage.session.startRunning()
      let output = try stage.movie
      let connection = try #require(output.connection(with: .video))
      #expect(output.availableVideoCodecTypes == [.h264, .hevc, .jpeg])
      #expect(output.supportedOutputSettingsKeys(for: connection).contains(AVVideoCodecKey))
      #expect(output.outputSettings(for: connection)[AVVideoCodecKey] as? AVVideoCodecType == .h264)
      #expect(output.outputSettings(for: connection)[AVVideoWidthKey] as? Int == 320)
      output.setOutputSettings([AVVideoCodecKey: AVVideoCodecType.hevc], for: connection)
      #expect(output.outputSettings(for: connection)[AVVideoCodecKey] as? AVVideoCodecType == .hevc)
      #expect(try codec(stage.record(frames: 5, to: "1.mov")) == kCMVideoCodecType_HEVC)
      output.setOutputSettings(
        [
          AVVideoCodecKey: AVVideoCodecType.h264,
          AVVideoCompressionPropertiesKey: [AVVideoAverageBitRateKey: 100_000],
        ], for: connection)
      let compression =
        output.outputSettings(for: connection)[AVVideoCompressionPropertiesKey] as? [String: Any]
      #expect(compression?[AVVideoAverageBitRateKey] as? Int == 100_000)
      #expect(compression?[AVVideoExpectedSourceFrameRateKey] as? Int == 30)
      #expect(try codec(stage.record(frames: 5, to: "2.mov")) == kCMVideoCodecType_H264)
      output.setOutputSettings(nil, for: connection)
      #expect(output.outputSettings(for: connection)[AVVideoCodecKey] as? AVVideoCodecType == .h264)
    }

    @Test
    func `audio can be written uncompressed, and as the device has it`() throws {
      let stage = try MovieStage()
      stage.session.startRunning()
      let output = try stage.movie
      let connection = try #require(output.connection(with: .audio))
      output.setOutputSettings([AVFormatIDKey: kAudioFormatLinearPCM], for: connection)
      #expect(try codec(stage.record(frames: 15, to: "1.mov"), .audio) == kAudioFormatLinearPCM)
      output.setOutputSettings([:], for: connection)
      #expect(output.outputSettings(for: connection).isEmpty)
      let url = try stage.record(frames: 15, to: "2.mov")
      #expect(try codec(url, .audio) == kAudioFormatLinearPCM)
      let movie = try WrittenMovie(url)
      #expect(abs(Double(movie.audio.count) / movie.audioRate - 0.5) < 0.03)
    }

    @Test
    func `settings that cannot be honoured are mistakes without effect`() throws {
      let stage = try MovieStage()
      let output = try stage.movie
      let (video, other) = (try #require(output.connection(with: .video)), AVCaptureVideoDataOutput())
      stage.session.addOutput(other)
      let foreign = try #require(other.connections.first)
      let mistakes = MistakeRecorder.mistakes {
        output.setOutputSettings(["Colour": 1], for: video)
        output.setOutputSettings([AVVideoCodecKey: AVVideoCodecType.proRes422], for: video)
        output.setOutputSettings([AVVideoCompressionPropertiesKey: [AVVideoQualityKey: 0.5]], for: video)
        output.setOutputSettings([AVVideoWidthKey: 100], for: video)
        output.setOutputSettings(nil, for: foreign)
        #expect(output.supportedOutputSettingsKeys(for: foreign).isEmpty)
      }
      #expect(mistakes.count == 6)
      #expect(output.outputSettings(for: video)[AVVideoCodecKey] as? AVVideoCodecType == .h264)
    }

    @Test
    func `the track's matrix turns and mirrors, the pixels stay as they are`() throws {
      let stage = try MovieStage(hasMicrophone: false)
      stage.session.startRunning()
      let connection = try #require(stage.output.connection(with: .video))
      #expect(connection.videoOrientation == .portrait)
      #expect(connection.isVideoStabilizationSupported)
      let upright = try stage.record(frames: 4, to: "1.mov")
      let track = try #require(AVURLAsset(url: upright).tracks(withMediaType: .video).first)
      #expect(track.naturalSize == CGSize(width: 320, height: 240))
      #expect(track.preferredTransform == CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 240, ty: 0))
      #expect(try WrittenMovie(upright).stamps.allSatisfy { $0 != nil })
      connection.videoRotationAngle = 0
      connection.isVideoMirrored = true
      let mirrored = try stage.record(frames: 4, to: "2.mov")
      let other = try #require(AVURLAsset(url: mirrored).tracks(withMediaType: .video).first)
      #expect(other.preferredTransform == CGAffineTransform(a: -1, b: 0, c: 0, d: 1, tx: 320, ty: 0))
    }

    @Test
    func `metadata, fragment interval and file type are those of the next file`() throws {
      let stage = try MovieStage(hasMicrophone: false)
      stage.session.startRunning()
      let output = try stage.movie
      #expect(output.movieFragmentInterval == CMTime(value: 10, timescale: 1))
      #expect(output.metadata == nil && output.recordedFileType == .mov)
      let title = AVMutableMetadataItem()
      title.identifier = .commonIdentifierTitle
      title.value = "Holiday" as NSString
      output.metadata = [title]
      output.recordedFileType = .mp4
      output.movieFragmentInterval = CMTime(value: 200, timescale: 1000)
      #expect(output.availableVideoCodecTypes == [.h264, .hevc])
      let url = stage.url("movie.mp4")
      output.startRecording(to: url, recordingDelegate: stage.log)
      stage.pass(frames: 60)
      // While it is recorded, the file is one that opens and has all but the last fragments.
      let copy = stage.url("copy.mp4")
      try FileManager.default.copyItem(at: url, to: copy)
      let kept = try Program.frameTimes(copy.path).count
      #expect(kept > 20)
      output.stopRecording()
      #expect(stage.log.wait(for: "finished movie.mp4"))
      let asset = AVURLAsset(url: url)
      let titles = AVMetadataItem.metadataItems(
        from: asset.metadata, filteredByIdentifier: .commonIdentifierTitle)
      #expect(titles.first?.stringValue == "Holiday")
      #expect(try Program.frameTimes(url.path).count == 60)
      let name = try Program.probe(url.path).format["format_name"] as? String
      #expect(name?.contains("mp4") == true)
    }

    @Test
    func `motion JPEG is written as it comes where that is asked for`() throws {
      let stage = try MovieStage(
        devices: [
          .camera(
            uniqueID: "movie.jpeg", name: "JPEG", sizes: [MovieStage.size], encodings: [.motionJPEG],
            sensorRotation: 0)
        ], hasMicrophone: false)
      stage.session.startRunning()
      let output = try stage.movie
      let connection = try #require(output.connection(with: .video))
      #expect(try codec(stage.record(frames: 10, to: "1.mov")) == kCMVideoCodecType_H264)
      output.setOutputSettings([:], for: connection)
      #expect(output.outputSettings(for: connection).isEmpty)
      let url = try stage.record(frames: 10, to: "2.mov")
      #expect(try codec(url) == kCMVideoCodecType_JPEG)
      let movie = try WrittenMovie(url)
      #expect(movie.stamps.count == 10 && movie.stamps.allSatisfy { $0 != nil })
    }

    @Test
    func `a movie is recorded beside photos and data`() throws {
      let stage = try MovieStage()
      let (photo, data) = (AVCapturePhotoOutput(), AVCaptureVideoDataOutput())
      #expect(!stage.session.canAddOutput(AVCaptureMovieFileOutput()))
      stage.session.addOutput(photo)
      stage.session.addOutput(data)
      let counter = FrameCounter()
      counter.watch(data)
      stage.session.startRunning()
      let url = try stage.record(frames: 20)
      #expect(try WrittenMovie(url).stamps.count == 20)
      #expect(counter.frames >= 20)
      #expect(photo.connections.first?.isActive == true)
    }
  }
}
