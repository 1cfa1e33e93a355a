import AVFAudio
import AVFCore
import CoreMedia
import CoreVideo
import Foundation
import FoundationExtras
import MovieTools
import Testing

@Suite("Mistakes with media")
struct MediaMistakeTests {
  private func count(_ body: () throws -> Void) rethrows -> Int {
    try ProgrammingMistake.collect(body).count
  }

  @Test("A writer's input lacks nothing that its encoder must know")
  func inputSettings() {
    let video = AssetWriterTests.videoSettings
    for key in [AVVideoCodecKey, AVVideoWidthKey, AVVideoHeightKey] {
      var settings = video
      settings[key] = nil
      #expect(count { _ = AVAssetWriterInput(mediaType: .video, outputSettings: settings) } == 1, "\(key)")
    }
    let audio = AssetWriterTests.audioSettings
    for key in [AVFormatIDKey, AVSampleRateKey, AVNumberOfChannelsKey] {
      var settings = audio
      settings[key] = nil
      #expect(count { _ = AVAssetWriterInput(mediaType: .audio, outputSettings: settings) } == 1, "\(key)")
    }
    #expect(count { _ = AVAssetWriterInput(mediaType: .video, outputSettings: [:]) } == 1)
    #expect(count { _ = AVAssetWriterInput(mediaType: .metadata, outputSettings: video) } == 1)
    #expect(
      count {
        _ = AVAssetWriterInput(mediaType: .video, outputSettings: video)
        _ = AVAssetWriterInput(mediaType: .audio, outputSettings: audio)
        _ = AVAssetWriterInput(mediaType: .video, outputSettings: nil)
      } == 0)
  }

  @Test("An adaptor comes before writing starts, one for each input")
  func adaptors() throws {
    try withMovieFolder { folder in
      let (writer, input, adaptor) = try AssetWriterTests.videoWriter(URL(fileURLWithPath: "\(folder)/a.mov"))
      #expect(count { _ = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: input) } == 1)
      #expect(adaptor.assetWriterInput === input)
      let late = AVAssetWriterInput(mediaType: .audio, outputSettings: AssetWriterTests.audioSettings)
      let metadata = AVAssetWriterInput(mediaType: .metadata, outputSettings: nil)
      let pictures = AVAssetWriterInput(mediaType: .video, outputSettings: AssetWriterTests.videoSettings)
      for one in [late, metadata, pictures] { writer.add(one) }
      writer.startWriting()
      #expect(count { _ = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: pictures) } == 1)
      #expect(count { _ = AVAssetWriterInputMetadataAdaptor(assetWriterInput: metadata) } == 1)
      writer.cancelWriting()
    }
  }

  @Test("A reader's outputs give pixels, linear PCM, or samples as they are, and only while it reads")
  func outputs() async throws {
    try await withMovieFolder { folder in
      let asset = try await EditingStage.movie(folder, frames: 5, hasAudio: true)
      let video = try #require(asset.tracks(withMediaType: .video).first)
      let audio = try #require(asset.tracks(withMediaType: .audio).first)
      let wrong: [(AVAssetTrack, [String: Any])] = [
        (video, AssetWriterTests.videoSettings), (video, [AVVideoCodecKey: AVVideoCodecType.jpeg]),
        (audio, AssetWriterTests.audioSettings), (audio, [AVSampleRateKey: 44_100]), (audio, [:]),
      ]
      for (track, settings) in wrong {
        var output: AVAssetReaderTrackOutput?
        #expect(count { output = AVAssetReaderTrackOutput(track: track, outputSettings: settings) } == 1)
        #expect(try !AVAssetReader(asset: asset).canAdd(try #require(output)))
      }
      #expect(
        count {
          _ = AVAssetReaderAudioMixOutput(
            audioTracks: [audio], audioSettings: AssetWriterTests.audioSettings)
          _ = AVAssetReaderVideoCompositionOutput(
            videoTracks: [video], videoSettings: AssetWriterTests.videoSettings)
        } == 2)
      let right: [(AVAssetTrack, [String: Any]?)] = [
        (video, nil), (video, [:]), (video, [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA]),
        (audio, nil), (audio, [AVFormatIDKey: kAudioFormatLinearPCM]),
      ]
      for (track, settings) in right {
        let output = AVAssetReaderTrackOutput(track: track, outputSettings: settings)
        func isMistake() -> Bool {
          var sample: CMSampleBuffer?
          let mistakes = ProgrammingMistake.collect { sample = output.copyNextSampleBuffer() }
          return mistakes.count == 1 && sample == nil
        }
        #expect(isMistake(), "without a reader")
        let reader = try AVAssetReader(asset: asset)
        reader.add(output)
        #expect(isMistake(), "before it starts")
        reader.startReading()
        #expect(output.copyNextSampleBuffer() != nil)
        reader.cancelReading()
        #expect(output.copyNextSampleBuffer() == nil && !isMistake(), "after its end")
      }
    }
  }

  @Test("A seek with a completion handler waits until the item is ready; observers have times")
  @MainActor func playing() async throws {
    try await PlayerStage.inFolder { stage in
      let item = AVPlayerItem(url: try stage.movie())
      let ends = Diary<Bool>()
      #expect(count { item.seek(to: seconds(1)) { ends.note($0) } } == 1, "outside of a player")
      let player = AVPlayer()
      player.sourceClock = stage.clock
      #expect(
        count {
          _ = player.addBoundaryTimeObserver(forTimes: [], queue: nil) {}
          _ = player.addPeriodicTimeObserver(forInterval: .zero, queue: nil) { _ in }
          _ = player.addPeriodicTimeObserver(forInterval: .invalid, queue: nil) { _ in }
        } == 3)
      player.replaceCurrentItem(with: item)
      await stage.ready(item)
      await stage.drain()
      #expect(ends.entries == [false])
      #expect(await player.seek(to: seconds(0.5), toleranceBefore: .zero, toleranceAfter: .zero))
      #expect(count { item.seek(to: seconds(1)) { ends.note($0) } } == 0)
    }
  }
}
