import AVFAudio
import AVFCore
import CoreMedia
import Dispatch
import Foundation
import FoundationExtras
import GraphicsCore
import MovieTools
import Testing

@Suite("Assets: properties and cancelling")
struct AssetPropertyTests {
  /// A movie of thirty frames, half a second a fragment, with a title.
  private func titled(_ folder: String) async throws -> AVURLAsset {
    let url = AssetWriterTests.url(folder, "titled.mov")
    try await AssetWriterTests.movie(url) { writer, input in
      writer.movieFragmentInterval = CMTime(value: 1, timescale: 2)
      writer.movieTimeScale = 3000
      input.naturalSize = CGSize(width: 64, height: 48)
      input.transform = CGAffineTransform(rotationAngle: .pi / 2)
      let title = AVMutableMetadataItem()
      title.identifier = .commonIdentifierTitle
      title.value = "Garden" as NSString
      writer.metadata = [title]
      #expect(writer.movieFragmentInterval.seconds == 0.5 && writer.movieTimeScale == 3000)
      #expect(input.naturalSize.width == 64)
    }
    return AVURLAsset(url: url, options: [AVURLAssetPreferPreciseDurationAndTimingKey: true])
  }

  @Test func `an asset loads its properties for the older way of asking, too`() async throws {
    try await withMovieFolder { folder in
      let asset = try await titled(folder)
      await withCheckedContinuation { done in
        asset.loadValuesAsynchronously(forKeys: ["tracks", "duration"]) { done.resume() }
      }
      #expect(asset.statusOfValue(forKey: "tracks", error: nil) == .loaded)
      #expect(asset.naturalSize == CGSize(width: 64, height: 48))
      #expect(asset.preferredTransform == .identity)
      let track = try #require(asset.tracks.first)
      #expect(track.timeRange == CMTimeRange(start: .zero, duration: CMTime(value: 1, timescale: 1)))
      #expect(AVAssetImageGenerator(asset: asset).asset === asset)
    }
  }

  @Test func `a title that was written is read with its key, its key space and its type`() async throws {
    try await withMovieFolder { folder in
      let asset = try await titled(folder)
      let items = asset.metadata
      let title = try #require(items.first { $0.commonKey == AVMetadataKey.commonKeyTitle })
      #expect((title.value as? NSString)?.isEqual(to: "Garden") == true)
      #expect(title.key != nil && title.dataType == kCMMetadataBaseDataType_UTF8 as String)
      let space = try #require(title.keySpace)
      #expect(AVMetadataKeySpace(rawValue: space.rawValue) == space)
      let identifier: AVMetadataIdentifier = try #require(title.identifier)
      #expect(identifier.rawValue.hasPrefix(space.rawValue))
    }
  }

  @Test func `a reader that is cancelled gives nothing more`() async throws {
    try await withMovieFolder { folder in
      let asset = try await titled(folder)
      let reader = try AVAssetReader(asset: asset)
      let output: AVAssetReaderOutput = AVAssetReaderTrackOutput(
        track: try #require(asset.tracks.first),
        outputSettings: [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA])
      output.alwaysCopiesSampleData = false
      #expect(!output.alwaysCopiesSampleData)
      reader.add(output)
      #expect(reader.startReading())
      #expect(output.copyNextSampleBuffer() != nil)
      reader.cancelReading()
      #expect(reader.status == .cancelled)
      #expect(output.copyNextSampleBuffer() == nil)
    }
  }

  @Test func `pictures come in the order of their times, and those that are cancelled say so`() async throws {
    try await withMovieFolder { folder in
      let generator = AVAssetImageGenerator(asset: try await titled(folder))
      let times = (0..<20).map { NSValue(time: CMTime(value: $0, timescale: 30)) }
      let answers: [AVAssetImageGenerator.Result] = await withCheckedContinuation { done in
        nonisolated(unsafe) var answers: [AVAssetImageGenerator.Result] = []  // Safe: one call at a time.
        generator.generateCGImagesAsynchronously(forTimes: times) { _, image, _, result, _ in
          #expect((image != nil) == (result == .succeeded))
          answers.append(result)
          if answers.count == 1 { generator.cancelAllCGImageGeneration() }
          if answers.count == times.count { done.resume(returning: answers) }
        }
      }
      #expect(answers.first == .succeeded)
      #expect(answers.last == .cancelled)
    }
  }

  @Test func `files that cannot be written are refused with a sentence`() throws {
    try withMovieFolder { folder in
      for type in [AVFileType.mp3, .tif, .dng] {
        let error = #expect(throws: (any Error).self) {
          try AVAssetWriter(outputURL: AssetWriterTests.url(folder, "song"), fileType: type)
        }
        #expect(error?.localizedDescription.contains(type.rawValue) == true)
      }
    }
  }

  @Test func `counts of frames and channels fit the buffers that take them`() throws {
    let (two, moments) = (2, 480.0)
    let channels = AVAudioChannelCount(two)
    let frames = AVAudioFrameCount(moments)
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: channels))
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: frames))
    #expect(buffer.frameCapacity == frames && buffer.format.channelCount == channels)
  }
}
