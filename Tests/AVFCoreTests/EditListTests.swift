import AVFCore
import CoreMedia
import CoreVideo
import Foundation
import MovieTools
import Testing

@Suite("Edit lists")
struct EditListTests {
  /// Fifty numbered frames, 25 a second in units of 1/12 800, reordered, a key frame each ten.
  private func movie(_ folder: String) throws -> String {
    let path = "\(folder)/numbers.mp4"
    try Program.make(
      path,
      [
        "-f", "lavfi", "-i",
        "color=black:size=64x48:rate=25:duration=2,format=yuv420p,geq=lum='25+mod(N\\,16)*13':cb=128:cr=128",
        "-c:v", "libx264", "-x264-params", "bframes=2:b-adapt=0:keyint=10:scenecut=0",
        "-video_track_timescale",
        "12800",
      ])
    return path
  }

  /// When frame `number` is shown in the media: two frames of delay come first.
  private func media(_ number: Int, plus units: Int = 0) -> Int { (number + 2) * 512 + units }

  private func pictures(_ path: String) throws -> [(number: Int, seconds: Double)] {
    try EditingStage.pictures(AVURLAsset(url: URL(fileURLWithPath: path))).map { ($0.number, $0.time / 30) }
  }

  @Test(
    "A part that begins between frames, or before a key frame, begins with the next frame at its own time",
    arguments: [(13, 200), (9, 511), (10, 1), (0, 300), (24, 256), (5, 0)])
  func between(number: Int, units: Int) throws {
    try withMovieFolder { folder in
      let path = try movie(folder)
      try PatchedEdits.write([(600, media(number, plus: units))], into: path)
      let first = units == 0 ? number : number + 1
      let begin = Double(units == 0 ? 0 : 512 - units) / 12_800
      let count = Int(((0.6 - begin - 0.0001) / 0.04).rounded(.up))
      let found = try pictures(path)
      #expect(found.map(\.number) == (0..<count).map { (first + $0) % 16 })
      for (index, picture) in found.enumerated() {
        #expect(abs(picture.seconds - begin - Double(index) * 0.04) < 0.0001)
      }
      let track = try #require(
        AVURLAsset(url: URL(fileURLWithPath: path)).tracks(withMediaType: .video).first)
      #expect(track.nominalFrameRate == 25)
      #expect(track.timeRange == CMTimeRange(start: .zero, duration: CMTime(value: 600, timescale: 1000)))
      #expect(track.minFrameDuration == CMTime(value: 1, timescale: 25))
    }
  }

  @Test(
    "Two parts are shown one after the other, each from its own frame on, also one twice and one before the other"
  )
  func parts() throws {
    try withMovieFolder { folder in
      let path = try movie(folder)
      for (one, two) in [((13, 0), (31, 100)), ((30, 40), (3, 0)), ((7, 0), (7, 0)), ((0, 0), (20, 511))] {
        try PatchedEdits.write(
          [(400, media(one.0, plus: one.1)), (320, media(two.0, plus: two.1))], into: path)
        var expected: [(number: Int, seconds: Double)] = []
        for (part, start, length) in [(one, 0, 5120), (two, 5120, 4096)] {
          for number in part.0..<50 {
            let time = media(number) - media(part.0, plus: part.1)
            if time >= 0, time < length { expected.append((number % 16, Double(start + time) / 12_800)) }
          }
        }
        let found = try pictures(path)
        #expect(found.map(\.number) == expected.map(\.number), "\(one) \(two)")
        #expect(zip(found, expected).allSatisfy { abs($0.seconds - $1.seconds) < 0.0001 }, "\(one) \(two)")
        let asset = AVURLAsset(url: URL(fileURLWithPath: path))
        #expect(abs(asset.duration.seconds - 0.72) < 0.001)
        // Each frame is found by its time, too.
        let generator = AVAssetImageGenerator(asset: asset)
        (generator.requestedTimeToleranceBefore, generator.requestedTimeToleranceAfter) = (.zero, .zero)
        for picture in expected where picture.seconds > 0 {
          var actual = CMTime.invalid
          let time = CMTime(seconds: picture.seconds + 0.001, preferredTimescale: 12_800)
          _ = try generator.copyCGImage(at: time, actualTime: &actual)
          #expect(abs(actual.seconds - picture.seconds) < 0.0001, "\(one) \(two)")
        }
      }
    }
  }

  @Test("Pictures after an empty part begin behind it")
  func empty() throws {
    try withMovieFolder { folder in
      let path = try movie(folder)
      try PatchedEdits.write([(500, -1), (800, media(11, plus: 128))], into: path)
      let found = try pictures(path)
      #expect(found.first?.number == 12 && abs((found.first?.seconds ?? 0) - 0.53) < 0.0001)
      #expect(found.count == 20)
      let track = try #require(
        AVURLAsset(url: URL(fileURLWithPath: path)).tracks(withMediaType: .video).first)
      #expect(
        abs(track.timeRange.start.seconds - 0.5) < 0.001 && abs(track.timeRange.end.seconds - 1.3) < 0.001)
    }
  }

  @Test("A track's segments are the parts of its list, also the empty ones, and times are mapped by them")
  func segments() throws {
    try withMovieFolder { folder in
      let path = try movie(folder)
      func track(_ parts: [(duration: Int, media: Int)]) throws -> AVAssetTrack {
        try PatchedEdits.write(parts, into: path)
        return try #require(AVURLAsset(url: URL(fileURLWithPath: path)).tracks(withMediaType: .video).first)
      }
      func units(_ value: Int) -> CMTime { CMTime(value: Int64(value), timescale: 12_800) }
      func range(_ start: Int, _ count: Int) -> CMTimeRange {
        CMTimeRange(start: units(start), duration: units(count))
      }
      let one = try track([(600, media(9, plus: 100))])
      #expect(
        one.segments.map(\.timeMapping) == [
          CMTimeMapping(source: range(media(9, plus: 100), 7680), target: range(0, 7680))
        ])
      #expect(one.samplePresentationTime(forTrackTime: .zero) == units(media(9, plus: 100)))

      let several = try track([(250, -1), (400, media(30)), (125, -1), (320, media(3, plus: 7))])
      let found = several.segments
      #expect(found.map(\.isEmpty) == [true, false, true, false])
      #expect(
        found.map(\.timeMapping.target)
          == [range(0, 3200), range(3200, 5120), range(8320, 1600), range(9920, 4096)])
      #expect(found[1].timeMapping.source == range(media(30), 5120))
      #expect(found[3].timeMapping.source == range(media(3, plus: 7), 4096))
      #expect(!found[0].timeMapping.source.start.isValid)
      for (time, expected) in [
        (3200, media(30)), (5000, media(30) + 1800), (9920, media(3, plus: 7)),
        (14_016, media(3, plus: 7) + 4096),
      ] {
        #expect(several.samplePresentationTime(forTrackTime: units(time)) == units(expected))
      }
      for time in [0, 3199, 8320, 9919, 14_017, -1] {
        #expect(!several.samplePresentationTime(forTrackTime: units(time)).isValid)
      }
      #expect(several.segment(forTrackTime: units(9000))?.isEmpty == true)
      #expect(several.segment(forTrackTime: units(14_017)) == nil)
    }
  }

  @Test(
    "Of audio the list says where the encoder's delay ends, and without a list there is one segment of all")
  func otherSegments() throws {
    try withMovieFolder { folder in
      let path = "\(folder)/tone.m4a"
      try Program.make(path, ["-f", "lavfi", "-i", "sine=duration=1:sample_rate=48000", "-c:a", "aac"])
      let audio = try #require(AVURLAsset(url: URL(fileURLWithPath: path)).tracks.first)
      #expect(audio.segments.count == 1)
      #expect(audio.segments.first?.timeMapping.source.start == CMTime(value: 1024, timescale: 48_000))
      #expect(audio.segments.first?.timeMapping.target == audio.timeRange)
      #expect(audio.samplePresentationTime(forTrackTime: .zero) == CMTime(value: 1024, timescale: 48_000))

      let plain = "\(folder)/plain.mkv"
      try Program.make(plain, ["-i", try movie(folder), "-c", "copy"])
      let track = try #require(AVURLAsset(url: URL(fileURLWithPath: plain)).tracks.first)
      #expect(
        track.segments.map(\.timeMapping) == [CMTimeMapping(source: track.timeRange, target: track.timeRange)]
      )
      let time = CMTime(value: 1, timescale: 2)
      #expect(track.samplePresentationTime(forTrackTime: time) == time)
    }
  }

  @Test("Coded frames behind the end are left out, unless a shown one needs them")
  func behind() throws {
    try withMovieFolder { folder in
      let path = try movie(folder)
      for count in 3..<12 {
        try PatchedEdits.write([(40 * count, media(2))], into: path)
        let asset = AVURLAsset(url: URL(fileURLWithPath: path))
        let track = try #require(asset.tracks(withMediaType: .video).first)
        let reader = try AVAssetReader(asset: asset)
        let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
        reader.add(output)
        #expect(reader.startReading())
        var samples: [CMSampleBuffer] = []
        while let sample = output.copyNextSampleBuffer() { samples.append(sample) }
        let shown = samples.filter { $0.sampleAttachments[0][.doNotDisplay] as? Bool != true }
        #expect(shown.count == count)
        #expect(samples.last === shown.last)
        #expect(samples.filter { $0.presentationTimeStamp >= track.timeRange.end }.count <= 1)
      }
    }
  }

  @Test(
    "Movies that FFmpeg trimmed without coding keep pictures and sound together",
    arguments: [0.37, 0.8, 1.213])
  func trimmed(start: Double) throws {
    try withMovieFolder { folder in
      let (whole, cut) = ("\(folder)/whole.mp4", "\(folder)/cut.mp4")
      try Program.make(
        whole,
        [
          "-f", "lavfi", "-i",
          "color=black:size=64x48:rate=25:duration=3,format=yuv420p,geq=lum='25+mod(N\\,16)*13':cb=128:cr=128",
          "-f",
          "lavfi", "-i", "sine=frequency=500:sample_rate=44100:duration=3", "-c:v", "libx264", "-bf", "2",
          "-g", "25",
          "-c:a", "aac",
        ])
      try Program.make(cut, ["-ss", "\(start)", "-i", whole, "-c", "copy"])
      let found = try pictures(cut)
      let first = Int((start * 25).rounded(.up))
      #expect(found.first?.number == first % 16)
      // FFmpeg rounds the beginning of a part to a packet of audio and to a millisecond.
      #expect(abs((found.first?.seconds ?? -1) - (Double(first) / 25 - start)) < 0.002)
      let asset = AVURLAsset(url: URL(fileURLWithPath: cut))
      let track = try #require(asset.tracks(withMediaType: .video).first)
      #expect(abs(track.nominalFrameRate - 25) < 0.01)
      #expect(found.allSatisfy { $0.seconds < track.timeRange.end.seconds })
    }
  }
}
