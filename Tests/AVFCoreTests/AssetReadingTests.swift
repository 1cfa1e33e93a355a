import AVFAudio
import AVFCore
import CoreMedia
import CoreVideo
import Foundation
import FoundationExtras
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

  @Test("A movie that was cut off fails where it is cut, and what lies before can be read to its end")
  func cutOff() throws {
    try withMovieFolder { folder in
      let whole = try theirs(folder, ["-movflags", "faststart"]).url
      let cut = URL(fileURLWithPath: "\(folder)/cut.mp4")
      let bytes = try Data(contentsOf: whole)
      try bytes.prefix(bytes.count * 2 / 3).write(to: cut)
      for (url, seconds, status) in [
        (whole, nil, AVAssetReader.Status.completed), (cut, nil, .failed), (cut, 0.4, .completed),
      ] as [(URL, Double?, AVAssetReader.Status)] {
        let asset = AVURLAsset(url: url)
        let reader = try AVAssetReader(asset: asset)
        if let seconds {
          reader.timeRange = CMTimeRange(
            start: .zero, duration: CMTime(seconds: seconds, preferredTimescale: 600))
        }
        let track = try #require(asset.tracks(withMediaType: .video).first)
        let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
        reader.add(output)
        #expect(reader.startReading())
        var count = 0
        while output.copyNextSampleBuffer() != nil { count += 1 }
        #expect(count > 8)
        #expect(reader.status == status)
        if status == .failed { #expect((reader.error as? AVError)?.code == .decodeFailed) }
      }
    }
  }

  @Test("A composition with a movie that was cut off fails where it is cut; what is whole in it can be read")
  func cutOffComposition() throws {
    try withMovieFolder { folder in
      let whole = try theirs(folder, ["-movflags", "faststart"])
      let url = URL(fileURLWithPath: "\(folder)/cut.mp4")
      let bytes = try Data(contentsOf: whole.url)
      try bytes.prefix(bytes.count * 2 / 3).write(to: url)
      let cut = AVURLAsset(url: url)
      let composition = AVMutableComposition()
      let range = CMTimeRange(start: .zero, duration: CMTime(value: 3, timescale: 1))
      for (asset, type) in [(cut, AVMediaType.video), (whole, .audio)] {
        let track = try #require(composition.addMutableTrack(withMediaType: type, preferredTrackID: 0))
        let source = try #require(asset.tracks(withMediaType: type).first)
        try track.insertTimeRange(range, of: source, at: .zero)
      }
      for (type, status) in [(AVMediaType.video, AVAssetReader.Status.failed), (.audio, .completed)] {
        let reader = try AVAssetReader(asset: composition)
        let track = try #require(composition.tracks(withMediaType: type).first)
        let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
        reader.add(output)
        #expect(reader.startReading())
        var count = 0
        while output.copyNextSampleBuffer() != nil { count += 1 }
        #expect(count > 8 && reader.status == status)
      }
    }
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
      // Apple's number for a file that is not there, in URL loading's domain.
      let none = await #expect(throws: NSError.self) { try await missing.load(.duration) }
      #expect(none?.domain == NSURLErrorDomain && none?.code == -1100 && !(none is AVError))
      #expect(none?.localizedDescription.contains("missing.mov") == true)
      #expect(none?.userInfo[NSURLErrorFailingURLErrorKey] as? URL == (missing as? AVURLAsset)?.url)
      func expectNone(_ body: () throws -> Void) {
        let error = #expect(throws: NSError.self, performing: body)
        #expect(error?.domain == NSURLErrorDomain && error?.code == NSURLErrorFileDoesNotExist)
      }
      expectNone { _ = try AVAssetReader(asset: missing) }
      expectNone { _ = try AVAssetImageGenerator(asset: missing).copyCGImage(at: .zero, actualTime: nil) }
      var status: NSError?
      #expect(missing.statusOfValue(forKey: "duration", error: &status) == .failed)
      #expect(status?.domain == NSURLErrorDomain && status?.code == NSURLErrorFileDoesNotExist)
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
      var early: CMSampleBuffer?
      #expect(ProgrammingMistake.collect { early = video.copyNextSampleBuffer() }.count == 1 && early == nil)
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
