import AVFAudio
import AVFCore
import CoreMedia
import CoreVideo
import Foundation
import GraphicsCore
import MovieTools
import Testing

@Suite("Assets")
struct AssetReadingTests {
  /// Three seconds by ffmpeg, with reordered frames and one key frame a second; each frame's lightness is its number.
  private func theirs(_ folder: String, _ more: [String] = []) throws -> AVURLAsset {
    let path = "\(folder)/theirs.mp4"
    try Program.make(
      path,
      [
        "-f", "lavfi", "-i",
        "color=black:size=64x48:rate=25:duration=3,format=yuv420p,geq=lum='25+mod(N\\,16)*13':cb=128:cr=128",
        "-f", "lavfi", "-i", "sine=duration=3:sample_rate=48000", "-c:v", "libx264", "-g", "25", "-bf", "2",
        "-sc_threshold", "0", "-c:a", "aac", "-metadata", "title=Numbers",
      ] + more)
    return AVURLAsset(url: URL(fileURLWithPath: path))
  }

  @Test("Properties are right, loaded or asked for at once")
  func properties() async throws {
    try await withMovieFolder { folder in
      let asset = try theirs(folder)
      #expect(asset.statusOfValue(forKey: "duration", error: nil) == .unknown)
      let (duration, tracks) = try await asset.load(.duration, .tracks)
      #expect(abs(duration.seconds - 3) < 0.05)
      #expect(tracks.map(\.mediaType) == [.video, .audio])
      #expect(asset.statusOfValue(forKey: "duration", error: nil) == .loaded)
      let video = try #require(try await asset.loadTracks(withMediaType: .video).first)
      let (size, rate, range) = try await video.load(.naturalSize, .nominalFrameRate, .timeRange)
      #expect(size == CGSize(width: 64, height: 48))
      #expect(abs(rate - 25) < 0.01)
      #expect(range.start == .zero && abs(range.duration.seconds - 3) < 0.001)
      #expect(video.minFrameDuration == CMTime(value: 1, timescale: 25))
      #expect(video.requiresFrameReordering)
      #expect(video.isPlayable && asset.isPlayable)
      let format = try #require(try await video.load(.formatDescriptions).first)
      #expect(CMFormatDescriptionGetMediaSubType(format) == kCMVideoCodecType_H264)
      #expect(asset.track(withTrackID: video.trackID)?.trackID == video.trackID)
      let title = AVMetadataItem.metadataItems(
        from: try await asset.load(.metadata), filteredByIdentifier: .commonIdentifierTitle)
      #expect(title.first?.stringValue == "Numbers")
    }
  }

  @Test("A missing file, and one that is no movie, are errors with a code")
  func errors() async throws {
    try await withMovieFolder { folder in
      let missing = AVAsset(url: URL(fileURLWithPath: "\(folder)/missing.mov"))
      #expect(missing is AVURLAsset)
      #expect(missing.tracks.isEmpty && !missing.duration.isValid)
      await #expect(throws: AVError.self) { try await missing.load(.duration) }
      let letter = URL(fileURLWithPath: "\(folder)/letter.mov")
      try Data("Dear reader".utf8).write(to: letter)
      let error = await #expect(throws: AVError.self) { try await AVURLAsset(url: letter).load(.tracks) }
      #expect(error?.code == .fileFormatNotRecognized)
      #expect(throws: AVError.self) { try AVAssetReader(asset: AVURLAsset(url: letter)) }
    }
  }

  @Test("A reader gives every decoded frame once, in order, and the audio beside it")
  func reader() throws {
    try withMovieFolder { folder in
      let asset = try theirs(folder)
      let reader = try AVAssetReader(asset: asset)
      let video = AVAssetReaderTrackOutput(
        track: asset.tracks[0],
        outputSettings: [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA])
      let audio = AVAssetReaderTrackOutput(
        track: asset.tracks[1], outputSettings: [AVFormatIDKey: kAudioFormatLinearPCM])
      reader.add(video)
      reader.add(audio)
      #expect(reader.outputs == [video, audio])
      #expect(video.copyNextSampleBuffer() == nil)
      #expect(reader.startReading())
      var times: [CMTime] = []
      var numbers: [Int] = []
      while let sample = video.copyNextSampleBuffer() {
        times.append(sample.presentationTimeStamp)
        numbers.append(TestMovie.number(of: try #require(sample.imageBuffer)))
      }
      #expect(times == (0..<75).map { CMTime(value: $0, timescale: 25) })
      #expect(numbers == (0..<75).map { $0 % 16 })
      #expect(reader.status == .reading)
      var frames = 0
      while let sample = audio.copyNextSampleBuffer() { frames += sample.numSamples }
      #expect((144_000...146_100).contains(frames))
      #expect(reader.status == .completed)
      #expect(audio.copyNextSampleBuffer() == nil)
    }
  }

  @Test("A time range is kept to the frame and to the sample")
  func timeRange() throws {
    try withMovieFolder { folder in
      let asset = try theirs(folder)
      let reader = try AVAssetReader(asset: asset)
      reader.timeRange = CMTimeRange(
        start: CMTime(value: 36, timescale: 25), duration: CMTime(value: 10, timescale: 25))
      let video = AVAssetReaderTrackOutput(
        track: asset.tracks[0],
        outputSettings: [
          kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        ])
      let audio = AVAssetReaderTrackOutput(
        track: asset.tracks[1], outputSettings: [AVFormatIDKey: kAudioFormatLinearPCM])
      reader.add(video)
      reader.add(audio)
      reader.startReading()
      var times: [CMTime] = []
      while let sample = video.copyNextSampleBuffer() { times.append(sample.presentationTimeStamp) }
      #expect(times == (36..<46).map { CMTime(value: $0, timescale: 25) })
      var frames = 0
      while let sample = audio.copyNextSampleBuffer() { frames += sample.numSamples }
      #expect(frames == 19_200)
    }
  }

  @Test("With random access an output reads again, and the reader is completed when it may not any more")
  func randomAccess() throws {
    try withMovieFolder { folder in
      let asset = try theirs(folder)
      let reader = try AVAssetReader(asset: asset)
      reader.timeRange = CMTimeRange(start: .zero, duration: CMTime(value: 3, timescale: 25))
      let video = AVAssetReaderTrackOutput(
        track: asset.tracks[0],
        outputSettings: [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA])
      video.supportsRandomAccess = true
      reader.add(video)
      reader.startReading()
      func frames() -> [Int64] {
        var frames: [Int64] = []
        while let sample = video.copyNextSampleBuffer() {
          frames.append(sample.presentationTimeStamp.convertScale(25, method: .default).value)
        }
        return frames
      }
      #expect(frames() == [0, 1, 2])
      #expect(reader.status == .reading)
      video.reset(
        forReadingTimeRanges: [(60, 2), (30, 3)].map { start, count in
          NSValue(
            timeRange: CMTimeRange(
              start: CMTime(value: start, timescale: 25), duration: CMTime(value: count, timescale: 25)))
        })
      #expect(frames() == [60, 61, 30, 31, 32])
      video.markConfigurationAsFinal()
      #expect(reader.status == .completed)
    }
  }

  @Test("With zero tolerance the generator gives the very frame, in any order of times")
  func exactImages() throws {
    try withMovieFolder { folder in
      let generator = AVAssetImageGenerator(asset: try theirs(folder))
      generator.requestedTimeToleranceBefore = .zero
      generator.requestedTimeToleranceAfter = .zero
      for number in [0, 37, 74, 24, 25, 26, 1, 50, 13] {
        var actual = CMTime.invalid
        // A little behind the frame's beginning: the frame is still on show.
        let time = CMTime(value: Int64(number) * 10 + 3, timescale: 250)
        let image = try generator.copyCGImage(at: time, actualTime: &actual)
        #expect(actual == CMTime(value: Int64(number), timescale: 25))
        #expect(image.width == 64 && image.height == 48)
      }
      let late = #expect(throws: AVError.self) {
        try generator.copyCGImage(at: CMTime(value: 10, timescale: 1), actualTime: nil)
      }
      #expect(late?.code == .noImageAtTime)
    }
  }

  @Test("By default the generator gives the key frame, turned and sized as asked")
  func tolerantImages() async throws {
    try await withMovieFolder { folder in
      let plain = try theirs(folder)
      let turned = URL(fileURLWithPath: "\(folder)/turned.mp4")
      try Program.make(turned.path, ["-i", plain.url.path, "-c", "copy", "-metadata:s:v", "rotate=90"])
      let generator = AVAssetImageGenerator(asset: AVURLAsset(url: turned))
      generator.maximumSize = CGSize(width: 32, height: 0)
      let (small, time) = try await generator.image(at: CMTime(value: 37, timescale: 25))
      #expect(time == CMTime(value: 25, timescale: 25))
      #expect(small.width == 32 && small.height == 24)
      generator.maximumSize = .zero
      generator.appliesPreferredTrackTransform = true
      let (upright, _) = try await generator.image(at: .zero)
      #expect(upright.width == 48 && upright.height == 64)
    }
  }

  @Test("Many images come in the order of their times; cancelled ones say so")
  func manyImages() async throws {
    try await withMovieFolder { folder in
      let generator = AVAssetImageGenerator(asset: try theirs(folder))
      generator.requestedTimeToleranceBefore = .zero
      generator.requestedTimeToleranceAfter = .zero
      let times = [60, 5, 30].map { CMTime(value: $0, timescale: 25) } + [CMTime(value: 99, timescale: 1)]
      var actual: [CMTime] = []
      var failures = 0
      for await result in generator.images(for: times) {
        if let time = try? result.actualTime { actual.append(time) } else { failures += 1 }
      }
      #expect(actual == Array(times.prefix(3)))
      #expect(failures == 1)
    }
  }
}
