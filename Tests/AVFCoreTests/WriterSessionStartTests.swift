import AVFAudio
import AVFCore
import CoreMedia
import Foundation
import MovieTools
import Testing

@Suite("AVAssetWriter: samples that begin before the session")
struct WriterSessionStartTests {
  private func url(_ folder: String, _ name: String) -> URL { URL(fileURLWithPath: "\(folder)/\(name)") }

  @Test(
    "Coded samples may begin before the session: sound that lies a little earlier is cut off",
    arguments: [0.005, 0.01, 0.021, 0.05, -0.01, -0.05])
  func earlySound(lead: Double) async throws {
    try await withMovieFolder { folder in
      let path = "\(folder)/source.mov"
      try Program.make(
        path,
        [
          "-f", "lavfi", "-i",
          "color=black:size=64x48:rate=25:duration=2,format=yuv420p,geq=lum='25+mod(N\\,16)*13':cb=128:cr=128",
          "-itsoffset", "\(0.5 - lead)", "-f", "lavfi", "-i",
          "sine=frequency=500:sample_rate=48000:duration=1.2",
          "-c:v", "libx264", "-g", "5", "-bf", "2", "-c:a", lead == 0.05 ? "aac" : "pcm_s16le",
        ])
      let asset = AVURLAsset(url: URL(fileURLWithPath: path))
      for type in [AVFileType.mov, .mp4] where type == .mov || lead == 0.05 {
        let session = try #require(
          AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetPassthrough))
        session.timeRange = CMTimeRange(
          start: CMTime(value: 300, timescale: 600), duration: CMTime(value: 600, timescale: 600))
        let out = url(folder, "out.\(type == .mov ? "mov" : "mp4")")
        try await session.export(to: out, as: type)
        let made = AVURLAsset(url: out)
        #expect(abs(made.duration.seconds - 1) < 0.002)
        let sound = try #require(made.tracks(withMediaType: .audio).first)
        #expect(abs(sound.timeRange.start.seconds - max(0, -lead)) < 0.002)
        #expect(abs(sound.timeRange.end.seconds - 1) < 0.025)
        // The first frame that is shown is the one of half a second; the one before it is cut off.
        let numbers = try EditingStage.pictures(made).filter { abs($0.time / 30 - 0.02) < 0.001 }.map(
          \.number)
        #expect(numbers == [13])
      }
    }
  }

  @Test(
    "A client's own samples may begin before the session, as packets or as linear PCM",
    arguments: [true, false])
  func earlySamples(isCoded: Bool) async throws {
    try await withMovieFolder { folder in
      let writer = try AVAssetWriter(outputURL: url(folder, "a.mov"), fileType: .mov)
      let video = AVAssetWriterInput(
        mediaType: .video,
        outputSettings: [AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: 64, AVVideoHeightKey: 48])
      let adaptor = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: video)
      var settings: [String: Any]?
      if isCoded { settings = WriterReuseTests.settings[0] }
      let audio = AVAssetWriterInput(mediaType: .audio, outputSettings: settings)
      writer.add(video)
      writer.add(audio)
      writer.startWriting()
      writer.startSession(atSourceTime: CMTime(value: 100, timescale: 30))
      for number in 0..<30 {
        try EditingStage.waitUntilReady([video, audio])
        let sound = try TestMovie.tone(from: 160_000 - 480 + number * 1600, count: 1600)
        #expect(audio.append(sound))
        let picture = try TestMovie.picture(number)
        let time = CMTime(value: Int64(100 + number), timescale: 30)
        #expect(adaptor.append(picture, withPresentationTime: time))
      }
      video.markAsFinished()
      audio.markAsFinished()
      await writer.finishWriting()
      #expect(writer.status == .completed, "\(String(describing: writer.error))")
      let made = AVURLAsset(url: url(folder, "a.mov"))
      func check(_ asset: AVAsset) throws {
        for track in asset.tracks {
          #expect(track.timeRange.start.seconds < 0.001)
          #expect(abs(track.timeRange.end.seconds - 1) < 0.012, "\(track.mediaType.rawValue)")
        }
        let sound = try #require(asset.tracks(withMediaType: .audio).first)
        let (samples, start) = try EditingStage.audio(
          asset,
          AVAssetReaderTrackOutput(track: sound, outputSettings: [AVFormatIDKey: kAudioFormatLinearPCM]))
        #expect(abs(start) < 0.001 && abs(samples.count - 47_520) < 1100)
        if !isCoded { #expect(samples[0] == 3200) }
      }
      try check(made)
      for (preset, type, name) in [
        (AVAssetExportPresetPassthrough, AVFileType.mov, "b.mov"),
        (AVAssetExportPresetPassthrough, .mp4, "c.mp4"),
        (AVAssetExportPresetMediumQuality, .mp4, "d.mp4"),
      ] where isCoded || type == .mov || preset != AVAssetExportPresetPassthrough {
        let session = try #require(AVAssetExportSession(asset: made, presetName: preset))
        try await session.export(to: url(folder, name), as: type)
        if preset == AVAssetExportPresetPassthrough { try check(AVURLAsset(url: url(folder, name))) }
      }
    }
  }
}
