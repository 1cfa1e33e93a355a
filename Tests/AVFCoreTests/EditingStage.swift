import AVFAudio
import AVFCore
import CoreMedia
import CoreVideo
import Foundation
import FoundationExtras
import GraphicsCore
import Linux
import MovieTools
import Testing
import Waiting

/// Movies whose frames are known by their lightness, and what readers find in assets.
enum EditingStage {
  /// A movie of pictures `first` …, thirty a second, with a tone where it is asked for.
  static func movie(
    _ folder: String, _ name: String = "source.mov", frames: Int = 30, first: Int = 0, hasAudio: Bool = false,
    keyInterval: Int = 10, width: Int = 64, height: Int = 48, transform: CGAffineTransform = .identity
  ) async throws -> AVURLAsset {
    let url = URL(fileURLWithPath: "\(folder)/\(name)")
    let writer = try AVAssetWriter(outputURL: url, fileType: .mov)
    let video = AVAssetWriterInput(
      mediaType: .video,
      outputSettings: [
        AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: width, AVVideoHeightKey: height,
        AVVideoCompressionPropertiesKey: [AVVideoMaxKeyFrameIntervalKey: keyInterval],
      ])
    video.transform = transform
    let audio = AVAssetWriterInput(
      mediaType: .audio,
      outputSettings: [
        AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2,
        AVLinearPCMBitDepthKey: 16, AVLinearPCMIsFloatKey: false, AVLinearPCMIsBigEndianKey: false,
        AVLinearPCMIsNonInterleaved: false,
      ])
    let adaptor = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: video)
    writer.add(video)
    if hasAudio { writer.add(audio) }
    writer.startWriting()
    writer.startSession(atSourceTime: .zero)
    for number in 0..<frames {
      try waitUntilReady(hasAudio ? [video, audio] : [video])
      adaptor.append(
        try TestMovie.picture(first + number, width: width, height: height),
        withPresentationTime: CMTime(value: Int64(number), timescale: 30))
      if hasAudio { audio.append(try TestMovie.tone(from: number * 1600, count: 1600)) }
    }
    video.markAsFinished()
    if hasAudio { audio.markAsFinished() }
    await writer.finishWriting()
    #expect(writer.status == .completed)
    return AVURLAsset(url: url)
  }

  /// Waits until a writer's inputs take more: those of a writer that has failed never do.
  static func waitUntilReady(_ inputs: [AVAssetWriterInput]) throws {
    let changes = Changes()
    let observations = inputs.map { $0.observe(\.isReadyForMoreMediaData) { _, _ in changes.note() } }
    defer { for observation in observations { observation.invalidate() } }
    let areReady = changes.wait { inputs.allSatisfy(\.isReadyForMoreMediaData) }
    try #require(areReady, "An input takes nothing more.")
  }

  static func frames(_ count: Int) -> CMTime { CMTime(value: Int64(count), timescale: 30) }

  static func range(_ start: Int, _ count: Int) -> CMTimeRange {
    CMTimeRange(start: frames(start), duration: frames(count))
  }

  /// The numbers of the pictures of an output, and their times in thirtieths.
  static func pictures(
    _ asset: AVAsset, _ output: AVAssetReaderOutput? = nil, range: CMTimeRange? = nil
  ) throws -> [(number: Int, time: Double)] {
    let reader = try AVAssetReader(asset: asset)
    if let range { reader.timeRange = range }
    let output =
      try output
      ?? AVAssetReaderTrackOutput(
        track: try #require(asset.tracks(withMediaType: .video).first),
        outputSettings: [
          kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        ])
    #expect(reader.canAdd(output))
    reader.add(output)
    #expect(reader.startReading())
    var found: [(Int, Double)] = []
    while let sample = output.copyNextSampleBuffer() {
      let time = sample.presentationTimeStamp.seconds * 30
      found.append((TestMovie.number(of: try #require(sample.imageBuffer)), (time * 1000).rounded() / 1000))
    }
    #expect(reader.status == .completed, "\(String(describing: reader.error))")
    return found
  }

  /// The first channel of an output of 16 bits, and when the first sample is.
  static func audio(_ asset: AVAsset, _ output: AVAssetReaderOutput) throws -> (
    samples: [Int16], start: Double
  ) {
    let reader = try AVAssetReader(asset: asset)
    reader.add(output)
    #expect(reader.startReading())
    var samples: [Int16] = []
    var start: Double?
    while let sample = output.copyNextSampleBuffer() {
      start = start ?? sample.presentationTimeStamp.seconds
      let channels = Int(sample.formatDescription?.audioStreamBasicDescription?.mChannelsPerFrame ?? 1)
      let bytes = try #require(sample.dataBuffer).dataBytes()
      bytes.withUnsafeBytes { raw in
        let all = raw.bindMemory(to: Int16.self)
        samples += stride(from: 0, to: all.count, by: channels).map { all[$0] }
      }
    }
    #expect(reader.status == .completed, "\(String(describing: reader.error))")
    return (samples, start ?? -1)
  }

  /// The loudness of samples: the mean of their distance from zero.
  static func loudness(_ samples: ArraySlice<Int16>) -> Double {
    samples.isEmpty ? 0 : samples.reduce(0.0) { $0 + abs(Double($1)) } / Double(samples.count)
  }
}
