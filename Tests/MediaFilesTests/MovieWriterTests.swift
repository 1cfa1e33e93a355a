import CoreMedia
import CoreVideo
import Foundation
import GraphicsCore
import Linux
import MediaFiles
import MovieTools
import PixelTransforms
import Testing
import VideoCodecs

@Suite("Movies that are written")
struct MovieWriterTests {
  /// Movies with a picture every thirtieth of a second, and with audio.
  private struct Recording {
    var container = MovieContainer.quickTime
    var codec = VideoEncoderSettings.Codec.h264
    var audio: AudioFormatID? = kAudioFormatMPEG4AAC
    var frames = 60
    var start = CMTime(value: 1000, timescale: 1)
    var timescale: Int32 = 600
    var interval = CMTime(value: 1, timescale: 2)
    var transform = CGAffineTransform.identity
    var metadata: [MovieMetadata] = []
    var holdsLastPicture = false
    /// When picture `number` is shown, in `timescale`.
    var tick: (Int) -> Int64 = { Int64($0) * 20 }

    func write(
      _ path: String, onFrame: (MovieWriter) throws -> Void = { _ in }, end: CMTime? = nil
    ) throws {
      var settings = MovieWriter.Settings(container: container)
      settings.fragmentInterval = interval
      settings.metadata = metadata
      settings.holdsLastSample = holdsLastPicture
      let writer = try MovieWriter(path: path, settings: settings)
      var coding = VideoEncoderSettings(codec: codec, size: PixelSize(width: 64, height: 48))
      coding.prefersHardware = false
      coding.timescale = timescale
      coding.keyFrameInterval = 12
      coding.colorPrimaries = kCVImageBufferColorPrimaries_ITU_R_709_2
      coding.transferFunction = kCVImageBufferTransferFunction_ITU_R_709_2
      coding.matrix = kCVImageBufferYCbCrMatrix_ITU_R_709_2
      let video = try VideoEncoder(coding, first: TestMovie.picture(0))
      var track = MovieTrackSettings(mediaType: kCMMediaType_Video)
      track.transform = transform
      let pictures = try writer.addTrack(track)
      let tone = try TestMovie.tone(from: 0, count: 1600)
      let encoder = try audio.map {
        try AudioEncoder(AudioEncoderSettings(formatID: $0), source: try #require(tone.formatDescription))
      }
      let sound = try encoder.map {
        try writer.addTrack(MovieTrackSettings(mediaType: kCMMediaType_Audio, format: $0.formatDescription))
      }
      writer.begin(at: start)
      for number in 0..<frames {
        let time = start + CMTime(value: tick(number), timescale: timescale)
        for sample in try video.encode(TestMovie.picture(number), at: time) {
          try writer.append(sample, to: pictures)
        }
        if let encoder, let sound {
          let heard = try CMSampleBuffer(
            copying: tone,
            withNewTiming: [
              CMSampleTimingInfo(
                duration: CMTime(value: 1, timescale: 48_000),
                presentationTimeStamp: start + CMTime(value: Int64(number) * 1600, timescale: 48_000),
                decodeTimeStamp: .invalid)
            ])
          for packet in try encoder.encode(heard) { try writer.append(packet, to: sound) }
        }
        try onFrame(writer)
      }
      for sample in try video.finish() { try writer.append(sample, to: pictures) }
      if let encoder, let sound {
        for packet in try encoder.finish() { try writer.append(packet, to: sound) }
      }
      try writer.finish(at: end)
    }
  }

  /// The types of a file's outermost boxes.
  private func boxes(_ path: String) throws -> [String] {
    BoxReader(try Data(contentsOf: URL(fileURLWithPath: path))).boxes.map(\.type)
  }

  @Test(
    "A clean end leaves a plain movie with every frame at its time",
    arguments: [(MovieContainer.quickTime, "mov"), (.mpeg4, "mp4"), (.appleVideo, "m4v")])
  func plain(container: MovieContainer, suffix: String) throws {
    try withMovieFolder { folder in
      let path = "\(folder)/plain.\(suffix)"
      var recording = Recording()
      recording.container = container
      try recording.write(path)
      #expect(try boxes(path) == ["ftyp", "mdat", "moov"])
      let probe = try Program.probe(path)
      #expect(abs(probe.duration - 2) < 0.03)
      let video = probe.stream("video")
      #expect(video["codec_name"] as? String == "h264")
      #expect(video["nb_frames"] as? String == "60")
      #expect(video["color_primaries"] as? String == "bt709")
      #expect(video["r_frame_rate"] as? String == "30/1")
      #expect(probe.stream("audio")["codec_name"] as? String == "aac")
      let times = try Program.frameTimes(path)
      #expect(times.count == 60)
      #expect(zip(times, 0...).allSatisfy { abs($0 - Double($1) / 30) < 0.0005 })
    }
  }

  @Test("HEVC, JPEG, ProRes, Opus and linear PCM are read by others", arguments: ["hvc1", "jpeg", "apcn"])
  func codecs(code: String) throws {
    try withMovieFolder { folder in
      var recording = Recording()
      recording.codec = try #require(VideoEncoderSettings.Codec(rawValue: code))
      recording.audio = kAudioFormatLinearPCM
      recording.frames = 30
      let path = "\(folder)/codec.mov"
      try recording.write(path)
      let probe = try Program.probe(path)
      #expect(probe.stream("video")["codec_tag_string"] as? String == code)
      #expect(probe.stream("audio")["codec_name"] as? String == "pcm_s16le")
      #expect(try Program.frameTimes(path).count == 30)
      let raw = "\(folder)/audio.raw"
      try Program.make(raw, ["-i", path, "-map", "0:a", "-f", "s16le", "-c:a", "pcm_s16le"])
      let expected = try TestMovie.tone(from: 0, count: 1600).dataBuffer?.dataBytes() ?? Data()
      #expect(
        try Data(contentsOf: URL(fileURLWithPath: raw))
          == (0..<30).reduce(into: Data()) { data, _ in data += expected })
    }
  }

  @Test("Opus in MP4 is read by others")
  func opus() throws {
    try withMovieFolder { folder in
      var recording = Recording()
      recording.container = .mpeg4
      recording.audio = kAudioFormatOpus
      let path = "\(folder)/opus.mp4"
      try recording.write(path)
      #expect(try Program.probe(path).stream("audio")["codec_name"] as? String == "opus")
    }
  }

  @Test("Irregular times and those of nanosecond clocks are kept")
  func irregular() throws {
    try withMovieFolder { folder in
      let path = "\(folder)/irregular.mov"
      var recording = Recording()
      recording.timescale = 1_000_000
      recording.tick = { Int64($0) * 33_333 + [0, 411, -97][$0 % 3] + ($0 > 30 ? 700_000 : 0) }
      try recording.write(path)
      let times = try Program.frameTimes(path)
      #expect(times.count == 60)
      #expect(zip(times, 0...).allSatisfy { abs($0 - Double(recording.tick($1)) / 1_000_000) < 0.000_002 })
    }
  }

  /// A recording with its length after each picture, and its bytes right before it was finished.
  private func unfinished(_ path: String) throws -> (bytes: Data, sizes: [Int]) {
    final class Log {
      var sizes: [Int] = []
      var bytes = Data()
    }
    let log = Log()
    var recording = Recording()
    recording.frames = 90
    try recording.write(path) { writer in
      log.sizes.append(writer.fileSize)
      if log.sizes.count == 90 { log.bytes = try Data(contentsOf: URL(fileURLWithPath: path)) }
    }
    return (log.bytes, log.sizes)
  }

  /// The number of pictures that can be read.
  private func pictureCount(_ path: String) throws -> Int {
    let movie = try MovieFile(path: path)
    let pictures = try #require(movie.tracks.first { $0.mediaType == kCMMediaType_Video })
    let reader = try TrackReader(path: path, track: pictures)
    var count = 0
    while let sample = try? reader.next() {
      #expect(sample.totalSampleSize > 0)
      count += 1
    }
    return count
  }

  @Test("Killed at any byte, the file opens and lacks at most its last fragment")
  func killed() throws {
    try withMovieFolder { folder in
      let (bytes, sizes) = try unfinished("\(folder)/whole.mov")
      // From the moment on in which there is a header, before any fragment.
      let header = try #require(sizes.first { $0 > 100 })
      let marks = Set(sizes).sorted().filter { $0 > header }
      #expect(marks.count >= 4)
      let cut = "\(folder)/cut.mov"
      let counts = try ([header] + marks).map { mark in
        try bytes.prefix(mark).write(to: URL(fileURLWithPath: cut))
        return try pictureCount(cut)
      }
      #expect(zip(counts, counts.dropFirst()).allSatisfy { $0 <= $1 })
      // All but what the encoder and the open fragment hold.
      #expect(try #require(counts.last) >= 60)
      for place in stride(from: header, to: bytes.count, by: max(1, bytes.count / 60)) {
        let whole = ([header] + marks).lastIndex { $0 <= place } ?? 0
        // A box's first eight bytes are the last that are written.
        let begun = ([header] + marks)[whole]
        var left = bytes.prefix(begun)
        if place > begun { left += Data(count: min(8, place - begun)) + bytes[min(begun + 8, place)..<place] }
        try left.write(to: URL(fileURLWithPath: cut))
        #expect(try pictureCount(cut) == counts[whole], "killed at \(place)")
      }
      // What other programs make of it.
      #expect(try Program.frameTimes(cut).count >= counts[counts.count - 2])
    }
  }

  @Test("Cut off anywhere inside a fragment's header, the file opens with all fragments before it")
  func cut() throws {
    try withMovieFolder { folder in
      let (bytes, sizes) = try unfinished("\(folder)/whole.mov")
      let header = try #require(sizes.first { $0 > 100 })
      let marks = Set(sizes).sorted().filter { $0 > header }
      let path = "\(folder)/cut.mov"
      for mark in marks.dropLast() {
        try bytes.prefix(mark).write(to: URL(fileURLWithPath: path))
        let count = try pictureCount(path)
        let length = bytes[mark..<mark + 4].reduce(0) { $0 << 8 | Int($1) }
        for extra in stride(from: 1, to: length, by: max(1, length / 40)) {
          try bytes.prefix(mark + extra).write(to: URL(fileURLWithPath: path))
          #expect(try pictureCount(path) == count, "cut \(extra) bytes behind \(mark)")
        }
      }
    }
  }

  @Test("While it is written, every frame that was flushed is read at its right time")
  func whileWriting() throws {
    try withMovieFolder { folder in
      let path = "\(folder)/growing.mov"
      let copy = "\(folder)/copy.mov"
      var frame = 0
      try Recording().write(path) { _ in
        frame += 1
        guard frame == 55 else { return }
        try FileManager.default.copyItem(atPath: path, toPath: copy)
      }
      let times = try Program.frameTimes(copy)
      #expect(times.count >= 24)
      // Of the last frames some may be missing that are shown before others and decoded after them.
      #expect(zip(times.dropLast(3), 0...).allSatisfy { abs($0 - Double($1) / 30) < 0.0005 })
      let heard = try Program.frameTimes(copy, stream: "a:0")
      // The decoder's first packet comes before the beginning.
      #expect(abs((heard.first ?? 1) + 1024 / 48_000) < 0.0001)
    }
  }

  @Test("A rotation is seen by others, and read back exactly")
  func rotation() throws {
    try withMovieFolder { folder in
      let path = "\(folder)/turned.mov"
      var recording = Recording()
      recording.transform = CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 48, ty: 0)
      try recording.write(path)
      let sides = try Program.probe(path).stream("video")["side_data_list"] as? [[String: Any]]
      #expect(sides?.compactMap { $0["rotation"] as? Int } == [-90])
      #expect(try MovieFile(path: path).tracks[0].transform == recording.transform)
    }
  }

  @Test("Metadata is seen by others and read back")
  func metadata() throws {
    try withMovieFolder { folder in
      let path = "\(folder)/named.mov"
      var recording = Recording()
      recording.metadata = [
        MovieMetadata(
          keySpace: .quickTimeMetadata, key: "com.apple.quicktime.make", value: .text("Obscura")),
        MovieMetadata(
          keySpace: .quickTimeMetadata, key: "com.apple.quicktime.location.ISO6709",
          value: .text("+48.2082+016.3738/")),
        MovieMetadata(keySpace: .quickTimeMetadata, key: "org.example.count", value: .integer(-7)),
        MovieMetadata(keySpace: .quickTimeUserData, key: "\u{A9}nam", value: .text("Vögel")),
        MovieMetadata(keySpace: .iTunes, key: "\u{A9}ART", value: .text("A painter")),
      ]
      try recording.write(path)
      let tags = try Program.probe(path).tags
      #expect(tags["com.apple.quicktime.make"] == "Obscura")
      #expect(tags["com.apple.quicktime.location.ISO6709"] == "+48.2082+016.3738/")
      #expect(Set(try MovieFile(path: path).metadata) == Set(recording.metadata))
    }
  }

  @Test("What was coded by another program is written again without a change")
  func passthrough() throws {
    try withMovieFolder { folder in
      let (first, second) = ("\(folder)/first.mp4", "\(folder)/second.mov")
      try Program.make(
        first,
        [
          "-f", "lavfi", "-i", "testsrc=size=64x48:rate=25:duration=2", "-f", "lavfi", "-i",
          "sine=duration=2", "-c:v", "libx264", "-bf", "3", "-c:a", "aac", "-pix_fmt", "yuv420p",
        ])
      let source = try MovieFile(path: first)
      let writer = try MovieWriter(path: second, settings: MovieWriter.Settings(container: .quickTime))
      for track in source.tracks {
        let number = try writer.addTrack(MovieTrackSettings(mediaType: track.mediaType, format: track.format))
        #expect(number == track.index)
      }
      for track in source.tracks {
        let reader = try TrackReader(path: first, track: track)
        while let sample = try reader.next() { try writer.append(sample, to: track.index) }
      }
      try writer.finish()
      #expect(try Program.frameTimes(second) == Program.frameTimes(first))
      func packets(_ path: String) throws -> String {
        try Program.run(
          "ffprobe",
          [
            "-v", "error", "-show_entries", "packet=pts_time,size,data_hash", "-show_data_hash", "md5",
            "-select_streams", "v", "-of", "csv=p=0", path,
          ])
      }
      #expect(try packets(first) == packets(second))
    }
  }

  @Test("The session's end cuts off what comes after it")
  func end() throws {
    try withMovieFolder { folder in
      let path = "\(folder)/short.mov"
      try Recording().write(path, end: CMTime(value: 1001, timescale: 1))
      #expect(abs(try Program.probe(path).duration - 1) < 0.001)
      #expect(try MovieFile(path: path).duration == CMTime(value: 600, timescale: 600))
    }
  }

  @Test(
    "The last picture is shown until the end where it is to be held, and as long as pictures last where not",
    arguments: [true, false])
  func held(isHeld: Bool) throws {
    try withMovieFolder { folder in
      let path = "\(folder)/held.mov"
      let recording = Recording(audio: nil, holdsLastPicture: isHeld)
      try recording.write(path, end: CMTime(value: 1005, timescale: 1))
      let end = isHeld ? 5.0 : 2.0
      #expect(abs(try Program.probe(path).duration - end) < 0.001)
      let track = try #require(MovieFile(path: path).tracks.first)
      #expect(abs(track.timeRange.duration.seconds - end) < 0.001)
      #expect(try Program.frameTimes(path).count == 60)
    }
  }

  @Test("A file that is there is not overwritten, and media that does not fit is refused")
  func refusals() throws {
    try withMovieFolder { folder in
      let path = "\(folder)/there.mov"
      try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
      let taken = #expect(throws: MovieFileError.self) {
        try MovieWriter(path: path, settings: MovieWriter.Settings(container: .quickTime))
      }
      #expect(taken?.system?.reason == .alreadyExists)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("mine".utf8))
      let writer = try MovieWriter(
        path: "\(folder)/new.mp4", settings: MovieWriter.Settings(container: .mpeg4))
      let pcm = try TestMovie.tone(from: 0, count: 10)
      #expect(throws: MovieFileError.self) {
        try writer.addTrack(
          MovieTrackSettings(mediaType: kCMMediaType_Audio, format: pcm.formatDescription))
      }
      let track = try writer.addTrack(MovieTrackSettings(mediaType: kCMMediaType_Video))
      #expect(throws: MovieFileError.self) { try writer.append(pcm, to: track) }
      writer.cancel()
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/new.mp4"))
    }
  }
}
