import AVFAudio
import AVFCore
import CoreMedia
import CoreVideo
import Dispatch
import Foundation
import FoundationExtras
import Glibc
import GraphicsCore
import MovieTools
import Testing

@Suite("AVAssetWriter")
struct AssetWriterTests {
  typealias VideoWriter = (
    writer: AVAssetWriter, input: AVAssetWriterInput, adaptor: AVAssetWriterInputPixelBufferAdaptor
  )

  static var videoSettings: [String: Any] {
    [AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: 64, AVVideoHeightKey: 48]
  }
  static var audioSettings: [String: Any] {
    [
      AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2,
      AVEncoderBitRateKey: 128_000,
    ]
  }

  static func url(_ folder: String, _ name: String) -> URL { URL(fileURLWithPath: "\(folder)/\(name)") }

  /// Pushes pictures 0 … `count - 1`, thirty a second, waiting where the input is not ready.
  static func push(
    _ count: Int, to adaptor: AVAssetWriterInputPixelBufferAdaptor, from start: CMTime = .zero
  ) throws {
    for number in 0..<count {
      try EditingStage.waitUntilReady([adaptor.assetWriterInput])
      let picture = try TestMovie.picture(number)
      #expect(
        adaptor.append(picture, withPresentationTime: start + CMTime(value: Int64(number), timescale: 30)))
    }
  }

  /// A writer of a movie with one coded track of video, before it starts.
  static func videoWriter(_ url: URL) throws -> VideoWriter {
    let writer = try AVAssetWriter(outputURL: url, fileType: .mov)
    let input = AVAssetWriterInput(mediaType: .video, outputSettings: videoSettings)
    return (writer, input, AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: input))
  }

  /// The same, with a session that has begun at zero.
  static func startedVideoWriter(_ url: URL) throws -> VideoWriter {
    let parts = try videoWriter(url)
    parts.writer.add(parts.input)
    #expect(parts.writer.startWriting())
    parts.writer.startSession(atSourceTime: .zero)
    return parts
  }

  static func movie(
    _ url: URL, frames: Int = 30, _ change: (AVAssetWriter, AVAssetWriterInput) -> Void = { _, _ in }
  ) async throws {
    let (writer, input, adaptor) = try videoWriter(url)
    change(writer, input)
    writer.add(input)
    #expect(writer.startWriting())
    writer.startSession(atSourceTime: .zero)
    try push(frames, to: adaptor)
    input.markAsFinished()
    await writer.finishWriting()
    #expect(writer.status == .completed)
    #expect(writer.error == nil)
  }

  @Test("Pushed pictures and audio become a movie that others read", arguments: [AVFileType.mov, .mp4, .m4v])
  func push(type: AVFileType) async throws {
    try await withMovieFolder { folder in
      let url = Self.url(folder, "pushed")
      let writer = try AVAssetWriter(url: url, fileType: type)
      #expect(writer.status == .unknown)
      let video = AVAssetWriterInput(mediaType: .video, outputSettings: Self.videoSettings)
      let audio = AVAssetWriterInput(mediaType: .audio, outputSettings: Self.audioSettings)
      let adaptor = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: video)
      for input in [video, audio] {
        input.expectsMediaDataInRealTime = true
        #expect(writer.canAdd(input))
        writer.add(input)
        #expect(!writer.canAdd(input))
        #expect(!input.isReadyForMoreMediaData)
      }
      #expect(writer.inputs == [video, audio])
      #expect(adaptor.pixelBufferPool == nil)
      #expect(writer.startWriting())
      #expect(writer.status == .writing)
      #expect(adaptor.pixelBufferPool != nil)
      let start = CMTime(value: 5000, timescale: 1)
      writer.startSession(atSourceTime: start)
      for number in 0..<30 {
        try EditingStage.waitUntilReady([video, audio])
        #expect(
          adaptor.append(
            try TestMovie.picture(number),
            withPresentationTime: start + CMTime(value: Int64(number), timescale: 30)))
        let tone = try TestMovie.tone(from: number * 1600, count: 1600)
        #expect(
          audio.append(
            try CMSampleBuffer(
              copying: tone,
              withNewTiming: [
                CMSampleTimingInfo(
                  duration: CMTime(value: 1, timescale: 48_000),
                  presentationTimeStamp: start + tone.presentationTimeStamp, decodeTimeStamp: .invalid)
              ])))
      }
      await writer.finishWriting()
      #expect(writer.status == .completed)
      let probe = try Program.probe(url.path)
      #expect(abs(probe.duration - 1) < 0.03)
      #expect(probe.stream("video")["codec_name"] as? String == "h264")
      #expect(probe.stream("audio")["codec_name"] as? String == "aac")
      let times = try Program.frameTimes(url.path)
      #expect(times.count == 30)
      #expect(zip(times, 0...).allSatisfy { abs($0 - Double($1) / 30) < 0.001 })
    }
  }

  @Test("Pulled samples are asked for until the input is finished")
  func pull() async throws {
    try await withMovieFolder { folder in
      let url = Self.url(folder, "pulled.mov")
      let (writer, input, adaptor) = try Self.startedVideoWriter(url)
      nonisolated(unsafe) var number = 0  // Safe because one serial queue reaches it.
      await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
        input.requestMediaDataWhenReady(on: DispatchQueue(label: "pull")) {
          while input.isReadyForMoreMediaData {
            guard number < 100, let picture = try? TestMovie.picture(number) else {
              input.markAsFinished()
              done.resume()
              return
            }
            adaptor.append(picture, withPresentationTime: CMTime(value: Int64(number), timescale: 30))
            number += 1
          }
        }
      }
      await writer.finishWriting()
      #expect(try Program.frameTimes(url.path).count == 100)
    }
  }

  @Test("Coded samples are written as they are with nil settings")
  func passthrough() async throws {
    try await withMovieFolder { folder in
      let (first, second) = (Self.url(folder, "first.mov"), Self.url(folder, "second.mp4"))
      try await Self.movie(first)
      let asset = AVURLAsset(url: first)
      let track = try #require(asset.tracks.first)
      let reader = try AVAssetReader(asset: asset)
      let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
      reader.add(output)
      #expect(reader.startReading())
      let writer = try AVAssetWriter(outputURL: second, fileType: .mp4)
      let bare = AVAssetWriterInput(mediaType: .video, outputSettings: nil)
      #expect(!writer.canAdd(bare))
      let input = AVAssetWriterInput(
        mediaType: .video, outputSettings: nil,
        sourceFormatHint: track.formatDescriptions.first as? CMFormatDescription)
      writer.add(input)
      writer.startWriting()
      writer.startSession(atSourceTime: .zero)
      while let sample = output.copyNextSampleBuffer() {
        try EditingStage.waitUntilReady([input])
        #expect(input.append(sample))
      }
      #expect(reader.status == .completed)
      await writer.finishWriting()
      #expect(try Program.frameTimes(second.path) == Program.frameTimes(first.path))
    }
  }

  @Test("Transform, language, metadata and the session's end are in the file")
  func description() async throws {
    try await withMovieFolder { folder in
      let url = Self.url(folder, "described.mov")
      let item = AVMutableMetadataItem()
      item.identifier = .quickTimeMetadataMake
      item.value = NSString(string: "Obscura")
      try await Self.movie(url) { writer, input in
        writer.metadata = [item]
        input.transform = CGAffineTransform(rotationAngle: .pi / 2)
        input.languageCode = "deu"
      }
      let asset = AVURLAsset(url: url)
      #expect(asset.metadata.map(\.stringValue) == ["Obscura"])
      #expect(asset.metadata.first?.commonKey == .commonKeyMake)
      let track = try #require(asset.tracks(withMediaType: .video).first)
      #expect(abs(track.preferredTransform.b - 1) < 0.001)
      #expect(track.languageCode == "deu" || track.languageCode == "ger")
      #expect(track.naturalSize == CGSize(width: 64, height: 48))
    }
  }

  @Test("A movie for the network has its tables first, others behind what they describe")
  func tablesFirst() async throws {
    try await withMovieFolder { folder in
      for isForNetwork in [true, false] {
        let url = Self.url(folder, "\(isForNetwork).mov")
        try await Self.movie(url) { writer, _ in
          #expect(!writer.shouldOptimizeForNetworkUse)
          writer.shouldOptimizeForNetworkUse = isForNetwork
        }
        let bytes = try Data(contentsOf: url)
        let tables = try #require(bytes.range(of: Data("moov".utf8)))
        let media = try #require(bytes.range(of: Data("mdat".utf8)))
        #expect((tables.lowerBound < media.lowerBound) == isForNetwork)
        #expect(try Program.frameTimes(url.path).count == 30)
      }
    }
  }

  @Test("A file that is there fails the start with the right code, and is not touched")
  func fileExists() throws {
    try withMovieFolder { folder in
      let url = Self.url(folder, "there.mov")
      try Data("mine".utf8).write(to: url)
      let writer = try AVAssetWriter(outputURL: url, fileType: .mov)
      writer.add(AVAssetWriterInput(mediaType: .video, outputSettings: Self.videoSettings))
      #expect(!writer.startWriting())
      #expect(writer.status == .failed)
      #expect((writer.error as? AVError)?.code == .fileAlreadyExists)
      #expect(try Data(contentsOf: url) == Data("mine".utf8))
    }
  }

  @Test("Cancelling removes the file")
  func cancel() throws {
    try withMovieFolder { folder in
      let url = Self.url(folder, "cancelled.mov")
      let (writer, input, adaptor) = try Self.startedVideoWriter(url)
      try Self.push(5, to: adaptor)
      writer.cancelWriting()
      #expect(writer.status == .cancelled)
      #expect(!FileManager.default.fileExists(atPath: url.path))
      #expect(!input.isReadyForMoreMediaData)
      #expect(
        !adaptor.append(try TestMovie.picture(6), withPresentationTime: CMTime(value: 6, timescale: 30)))
    }
  }

  @Test("Times that go back fail the writer, which keeps what was written")
  func timesThatGoBack() async throws {
    try await withMovieFolder { folder in
      let url = Self.url(folder, "back.mov")
      let (writer, _, adaptor) = try Self.startedVideoWriter(url)
      try Self.push(3, to: adaptor)
      adaptor.append(try TestMovie.picture(0), withPresentationTime: .zero)
      await writer.finishWriting()
      #expect(writer.status == .failed)
      #expect(writer.error != nil)
    }
  }

  @Test("What breaks the order of calls is a programming mistake without effect")
  func mistakes() throws {
    try withMovieFolder { folder in
      let (writer, input, adaptor) = try Self.videoWriter(Self.url(folder, "mistaken.mov"))
      let picture = try TestMovie.picture(0)
      let mistakes = ProgrammingMistake.collect {
        #expect(!adaptor.append(picture, withPresentationTime: .zero))
        writer.add(input)
        writer.add(input)
        writer.startSession(atSourceTime: .zero)
        #expect(!adaptor.append(picture, withPresentationTime: .zero))
        writer.startWriting()
        #expect(!writer.startWriting())
        input.transform = .identity
        #expect(!adaptor.append(picture, withPresentationTime: .zero))
        writer.endSession(atSourceTime: .zero)
        input.markAsFinished()
        writer.startSession(atSourceTime: .zero)
        #expect(!adaptor.append(picture, withPresentationTime: .zero))
      }
      #expect(mistakes.count == 9)
      writer.cancelWriting()
    }
  }

  @Test("Settings are applied as documented, and those that cannot be are refused")
  func settings() throws {
    try withMovieFolder { folder in
      let mp4 = try AVAssetWriter(outputURL: Self.url(folder, "a.mp4"), fileType: .mp4)
      let mov = try AVAssetWriter(outputURL: Self.url(folder, "a.mov"), fileType: .mov)
      #expect(mov.canApply(outputSettings: Self.videoSettings, forMediaType: .video))
      #expect(mov.canApply(outputSettings: Self.audioSettings, forMediaType: .audio))
      #expect(!mov.canApply(outputSettings: [AVVideoCodecKey: "avc1"], forMediaType: .video))
      #expect(!mov.canApply(outputSettings: Self.videoSettings, forMediaType: .audio))
      var proRes = Self.videoSettings
      proRes[AVVideoCodecKey] = "apcn"
      #expect(mov.canApply(outputSettings: proRes, forMediaType: .video))
      #expect(!mp4.canApply(outputSettings: proRes, forMediaType: .video))
      let pcm: [String: Any] = [
        AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 1,
        AVLinearPCMBitDepthKey: 16, AVLinearPCMIsFloatKey: false, AVLinearPCMIsBigEndianKey: false,
        AVLinearPCMIsNonInterleaved: false,
      ]
      #expect(mov.canApply(outputSettings: pcm, forMediaType: .audio))
      #expect(!mp4.canApply(outputSettings: pcm, forMediaType: .audio))
      #expect(throws: AVError.self) {
        try AVAssetWriter(outputURL: Self.url(folder, "a.jpg"), fileType: .jpg)
      }
    }
  }
}

/// A folder for the time of `body`.
func withMovieFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("movies-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try await body(folder.path)
}
