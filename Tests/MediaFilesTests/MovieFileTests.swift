import CoreMedia
import CoreVideo
import Foundation
import GraphicsCore
import Linux
import MediaFiles
import MovieTools
import SeededNumbers
import Testing
import VideoCodecs

@Suite("Movies that other programs wrote")
struct MovieFileTests {
  private static let source = ["-f", "lavfi", "-i", "testsrc=size=64x48:rate=25:duration=2"]

  /// The times at which a movie's pictures are shown, decoded by us.
  private func times(_ path: String) throws -> [Double] {
    let movie = try MovieFile(path: path)
    let track = try #require(movie.tracks.first { $0.mediaType == kCMMediaType_Video })
    let reader = try TrackReader(path: path, track: track)
    let decoder = try VideoDecoder(#require(track.format))
    var pictures: [VideoDecoder.Picture] = []
    while let sample = try reader.next() { pictures += try decoder.decode(sample) }
    pictures += try decoder.finish()
    return pictures.map(\.time.seconds)
  }

  @Test(
    "Plain, fragmented, with reordered frames, with variable rate: duration and frames are right",
    arguments: [
      (["-c:v", "libx264", "-bf", "0"], "mp4"), (["-c:v", "libx264", "-bf", "3"], "mov"),
      (["-c:v", "libx264", "-bf", "2", "-movflags", "frag_keyframe+empty_moov", "-g", "10"], "mp4"),
      (["-c:v", "libx264", "-movflags", "frag_keyframe+delay_moov", "-g", "10"], "mov"),
      (["-c:v", "libx265", "-x265-params", "log-level=none", "-tag:v", "hvc1"], "mp4"),
      (["-c:v", "mjpeg"], "mov"), (["-c:v", "prores_ks"], "mov"), (["-c:v", "mpeg4"], "mp4"),
      (["-vf", "select='not(mod(n\\,3))+eq(mod(n\\,7)\\,0)'", "-vsync", "vfr", "-c:v", "libx264"], "mp4"),
      (["-c:v", "libx264"], "mkv"),
    ] as [([String], String)])
  func written(arguments: [String], suffix: String) throws {
    try withMovieFolder { folder in
      let path = "\(folder)/theirs.\(suffix)"
      let isYUV = arguments.contains("prores_ks") ? [] : ["-pix_fmt", "yuv420p"]
      try Program.make(path, Self.source + arguments + isYUV)
      let expected = try Program.frameTimes(path)
      let ours = try times(path)
      #expect(ours.count == expected.count)
      #expect(zip(ours, expected).allSatisfy { abs($0 - $1) < 0.0011 })
      let movie = try MovieFile(path: path)
      #expect(abs(movie.duration.seconds - (try Program.probe(path).duration)) < 0.05)
      #expect(movie.tracks[0].size == CGSize(width: 64, height: 48))
    }
  }

  @Test("An edit list's start and end are kept")
  func edits() throws {
    try withMovieFolder { folder in
      let (long, cut) = ("\(folder)/long.mp4", "\(folder)/cut.mp4")
      try Program.make(long, Self.source + ["-c:v", "libx264", "-g", "100", "-pix_fmt", "yuv420p"])
      // Copied from behind the only key frame: what comes before is decoded and not shown.
      try Program.make(cut, ["-ss", "0.8", "-i", long, "-c", "copy"])
      let ours = try times(cut)
      let expected = try Program.frameTimes(cut)
      #expect(expected.count < 50)
      #expect(ours.count == expected.count)
      #expect(zip(ours, expected).allSatisfy { abs($0 - $1) < 0.001 })
    }
  }

  @Test("A rotation becomes the transform", arguments: [90, 180, 270])
  func rotation(degrees: Int) throws {
    try withMovieFolder { folder in
      let (plain, turned) = ("\(folder)/plain.mp4", "\(folder)/turned.mp4")
      try Program.make(plain, Self.source + ["-c:v", "libx264", "-pix_fmt", "yuv420p"])
      try Program.make(turned, ["-i", plain, "-c", "copy", "-metadata:s:v", "rotate=\(degrees)"])
      let transform = try MovieFile(path: turned).tracks[0].transform
      let angle = atan2(Double(transform.b), Double(transform.a)) * 180 / .pi
      // FFmpeg counts counterclockwise.
      let sides = try Program.probe(turned).stream("video")["side_data_list"] as? [[String: Any]]
      let theirs = try #require(sides?.compactMap { $0["rotation"] as? Int }.first)
      #expect((Int(angle.rounded()) + theirs) % 360 == 0)
      #expect(degrees % 180 == 0 ? transform.b == 0 : transform.a == 0)
    }
  }

  @Test("Audio is read with its length and content")
  func audio() throws {
    try withMovieFolder { folder in
      for (suffix, codec) in [
        ("m4a", "aac"), ("mov", "pcm_s24le"), ("wav", "pcm_s16le"), ("mp3", "libmp3lame"),
      ] {
        let path = "\(folder)/tone.\(suffix)"
        try Program.make(
          path, ["-f", "lavfi", "-i", "sine=frequency=1000:duration=1:sample_rate=48000", "-c:a", codec])
        let movie = try MovieFile(path: path)
        let track = try #require(movie.tracks.first { $0.mediaType == kCMMediaType_Audio })
        let reader = try TrackReader(path: path, track: track)
        let decoder = try AudioDecoder(#require(track.format))
        var frames = 0
        var buffers: [CMSampleBuffer] = []
        while let sample = try reader.next() { buffers += try decoder.decode(sample) }
        buffers += try decoder.finish()
        for buffer in buffers { frames += buffer.numSamples }
        #expect((47_900...49_300).contains(frames), "\(suffix): \(frames)")
        #expect(abs(buffers[0].presentationTimeStamp.seconds) < 0.03, "\(suffix)")
        #expect(abs(movie.duration.seconds - 1) < 0.06, "\(suffix)")
      }
    }
  }

  @Test("Seeking begins with the key frame at or before the time")
  func seeking() throws {
    try withMovieFolder { folder in
      let path = "\(folder)/keys.mp4"
      try Program.make(
        path,
        Self.source + [
          "-c:v", "libx264", "-g", "10", "-sc_threshold", "0", "-bf", "2", "-pix_fmt", "yuv420p",
        ])
      let track = try MovieFile(path: path).tracks[0]
      let reader = try TrackReader(path: path, track: track)
      for (time, key) in [(0.0, 0.0), (0.39, 0.0), (0.4, 0.4), (0.95, 0.8), (1.99, 1.6), (-5, 0)] {
        try reader.seek(to: CMTime(seconds: time, preferredTimescale: 12_800))
        let sample = try #require(try reader.next())
        #expect(sample.isKeyFrame())
        #expect(abs(sample.presentationTimeStamp.seconds - key) < 0.001)
      }
    }
  }

  @Test("Seeking in a container without an index begins with a key frame, never behind the time")
  func seekingWithoutIndex() throws {
    try withMovieFolder { folder in
      for (file, options) in [
        ("keys.ts", []), ("long.ts", ["-g", "40"]), ("plain.mp4", []), ("keys.mkv", []),
      ] {
        let path = "\(folder)/\(file)"
        try Program.make(
          path,
          Self.source + [
            "-c:v", "libx264", "-g", "10", "-sc_threshold", "0", "-bf", "2", "-pix_fmt", "yuv420p",
          ]
            + options)
        let track = try MovieFile(path: path).tracks[0]
        let all = try TrackReader(path: path, track: track)
        var times: [CMTime] = []
        var keys: [CMTime] = []
        while let sample = try all.next() {
          times.append(sample.presentationTimeStamp)
          if sample.isKeyFrame() { keys.append(sample.presentationTimeStamp) }
        }
        let reader = try TrackReader(path: path, track: track)
        for target in times.sorted() + [CMTime(value: 100, timescale: 1)] {
          try reader.seek(to: target)
          let sample = try #require(try reader.next(), "\(file)")
          let time = sample.presentationTimeStamp
          let isRight = file.hasSuffix(".ts") ? time <= target : time == keys.last { $0 <= target }
          #expect(sample.isKeyFrame() && isRight, "\(file) \(target)")
        }
      }
    }
  }

  @Test("What is no movie is an error with a reason")
  func errors() throws {
    try withMovieFolder { folder in
      let missing = #expect(throws: MovieFileError.self) { try MovieFile(path: "\(folder)/missing.mov") }
      #expect(missing?.system?.reason == .notFound)
      try Data("This is a letter, not a movie.".utf8).write(to: URL(fileURLWithPath: "\(folder)/letter.mov"))
      let letter = #expect(throws: MovieFileError.self) { try MovieFile(path: "\(folder)/letter.mov") }
      #expect(letter?.reason == .damaged)
      #expect(throws: MovieFileError.self) { try MovieFile(path: folder) }
      // A list of other files to play is none either.
      try Data("ffconcat version 1.0\nfile /etc/passwd\n".utf8).write(
        to: URL(fileURLWithPath: "\(folder)/list.mov"))
      #expect(throws: MovieFileError.self) { try MovieFile(path: "\(folder)/list.mov") }
    }
  }

  @Test("Mutated and cut movies are an error or a movie, never a crash or a hang")
  func mutations() throws {
    try withMovieFolder { folder in
      let path = "\(folder)/whole.mp4"
      try Program.make(
        path,
        [
          "-f", "lavfi", "-i", "testsrc=size=32x32:rate=10:duration=1", "-f", "lavfi", "-i",
          "sine=duration=1",
          "-c:v", "libx264", "-c:a", "aac", "-movflags", "frag_keyframe+delay_moov", "-pix_fmt", "yuv420p",
        ])
      let whole = try Data(contentsOf: URL(fileURLWithPath: path))
      let count = Int(ProcessInfo.processInfo.environment["OBSCURA_MUTATIONS"] ?? "") ?? 100
      var numbers = SeededGenerator(seed: 99)
      func random(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &numbers) }
      var opened = 0
      for round in 0..<count {
        var bytes = round % 4 == 0 ? whole.prefix(random(whole.count)) : whole
        if round % 4 != 0 {
          for _ in 0..<(1 + random(4)) { bytes[random(bytes.count)] = UInt8(random(256)) }
        }
        let mutated = "\(folder)/mutated.mp4"
        try bytes.write(to: URL(fileURLWithPath: mutated))
        guard let movie = try? MovieFile(path: mutated) else { continue }
        opened += 1
        for track in movie.tracks {
          guard let format = track.format, let reader = try? TrackReader(path: mutated, track: track) else {
            continue
          }
          let decoder = track.mediaType == kCMMediaType_Video ? try? VideoDecoder(format, threads: 1) : nil
          for _ in 0..<500 {
            guard let sample = try? reader.next() else { break }
            _ = try? decoder?.decode(sample)
          }
          try? reader.seek(to: CMTime(value: 1, timescale: 2))
        }
      }
      #expect(opened > count / 4)
    }
  }
}
