import AVFAudio
import AVFCore
import CoreMedia
import Foundation
import GraphicsCore
import MovieTools
import Testing

@Suite("Loading without blocking")
struct ModernLoadingTests {
  private func movie(_ folder: String) async throws -> AVURLAsset {
    let url = AssetWriterTests.url(folder, "loaded.mov")
    try await AssetWriterTests.movie(url) { writer, _ in
      writer.metadata = [
        Self.item(.commonIdentifierTitle, "Garden"), Self.item(.commonIdentifierLocation, "+47.0+008.0/"),
      ]
    }
    return AVURLAsset(url: url)
  }

  private static func item(_ identifier: AVMetadataIdentifier, _ value: String) -> AVMetadataItem {
    let item = AVMutableMetadataItem()
    item.identifier = identifier
    item.value = NSString(string: value)
    return item
  }

  @Test func `a property is not loaded until it is asked for`() async throws {
    try await withMovieFolder { folder in
      let asset = try await movie(folder)
      guard case .notYetLoaded = asset.status(of: .duration) else {
        Issue.record("\(asset.status(of: .duration))")
        return
      }
      let duration = try await asset.load(.duration)
      guard case .loaded(let loaded) = asset.status(of: .duration) else {
        Issue.record("\(asset.status(of: .duration))")
        return
      }
      #expect(loaded == duration && duration == CMTime(value: 1, timescale: 1))
    }
  }

  @Test func `what cannot be loaded says why`() async throws {
    let asset = AVURLAsset(url: URL(fileURLWithPath: "/nowhere/missing.mov"))
    await #expect(throws: (any Error).self) {
      try await asset.load(.duration, .tracks, .isPlayable, .metadata)
    }
    guard case .failed(let error) = asset.status(of: .tracks) else {
      Issue.record("\(asset.status(of: .tracks))")
      return
    }
    #expect(error.domain == NSURLErrorDomain && error.code == NSURLErrorFileDoesNotExist)
  }

  @Test func `any number of properties is loaded at once`() async throws {
    try await withMovieFolder { folder in
      let asset = try await movie(folder)
      let (duration, tracks, isPlayable, isExportable, isComposable, isProtected) = try await asset.load(
        .duration, .tracks, .isPlayable, .isExportable, .isComposable, .hasProtectedContent)
      #expect(duration.seconds == 1 && isPlayable && isExportable && isComposable && !isProtected)
      let track = try #require(tracks.first)
      let (segments, formats, size, length) = try await track.load(
        .segments, .formatDescriptions, .naturalSize, .totalSampleDataLength)
      #expect(segments.map(\.timeMapping.target) == track.segments.map(\.timeMapping.target))
      #expect(segments.count == 1 && formats.count == 1 && length == track.totalSampleDataLength)
      #expect(size == CGSize(width: 64, height: 48))
      let (range, isEnabled) = try await track.load(.timeRange, .isEnabled)
      #expect(range == track.timeRange && isEnabled)
    }
  }

  @Test func `a metadata item gives its values at once`() async throws {
    let item = Self.item(.commonIdentifierTitle, "12")
    let value = try await item.load(.value)
    #expect((value as? NSString)?.isEqual(to: "12") == true)
    let (text, number, date, data) = try await item.load(.stringValue, .numberValue, .dateValue, .dataValue)
    #expect(text == "12" && number?.intValue == 12 && date == nil && data == Data("12".utf8))
    guard case .loaded(let loaded) = item.status(of: .stringValue) else {
      Issue.record("an item has its values from the beginning")
      return
    }
    #expect(loaded == "12")
  }

  @Test func `tracks have the characteristics of their media`() async throws {
    try await withMovieFolder { folder in
      let asset = try await movie(folder)
      let track = try #require(asset.tracks.first)
      #expect(track.hasMediaCharacteristic(.visual) && track.hasMediaCharacteristic(.frameBased))
      #expect(!track.hasMediaCharacteristic(.audible) && !track.hasMediaCharacteristic(.containsHDRVideo))
      #expect(!track.hasMediaCharacteristic(AVMediaCharacteristic("unheard-of")))
      #expect(try await asset.loadTracks(withMediaCharacteristic: .visual).count == 1)
      #expect(asset.tracks(withMediaCharacteristic: .audible).isEmpty)
    }
  }

  @Test func `one picture is made and handed to a closure, or an error`() async throws {
    try await withMovieFolder { folder in
      let generator = AVAssetImageGenerator(asset: try await movie(folder))
      generator.requestedTimeToleranceBefore = .zero
      generator.requestedTimeToleranceAfter = .zero
      func make(_ time: CMTime) async -> (width: Int?, time: CMTime, code: AVError.Code?) {
        await withCheckedContinuation { done in
          generator.generateCGImageAsynchronously(for: time) { image, actual, error in
            done.resume(returning: (image?.width, actual, (error as? AVError)?.code))
          }
        }
      }
      let made = await make(CMTime(value: 7, timescale: 30))
      #expect(made.width == 64 && made.code == nil && abs(made.time.seconds - 7.0 / 30) < 0.001)
      let missing = await make(CMTime(value: 9, timescale: 1))
      #expect(missing.width == nil && missing.code == .noImageAtTime && !missing.time.isValid)
    }
  }

  @Test func `the filter for sharing leaves out the place`() async throws {
    try await withMovieFolder { folder in
      let asset = try await movie(folder)
      let shared = AVMetadataItem.metadataItems(from: asset.metadata, filteredBy: .forSharing())
      #expect(shared.contains { $0.commonKey == .commonKeyTitle })
      #expect(!shared.contains { $0.commonKey == .commonKeyLocation })
      let session = try #require(
        AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetPassthrough))
      #expect(session.metadataItemFilter == nil)
      session.metadataItemFilter = .forSharing()
      let target = AssetWriterTests.url(folder, "shared.mov")
      try await session.export(to: target, as: .mov)
      let keys = AVURLAsset(url: target).metadata.compactMap(\.commonKey)
      #expect(keys.contains(.commonKeyTitle) && !keys.contains(.commonKeyLocation))
    }
  }

  @Test func `the tracks of a composition have its type`() async throws {
    try await withMovieFolder { folder in
      let asset = try await movie(folder)
      let composition = AVMutableComposition()
      try composition.insertTimeRange(
        CMTimeRange(start: .zero, duration: CMTime(value: 1, timescale: 1)), of: asset, at: .zero)
      let editable: [AVMutableCompositionTrack] = composition.tracks(withMediaType: .video)
      #expect(editable.count == 1 && composition.tracks(withMediaType: .audio).isEmpty)
      composition.tracks.first?.preferredTransform = CGAffineTransform(rotationAngle: .pi)
      let track: AVMutableCompositionTrack? = composition.track(withTrackID: 1)
      #expect(track?.preferredTransform == CGAffineTransform(rotationAngle: .pi))
      let still = try #require(composition.copy() as? AVComposition)
      let kept: [AVCompositionTrack] = still.tracks
      #expect(kept.count == 1 && still.tracks(withMediaType: .video).count == 1)
      let base: AVAsset = composition
      #expect(base.tracks.count == 1 && base.tracks(withMediaType: .video).first === editable.first)
    }
  }

  @Test func `an assistant's settings fit the source, and a writer takes them`() throws {
    let presets = AVOutputSettingsAssistant.availableOutputSettingsPresets()
    #expect(presets.contains(.preset1280x720) && presets.contains(.hevc3840x2160))
    #expect(AVOutputSettingsAssistant(preset: AVOutputSettingsPreset(rawValue: "unheard-of")) == nil)
    let assistant = try #require(AVOutputSettingsAssistant(preset: .preset1280x720))
    func size() -> [Int?] {
      [AVVideoWidthKey, AVVideoHeightKey].map { assistant.videoSettings?[$0] as? Int }
    }
    #expect(size() == [1280, 720] && assistant.outputFileType == .mov)
    assistant.sourceVideoFormat = try CMFormatDescription(
      videoCodecType: .h264, width: 1080, height: 1920)
    #expect(size() == [720, 1280], "an upright source turns the preset's box")
    assistant.sourceVideoAverageFrameDuration = CMTime(value: 1, timescale: 60)
    assistant.sourceVideoMinFrameDuration = CMTime(value: 1, timescale: 120)
    let compression = try #require(
      assistant.videoSettings?[AVVideoCompressionPropertiesKey] as? [String: Any])
    #expect(compression[AVVideoExpectedSourceFrameRateKey] as? Int == 120)
    assistant.sourceAudioFormat = try CMFormatDescription(
      audioStreamBasicDescription: TestMovie.stereo(rate: 96_000))
    #expect(assistant.audioSettings?[AVSampleRateKey] as? Double == 48_000)
    let writer = try AVAssetWriter(outputURL: URL(fileURLWithPath: "/nowhere/a.mov"), fileType: .mov)
    #expect(writer.canApply(outputSettings: assistant.videoSettings, forMediaType: .video))
    #expect(writer.canApply(outputSettings: assistant.audioSettings, forMediaType: .audio))
  }

  @Test func `a player keeps no display on, and an item its bound of a network's rate`() {
    let player = AVPlayer()
    #expect(!player.preventsDisplaySleepDuringVideoPlayback)
    player.preventsDisplaySleepDuringVideoPlayback = true
    #expect(!player.preventsDisplaySleepDuringVideoPlayback)
    let item = AVPlayerItem(url: URL(fileURLWithPath: "/nowhere/a.mov"))
    #expect(item.preferredPeakBitRate == 0)
    item.preferredPeakBitRate = 2_000_000
    #expect(item.preferredPeakBitRate == 2_000_000)
  }
}
