import AVFAudio
import AVFCore
import CoreMedia
import Foundation
import MovieTools
import Testing

@Suite("AVAssetWriter: formats that change")
struct WriterFormatChangeTests {
  private func url(_ folder: String, _ name: String) -> URL { URL(fileURLWithPath: "\(folder)/\(name)") }

  /// A tone of 500 Hz in all channels, from `start` seconds on.
  private func tone(
    _ seconds: Double, at start: Double, rate: Double, channels: Int, isFloat: Bool = false,
    isPlanar: Bool = false
  ) throws -> CMSampleBuffer {
    let count = Int((seconds * rate).rounded())
    let size = isFloat ? 4 : 2
    var basic = AudioStreamBasicDescription()
    basic.mSampleRate = rate
    basic.mFormatID = kAudioFormatLinearPCM
    basic.mFormatFlags =
      kAudioFormatFlagIsPacked | (isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger)
      | (isPlanar ? kAudioFormatFlagIsNonInterleaved : 0)
    basic.mChannelsPerFrame = UInt32(channels)
    basic.mBitsPerChannel = UInt32(size * 8)
    basic.mBytesPerFrame = UInt32(isPlanar ? size : size * channels)
    basic.mBytesPerPacket = basic.mBytesPerFrame
    basic.mFramesPerPacket = 1
    let wave = (0..<count).map { sin(2 * .pi * 500 * (start + Double($0) / rate)) * 0.5 }
    let all =
      isPlanar ? (0..<channels).flatMap { _ in wave } : wave.flatMap { Array(repeating: $0, count: channels) }
    let data: CMBlockBuffer =
      isFloat
      ? all.map { Float($0) }.withUnsafeBytes { CMBlockBuffer(copying: $0) }
      : all.map { Int16($0 * 32_767) }.withUnsafeBytes { CMBlockBuffer(copying: $0) }
    return CMSampleBuffer(
      data: data, formatDescription: try CMFormatDescription(audioStreamBasicDescription: basic),
      sampleCount: count,
      sampleSize: size * channels,
      timing: CMSampleTimingInfo(
        duration: CMTime(value: 1, timescale: CMTimeScale(rate)),
        presentationTimeStamp: CMTime(seconds: start, preferredTimescale: 48_000), decodeTimeStamp: .invalid))
  }

  @Test("Audio whose format changes on the way is converted, and lasts as long as it did", arguments: [0, 1])
  func changes(index: Int) async throws {
    try await withMovieFolder { folder in
      let changes: [(rate: Double, channels: Int, isFloat: Bool, isPlanar: Bool)] = [
        (48_000, 2, false, false), (16_000, 1, false, false), (44_100, 2, true, true),
        (48_000, 1, true, false),
        (8000, 1, false, false),
      ]
      let writer = try AVAssetWriter(outputURL: url(folder, "a.mov"), fileType: .mov)
      let input = AVAssetWriterInput(mediaType: .audio, outputSettings: WriterReuseTests.settings[index])
      writer.add(input)
      writer.startWriting()
      writer.startSession(atSourceTime: .zero)
      for (place, change) in changes.enumerated() {
        for part in 0..<10 {
          try EditingStage.waitUntilReady([input])
          #expect(
            input.append(
              try tone(
                0.04, at: Double(place) * 0.4 + Double(part) * 0.04, rate: change.rate,
                channels: change.channels,
                isFloat: change.isFloat, isPlanar: change.isPlanar)))
        }
      }
      input.markAsFinished()
      await writer.finishWriting()
      #expect(writer.status == .completed, "\(String(describing: writer.error))")
      let asset = AVURLAsset(url: url(folder, "a.mov"))
      #expect(abs(asset.duration.seconds - 2) < 0.03)
      let track = try #require(asset.tracks.first)
      let (samples, _) = try EditingStage.audio(
        asset, AVAssetReaderTrackOutput(track: track, outputSettings: [AVFormatIDKey: kAudioFormatLinearPCM]))
      let rate = index == 0 ? 48_000 : 44_100
      #expect(abs(samples.count - 2 * rate) < rate / 25)
      // The tone goes on through each change, at its pitch and loudness.
      for place in 0..<5 {
        let part = samples[(rate * (4 * place + 1) / 10)..<(rate * (4 * place + 3) / 10)]
        let rises = zip(part, part.dropFirst()).filter { $0 < 0 && $1 >= 0 }.count
        #expect(abs(rises - 100) <= 1, "\(place)")
        #expect(abs(EditingStage.loudness(part) - 10_430) < 1500, "\(place)")
      }
    }
  }

  @Test("Samples that are written as they are fail the writer when their format changes")
  func unconverted() async throws {
    try await withMovieFolder { folder in
      let writer = try AVAssetWriter(outputURL: url(folder, "a.mov"), fileType: .mov)
      let input = AVAssetWriterInput(mediaType: .audio, outputSettings: nil)
      writer.add(input)
      writer.startWriting()
      writer.startSession(atSourceTime: .zero)
      input.append(try tone(0.5, at: 0, rate: 48_000, channels: 2))
      input.append(try tone(0.5, at: 0.5, rate: 16_000, channels: 2))
      await writer.finishWriting()
      #expect(writer.status == .failed && writer.error != nil)
    }
  }
}
