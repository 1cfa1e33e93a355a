import AVFoundation
import CaptureDevice
import CaptureStage
import Linux
import SimulatedDevices
import Testing
import Waiting

@Suite("RecommendedVideoSettings")
struct RecommendedVideoSettingsTests {
  @Test
  func `bits grow with pixels and rate, and HEVC needs fewer`() {
    func bits(_ codec: AVVideoCodecType, _ width: Int, _ height: Int, _ rate: Double) -> Int {
      RecommendedVideoSettings(
        codec: codec, size: FrameSize(width: width, height: height), rate: rate, usesP3: false
      ).bitRate
    }
    #expect(bits(.h264, 1920, 1080, 30) == 17_418_000)
    #expect(bits(.hevc, 1920, 1080, 30) == 10_451_000)
    #expect(bits(.h264, 1920, 1080, 60) == 26_127_000)
    #expect(bits(.h264, 1280, 720, 30) < bits(.h264, 1920, 1080, 30))
    #expect(bits(.h264, 8192, 8192, 240) == 240_000_000)
    #expect(bits(.h264, 2, 2, 1) == 64_000)
  }

  @Test(arguments: [
    (FrameDuration(1, 30), 600), (FrameDuration(1, 15), 600), (FrameDuration(2, 60), 600),
    (FrameDuration(1001, 30_000), 30_000), (FrameDuration(1, 240), 720), (FrameDuration(1, 7), 602),
  ])
  func `frames have whole times in the timescale`(duration: FrameDuration, timescale: Int) {
    let chosen = Int64(RecommendedVideoSettings.timescale(for: duration))
    #expect(chosen == Int64(timescale) && chosen >= 600)
    #expect(chosen * Int64(duration.numerator) % Int64(duration.denominator) == 0)
  }

  @Test
  func `sides are even`() throws {
    let settings = RecommendedVideoSettings(
      codec: .h264, size: FrameSize(width: 641, height: 479), rate: 30, usesP3: true)
    #expect(settings.size == FrameSize(width: 640, height: 478))
    let colors = try #require(settings.dictionary[AVVideoColorPropertiesKey] as? [String: String])
    #expect(colors[AVVideoColorPrimariesKey] == AVVideoColorPrimaries_P3_D65)
  }

  @Test
  func `ordinary colours are those of television`() throws {
    let settings = RecommendedVideoSettings(
      codec: .h264, size: FrameSize(width: 640, height: 480), rate: 30, usesP3: false)
    #expect(
      settings.dictionary[AVVideoColorPropertiesKey] as? [String: String] == [
        AVVideoColorPrimariesKey: AVVideoColorPrimaries_ITU_R_709_2,
        AVVideoTransferFunctionKey: AVVideoTransferFunction_ITU_R_709_2,
        AVVideoYCbCrMatrixKey: AVVideoYCbCrMatrix_ITU_R_709_2,
      ])
  }
}

extension DeviceSuites {
  @Suite("Recommended settings")
  struct RecommendedSettingsTests {
    @Test
    func `a movie should say which camera it is of`() throws {
      let stage = SessionStage()
      let output = AVCaptureVideoDataOutput()
      #expect(
        output.recommendedMovieMetadata(forVideoCodecType: .h264, assetWriterOutputFileType: .mov) == nil)
      let camera = try stage.addCamera().0.device
      stage.session.addOutput(output)
      stage.session.startRunning()
      let items = try #require(
        output.recommendedMovieMetadata(forVideoCodecType: .h264, assetWriterOutputFileType: .mov))
      func text(_ identifier: AVMetadataIdentifier) -> String? {
        items.first { $0.identifier == identifier }?.stringValue
      }
      #expect(text(.quickTimeMetadataModel) == camera.localizedName)
      #expect(text(.quickTimeMetadataMake) == camera.manufacturer)
      #expect(text(.quickTimeMetadataSoftware) != nil)
      #expect(
        output.recommendedMovieMetadata(forVideoCodecType: .jpeg, assetWriterOutputFileType: .mp4) == nil)
    }

    @Test
    func `a video data output recommends what its frames are, turned and sized`() throws {
      let rig = try CaptureRig(.camera(sizes: [FrameSize(width: 1280, height: 720)], rates: 1...60))
      let output = AVCaptureVideoDataOutput()
      #expect(output.recommendedVideoSettingsForAssetWriter(writingTo: .mov) == nil)
      #expect(output.recommendedMediaTimeScaleForAssetWriter == 600)
      rig.session.addOutput(output)
      let settings = try #require(output.recommendedVideoSettingsForAssetWriter(writingTo: .mp4))
      #expect(settings[AVVideoCodecKey] as? AVVideoCodecType == .h264)
      #expect(settings[AVVideoWidthKey] as? Int == 1280 && settings[AVVideoHeightKey] as? Int == 720)
      let compression = try #require(settings[AVVideoCompressionPropertiesKey] as? [String: Any])
      #expect(compression[AVVideoExpectedSourceFrameRateKey] as? Int == 30)
      #expect(compression[AVVideoAverageBitRateKey] as? Int == 7_741_000)
      #expect(compression[AVVideoProfileLevelKey] as? String == AVVideoProfileLevelH264HighAutoLevel)
      try rig.device.lockForConfiguration()
      rig.device.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 50)
      rig.device.unlockForConfiguration()
      output.connection(with: .video)?.videoOrientation = .portrait
      let turned = try #require(
        output.recommendedVideoSettings(forVideoCodecType: .hevc, assetWriterOutputFileType: .mov))
      #expect(turned[AVVideoWidthKey] as? Int == 720 && turned[AVVideoHeightKey] as? Int == 1280)
      let fast = try #require(turned[AVVideoCompressionPropertiesKey] as? [String: Any])
      #expect(fast[AVVideoExpectedSourceFrameRateKey] as? Int == 50)
      #expect(fast[AVVideoH264EntropyModeKey] == nil)
      output.videoSettings = [
        kCVPixelBufferWidthKey as String: 360, kCVPixelBufferHeightKey as String: 640,
      ]
      let small = try #require(output.recommendedVideoSettingsForAssetWriter(writingTo: .m4v))
      #expect(small[AVVideoWidthKey] as? Int == 360 && small[AVVideoHeightKey] as? Int == 640)
      // What is recommended is what comes.
      let delegate = RecordingVideoDelegate()
      output.setSampleBufferDelegate(delegate, queue: DispatchQueue(label: "recommended"))
      rig.session.startRunning()
      rig.advance(frames: 2)
      let pixels = try #require(delegate.samples.withLock { $0.first?.buffer.imageBuffer })
      #expect(CVPixelBufferGetWidth(pixels) == 360 && CVPixelBufferGetHeight(pixels) == 640)
      rig.session.stopRunning()
      #expect(output.availableVideoCodecTypesForAssetWriter(writingTo: .mov) == [.h264, .hevc, .jpeg])
      #expect(output.availableVideoCodecTypesForAssetWriter(writingTo: .jpg).isEmpty)
      #expect(output.recommendedVideoSettingsForAssetWriter(writingTo: .wav) == nil)
      #expect(
        output.recommendedVideoSettings(forVideoCodecType: .jpeg, assetWriterOutputFileType: .mp4) == nil)
      output.connection(with: .video)?.isEnabled = false
      #expect(output.recommendedVideoSettingsForAssetWriter(writingTo: .mov) == nil)
    }

    @Test(arguments: [AVVideoCodecType.h264, .hevc])
    func `a writer with the recommended settings makes a movie of the very frames`(
      codec: AVVideoCodecType
    ) async throws {
      let rig = try CaptureRig(.camera(sizes: [FrameSize(width: 320, height: 240)], rates: 1...60))
      let output = AVCaptureVideoDataOutput()
      rig.session.addOutput(output)
      let settings = try #require(
        output.recommendedVideoSettings(forVideoCodecType: codec, assetWriterOutputFileType: .mov))
      let delegate = RecordingVideoDelegate()
      output.setSampleBufferDelegate(delegate, queue: DispatchQueue(label: "written"))
      rig.session.startRunning()
      rig.advance(frames: 10)
      rig.session.stopRunning()
      let samples = delegate.samples.withLock { $0.map(\.buffer) }
      #expect(samples.count >= 5)
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let writer = try AVAssetWriter(
        outputURL: folder.appendingPathComponent("frames.mov"), fileType: .mov)
      #expect(writer.canApply(outputSettings: settings, forMediaType: .video))
      let input = AVAssetWriterInput(mediaType: .video, outputSettings: settings)
      input.mediaTimeScale = 1_000_000
      writer.add(input)
      let changes = Changes()
      let observation = input.observe(\.isReadyForMoreMediaData) { _, _ in changes.note() }
      defer { observation.invalidate() }
      #expect(writer.startWriting())
      let start = try #require(samples.first).presentationTimeStamp
      writer.startSession(atSourceTime: start)
      for sample in samples {
        #expect(changes.wait { input.isReadyForMoreMediaData })
        #expect(input.append(sample))
      }
      await writer.finishWriting()
      #expect(writer.status == .completed)
      let asset = AVURLAsset(url: writer.outputURL)
      let reader = try AVAssetReader(asset: asset)
      let frames = AVAssetReaderTrackOutput(
        track: try #require(asset.tracks.first),
        outputSettings: [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA])
      reader.add(frames)
      #expect(reader.startReading())
      var times: [CMTime] = []
      while let frame = frames.copyNextSampleBuffer() { times.append(frame.presentationTimeStamp) }
      #expect(times.count == samples.count)
      for (time, sample) in zip(times, samples) {
        #expect(abs((time - (sample.presentationTimeStamp - start)).seconds) < 0.000_002)
      }
    }

    @Test
    func `an audio data output recommends its own rate and channels`() throws {
      let stage = SessionStage(devices: [.stageMicrophone])
      let microphone = try stage.camera(.stageMicrophone)
      try microphone.lockForConfiguration()
      microphone.activeFormat = microphone.formats[1]
      microphone.unlockForConfiguration()
      let output = AVCaptureAudioDataOutput()
      #expect(output.recommendedAudioSettingsForAssetWriter(writingTo: .mov) == nil)
      try stage.addMicrophone(to: output)
      let settings = try #require(output.recommendedAudioSettingsForAssetWriter(writingTo: .mov))
      #expect(settings[AVFormatIDKey] as? AudioFormatID == kAudioFormatMPEG4AAC)
      #expect(settings[AVSampleRateKey] as? Double == 48_000)
      #expect(
        settings[AVNumberOfChannelsKey] as? Int == 2 && settings[AVEncoderBitRateKey] as? Int == 128_000)
      output.audioSettings = [
        AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 96_000, AVNumberOfChannelsKey: 1,
      ]
      let other = try #require(output.recommendedAudioSettingsForAssetWriter(writingTo: .m4a))
      #expect(other[AVSampleRateKey] as? Double == 48_000 && other[AVNumberOfChannelsKey] as? Int == 1)
      let plain = try #require(output.recommendedAudioSettingsForAssetWriter(writingTo: .wav))
      #expect(plain[AVSampleRateKey] as? Double == 96_000)
      #expect(output.recommendedAudioSettingsForAssetWriter(writingTo: .jpg) == nil)
      // The output takes for itself what it recommends uncompressed.
      output.audioSettings = plain
      #expect(output.audioSettings?[AVSampleRateKey] as? Double == 96_000)
    }
  }
}
