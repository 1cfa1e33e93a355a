import AVFAudio
import AVFCore
import CoreMedia
import CoreVideo
import Foundation
import GraphicsCore
import MovieTools
import Testing

@Suite("AVAssetExportSession")
struct ExportTests {
  private func url(_ folder: String, _ name: String = "out.mp4") -> URL {
    URL(fileURLWithPath: "\(folder)/\(name)")
  }

  @Test("A range is exported with sound, scaled, with metadata, and the tables first")
  func range() async throws {
    try await withMovieFolder { folder in
      let asset = try await EditingStage.movie(folder, frames: 60, hasAudio: true, width: 640, height: 480)
      let session = try #require(
        AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetMediumQuality))
      #expect(session.status == .unknown && session.progress == 0 && session.error == nil)
      #expect(
        session.supportedFileTypes == [.mov, .mp4, .m4v]
          && session.presetName == AVAssetExportPresetMediumQuality)
      let title = AVMutableMetadataItem()
      title.identifier = .commonIdentifierTitle
      title.value = "Cut" as NSString
      session.metadata = [title]
      session.timeRange = EditingStage.range(15, 30)
      session.shouldOptimizeForNetworkUse = true
      #expect(session.metadata?.count == 1 && session.timeRange == EditingStage.range(15, 30))
      #expect(session.shouldOptimizeForNetworkUse)
      let out = url(folder)
      try await session.export(to: out, as: .mp4)
      #expect(session.status == .completed && session.progress == 1)
      #expect(session.outputURL == out && session.outputFileType == .mp4)
      let probe = try Program.probe(out.path)
      #expect(abs(probe.duration - 1) < 0.05)
      #expect(
        probe.stream("video")["width"] as? Int == 426
          && probe.stream("audio")["codec_name"] as? String == "aac")
      let titles = AVMetadataItem.metadataItems(
        from: AVURLAsset(url: out).metadata, filteredByIdentifier: .commonIdentifierTitle)
      #expect(titles.first?.stringValue == "Cut")
      let bytes = try Data(contentsOf: out)
      let tables = try #require(bytes.range(of: Data("moov".utf8)))
      let media = try #require(bytes.range(of: Data("mdat".utf8)))
      #expect(tables.lowerBound < media.lowerBound)
      let exported = AVURLAsset(url: out)
      let pictures = try EditingStage.pictures(exported)
      #expect(pictures.map(\.number) == (15..<45).map { $0 % 16 })
      #expect(pictures.map { ($0.time * 10).rounded() / 10 } == (0..<30).map { Double($0) })
    }
  }

  @Test("Passthrough leaves samples as they are, and a range begins with its own frame")
  func passthrough() async throws {
    try await withMovieFolder { folder in
      let asset = try await EditingStage.movie(folder, frames: 40, hasAudio: true)
      let session = try #require(
        AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetPassthrough))
      session.timeRange = EditingStage.range(13, 10)
      session.outputURL = url(folder, "out.mov")
      session.outputFileType = .mov
      await withCheckedContinuation { continuation in
        session.exportAsynchronously { continuation.resume() }
      }
      #expect(session.status == .completed, "\(String(describing: session.error))")
      let exported = AVURLAsset(url: url(folder, "out.mov"))
      let pictures = try EditingStage.pictures(exported)
      #expect(pictures.map(\.number) == (13..<23).map { $0 % 16 })
      let (was, now) = (asset.tracks[0], exported.tracks[0])
      let formats = [was, now].compactMap { $0.formatDescriptions.first as? CMFormatDescription }
      #expect(formats.count == 2 && formats[0].parameterSets == formats[1].parameterSets)
    }
  }

  @Test("A composition with pictures over each other is exported")
  func composed() async throws {
    try await withMovieFolder { folder in
      let turn = CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 48, ty: 0)
      let asset = try await EditingStage.movie(folder, frames: 20, hasAudio: true, transform: turn)
      let composition = AVMutableComposition()
      try composition.insertTimeRange(EditingStage.range(4, 10), of: asset, at: .zero)
      let mix = AVMutableAudioMix()
      let silent = AVMutableAudioMixInputParameters(
        track: composition.tracks.first { $0.mediaType == .audio })
      silent.setVolume(0, at: .zero)
      mix.inputParameters = [silent]
      let session = try #require(
        AVAssetExportSession(asset: composition, presetName: AVAssetExportPresetHighestQuality))
      session.videoComposition = AVMutableVideoComposition(propertiesOf: composition)
      session.audioMix = mix
      #expect(session.videoComposition != nil && session.audioMix === mix)
      session.outputURL = url(folder, "out.mov")
      session.outputFileType = .mov
      await session.export()
      #expect(session.status == .completed, "\(String(describing: session.error))")
      let exported = AVURLAsset(url: url(folder, "out.mov"))
      #expect(exported.tracks[0].naturalSize == CGSize(width: 48, height: 64))
      #expect(exported.tracks[0].preferredTransform == .identity)
      #expect(try EditingStage.pictures(exported).map(\.number) == Array(4..<14))
      let audio = try EditingStage.audio(
        exported,
        AVAssetReaderTrackOutput(
          track: exported.tracks[1], outputSettings: [AVFormatIDKey: kAudioFormatLinearPCM]))
      #expect(EditingStage.loudness(audio.samples[...]) < 5)
    }
  }

  @Test("Audio alone becomes an M4A, ProRes a movie with linear PCM, HEVC an MP4")
  func others() async throws {
    try await withMovieFolder { folder in
      let asset = try await EditingStage.movie(folder, frames: 10, hasAudio: true)
      for (preset, type, name, codec) in [
        (AVAssetExportPresetAppleM4A, AVFileType.m4a, "a.m4a", "aac"),
        (AVAssetExportPresetAppleProRes422LPCM, .mov, "b.mov", "prores"),
        (AVAssetExportPresetHEVCHighestQuality, .mp4, "c.mp4", "hevc"),
      ] {
        let session = try #require(AVAssetExportSession(asset: asset, presetName: preset))
        try await session.export(to: url(folder, name), as: type)
        let codecs = try Program.probe(url(folder, name).path).streams.compactMap {
          $0["codec_name"] as? String
        }
        #expect(codecs.contains(codec) && codecs.count == (type == .m4a ? 1 : 2))
      }
    }
  }

  @Test("A limit of the length lowers the rate")
  func limit() async throws {
    try await withMovieFolder { folder in
      let path = "\(folder)/noise.mov"
      try Program.make(
        path,
        [
          "-f", "lavfi", "-i", "testsrc2=size=320x240:rate=30:duration=2,noise=alls=100:allf=t+u", "-c:v",
          "libx264", "-preset", "ultrafast", "-qp", "20",
        ])
      let asset = AVURLAsset(url: URL(fileURLWithPath: path))
      func size(_ limit: Int64) async throws -> Int {
        let session = try #require(
          AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetHighestQuality))
        session.fileLengthLimit = limit
        #expect(session.fileLengthLimit == limit)
        let out = url(folder, "limit-\(limit).mp4")
        try await session.export(to: out, as: .mp4)
        return try Data(contentsOf: out).count
      }
      let (free, limited) = (try await size(0), try await size(20_000))
      #expect(limited < free)
    }
  }

  @Test("What cannot be exported is an error, without a file; a file that is there stays")
  func errors() async throws {
    try await withMovieFolder { folder in
      let asset = try await EditingStage.movie(folder, frames: 5)
      #expect(AVAssetExportSession(asset: asset, presetName: "Magic") == nil)
      let taken = url(folder, "taken.mp4")
      try Data("mine".utf8).write(to: taken)
      let blocked = try #require(
        AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetLowQuality))
      let exists = await #expect(throws: AVError.self) { try await blocked.export(to: taken, as: .mp4) }
      #expect(exists?.code == .fileAlreadyExists && blocked.status == .failed && blocked.error != nil)
      #expect(try Data(contentsOf: taken) == Data("mine".utf8))
      let silent = try #require(AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetAppleM4A))
      let nothing = await #expect(throws: AVError.self) {
        try await silent.export(to: url(folder, "none.m4a"), as: .m4a)
      }
      #expect(nothing?.code == .operationNotSupportedForAsset)
      #expect(!FileManager.default.fileExists(atPath: url(folder, "none.m4a").path))
      let mixed = try #require(AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetPassthrough))
      mixed.videoComposition = AVMutableVideoComposition(propertiesOf: asset)
      let both = await #expect(throws: AVError.self) { try await mixed.export(to: url(folder), as: .mov) }
      #expect(both?.code == .exportFailed)
      let missing = AVURLAsset(url: url(folder, "missing.mov"))
      let session = try #require(
        AVAssetExportSession(asset: missing, presetName: AVAssetExportPresetLowQuality))
      let none = await #expect(throws: NSError.self) { try await session.export(to: url(folder), as: .mp4) }
      #expect(none?.domain == NSURLErrorDomain && none?.code == NSURLErrorFileDoesNotExist)
    }
  }

  @Test("A cancelled export ends soon and leaves no file; states end with it")
  func cancel() async throws {
    try await withMovieFolder { folder in
      // Two hours and more, so that no machine has them done before it is noticed that they have begun.
      let long = AVMutableComposition()
      try long.insertTimeRange(
        EditingStage.range(0, 30), of: await EditingStage.movie(folder, width: 640, height: 480), at: .zero)
      for _ in 0..<13 {
        let before = CMTimeRange(start: .zero, duration: long.duration)
        try long.insertTimeRange(before, of: long, at: long.duration)
      }
      #expect(long.duration == CMTime(value: 1 << 13, timescale: 1))
      let session = try #require(AVAssetExportSession(asset: long, presetName: AVAssetExportPreset640x480))
      let out = url(folder)
      let task = Task { try await session.export(to: out, as: .mp4) }
      var last = -1.0
      for await state in session.states(updateInterval: 0.01) {
        guard case .exporting(let progress) = state else { continue }
        #expect(progress.fractionCompleted >= last)
        last = progress.fractionCompleted
        if last > 0 { session.cancelExport() }
      }
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(session.status == .cancelled && last > 0 && last < 1)
      #expect(!FileManager.default.fileExists(atPath: out.path))
    }
  }

  @Test("Presets say which assets and files they suit")
  func presets() async throws {
    try await withMovieFolder { folder in
      let asset = try await EditingStage.movie(folder, frames: 5)
      let suiting = AVAssetExportSession.exportPresets(compatibleWith: asset)
      #expect(suiting.contains(AVAssetExportPreset1280x720) && !suiting.contains(AVAssetExportPresetAppleM4A))
      #expect(AVAssetExportSession.allExportPresets().contains(AVAssetExportPresetAppleM4A))
      let fits = await AVAssetExportSession.compatibility(
        ofExportPreset: AVAssetExportPresetPassthrough, with: asset, outputFileType: .mp4)
      let wrong = await AVAssetExportSession.compatibility(
        ofExportPreset: AVAssetExportPresetHEVC1920x1080, with: asset, outputFileType: .m4a)
      #expect(fits && !wrong)
    }
  }

  @Test(
    "Pictures fit into a preset's box, lying or standing, and are never enlarged",
    arguments: [
      (AVAssetExportPreset640x480, 1280, 720, 640, 360), (AVAssetExportPreset960x540, 720, 1280, 540, 960),
      (AVAssetExportPreset1280x720, 1920, 1080, 1280, 720),
      (AVAssetExportPreset1920x1080, 320, 240, 320, 240),
      (AVAssetExportPresetHEVC1920x1080, 3840, 2160, 1920, 1080),
      (AVAssetExportPreset3840x2160, 640, 360, 640, 360), (AVAssetExportPresetHEVC3840x2160, 64, 48, 64, 48),
      (AVAssetExportPresetLowQuality, 1280, 720, 224, 126),
    ])
  func boxes(preset: String, width: Int, height: Int, wanted: Int, high: Int) async throws {
    try await withMovieFolder { folder in
      let asset = try await EditingStage.movie(folder, frames: 2, width: width, height: height)
      let session = try #require(AVAssetExportSession(asset: asset, presetName: preset))
      try await session.export(to: url(folder), as: .mp4)
      let exported = AVURLAsset(url: url(folder))
      #expect(exported.tracks[0].naturalSize == CGSize(width: wanted, height: high))
    }
  }
}
