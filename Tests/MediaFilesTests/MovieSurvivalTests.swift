import CoreMedia
import Foundation
import Glibc
import MediaFiles
import MovieTools
import PixelTransforms
import Testing
import VideoCodecs

@Suite("Movies that are written: what survives")
struct MovieSurvivalTests {
  /// Coded pictures, thirty a second.
  private static func pictures(_ count: Int) throws -> [CMSampleBuffer] {
    var coding = VideoEncoderSettings(codec: .h264, size: PixelSize(width: 64, height: 48))
    coding.prefersHardware = false
    coding.isLowLatency = true
    let encoder = try VideoEncoder(coding, first: TestMovie.picture(0))
    var samples: [CMSampleBuffer] = []
    for number in 0..<count {
      samples += try encoder.encode(
        TestMovie.picture(number), at: CMTime(value: Int64(number), timescale: 30))
    }
    return samples
  }

  private static func packets(_ count: Int) throws -> [CMSampleBuffer] {
    let encoder = try AudioEncoder(
      AudioEncoderSettings(formatID: kAudioFormatMPEG4AAC),
      source: try #require(TestMovie.tone(from: 0, count: 1600).formatDescription))
    var samples: [CMSampleBuffer] = []
    for number in 0..<count {
      samples += try encoder.encode(TestMovie.tone(from: number * 1600, count: 1600))
    }
    return samples
  }

  private func writer(_ path: String, interval: CMTime = .invalid) throws -> (MovieWriter, Int) {
    var settings = MovieWriter.Settings(container: .quickTime)
    settings.fragmentInterval = interval
    let writer = try MovieWriter(path: path, settings: settings)
    return (writer, try writer.addTrack(MovieTrackSettings(mediaType: kCMMediaType_Video)))
  }

  /// The number of pictures that a copy of the file shows.
  private func count(_ path: String) throws -> Int {
    let copy = path + ".copy"
    try? FileManager.default.removeItem(atPath: copy)
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    return try Program.frameTimes(copy).count
  }

  @Test("Whatever interval was asked for, at most half a second waits in memory", arguments: [0.0, 10, 3600])
  func longInterval(seconds: Double) throws {
    try withMovieFolder { folder in
      let path = "\(folder)/a.mov"
      let (writer, track) = try writer(path, interval: CMTime(seconds: seconds, preferredTimescale: 600))
      let pictures = try Self.pictures(50)
      for picture in pictures[..<2] { try writer.append(picture, to: track) }
      #expect(try count(path) == 1)
      for picture in pictures[2...] { try writer.append(picture, to: track) }
      #expect(try count(path) >= 50 - 16)
      writer.cancel()
    }
  }

  @Test("What waits for the next sample is written when none comes, and the times stay right")
  func flush() throws {
    try withMovieFolder { folder in
      let path = "\(folder)/a.mov"
      let (writer, track) = try writer(path)
      let pictures = try Self.pictures(40)
      var expected: [Double] = []
      for index in 0..<pictures.count {
        // A picture is missing now and then.
        if index % 7 == 3 { continue }
        try writer.append(pictures[index], to: track)
        expected.append(Double(index) / 30)
        if index % 5 != 0 { continue }
        try writer.flush()
        #expect(try count(path) == expected.count)
      }
      try writer.finish()
      let times = try Program.frameTimes(path)
      #expect(times.count == expected.count)
      #expect(zip(times, expected).allSatisfy { abs($0 - $1) < 0.001 })
      #expect(try Program.probe(path).duration > 40.0 / 30 - 0.001)
    }
  }

  @Test("The file that a movie replaces stays until there is a picture, or more sound than comes before it")
  func replacing() throws {
    try withMovieFolder { folder in
      let path = "\(folder)/a.mov"
      let old = Data("old".utf8)
      func begin() throws -> (MovieWriter, Int, Int) {
        try old.write(to: URL(fileURLWithPath: path))
        var settings = MovieWriter.Settings(container: .quickTime)
        settings.appearsWithHeader = true
        settings.replacesFile = true
        let writer = try MovieWriter(path: path, settings: settings)
        return (
          writer, try writer.addTrack(MovieTrackSettings(mediaType: kCMMediaType_Video)),
          try writer.addTrack(MovieTrackSettings(mediaType: kCMMediaType_Audio))
        )
      }
      func isOld() throws -> Bool { try Data(contentsOf: URL(fileURLWithPath: path)) == old }

      var (writer, picture, sound) = try begin()
      for packet in try Self.packets(8) { try writer.append(packet, to: sound) }
      try writer.flush()
      #expect(try isOld() && !writer.isPlayable && writer.hasMedia)
      #expect(writer.abandon(nil) == nil)
      #expect(try isOld() && !writer.isPlayable)

      (writer, picture, sound) = try begin()
      for packet in try Self.packets(8) { try writer.append(packet, to: sound) }
      for frame in try Self.pictures(8) { try writer.append(frame, to: picture) }
      #expect(try !isOld() && writer.isPlayable)
      writer.cancel()

      (writer, picture, sound) = try begin()
      for packet in try Self.packets(40) { try writer.append(packet, to: sound) }
      #expect(try !isOld() && writer.isPlayable)
      try writer.finish()
    }
  }

  @Test("A track whose first sample comes late is in an unfinished movie, too")
  func lateTrack() throws {
    try withMovieFolder { folder in
      let path = "\(folder)/a.mov"
      let (writer, track) = try writer(path)
      let sound = try writer.addTrack(MovieTrackSettings(mediaType: kCMMediaType_Audio))
      for picture in try Self.pictures(40) { try writer.append(picture, to: track) }
      #expect(try count(path) > 20)
      for packet in try Self.packets(40) { try writer.append(packet, to: sound) }
      try writer.flush()
      #expect(try count(path) == 40)
      let probe = try Program.probe(path + ".copy")
      #expect(probe.stream("audio")["codec_name"] as? String == "aac")
      #expect(try Program.frameTimes(path + ".copy", stream: "a:0").count > 30)
      try writer.finish()
      #expect(try Program.probe(path).streams.count == 2)
    }
  }

  @Test("No fragment's header crosses a page, at whose end a file may end after a power cut")
  func pages() throws {
    try withMovieFolder { folder in
      let path = "\(folder)/a.mov"
      let (writer, track) = try writer(path, interval: CMTime(value: 1, timescale: 30))
      for picture in try Self.pictures(120) { try writer.append(picture, to: track) }
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
      var place = 0
      var fragments = 0
      while place + 8 <= bytes.count {
        let size = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
        let type = String(decoding: bytes[place + 4..<place + 8], as: UTF8.self)
        if type == "moof" {
          fragments += 1
          #expect(place / 4096 == (place + size + 7) / 4096)
        }
        place += size
      }
      #expect(place == bytes.count && fragments > 100)
      // What a power cut leaves: all up to some page, which ffprobe opens.
      for end in stride(from: 4096, to: bytes.count, by: 4096 * max(1, bytes.count / 4096 / 8)) {
        let cut = "\(folder)/cut.mov"
        try Data(bytes[..<end]).write(to: URL(fileURLWithPath: cut))
        #expect(try Program.probe(cut).streams.count == 1)
      }
      writer.cancel()
    }
  }

  /// A change by other programs of a file that is written.
  enum Deed: String, CaseIterable, Sendable {
    case remove, removeFolder, replace, rename, renameFolder, empty, cut, add
    case link, forbid, folderBehindLink

    var isHarmless: Bool { [.link, .forbid, .folderBehindLink].contains(self) }

    func run(_ folder: String) throws {
      let script =
        switch self {
        case .remove: "rm a.mov"
        case .removeFolder: "rm -r ../place"
        case .replace: "echo mine > b; mv b a.mov"
        case .rename: "mv a.mov other.mov"
        case .renameFolder: "mv ../place ../elsewhere"
        case .empty: ": > a.mov"
        case .cut: "truncate -s 5000 a.mov"
        case .add: "echo more >> a.mov"
        case .link: "ln a.mov b.mov"
        case .forbid: "chmod 0 a.mov"
        case .folderBehindLink: "mv ../place ../elsewhere; ln -s elsewhere ../place"
        }
      try Program.run("bash", ["-c", "cd '\(folder)'; \(script)"])
    }
  }

  private func failure(_ body: () throws -> Void) -> [MovieFileError] {
    do {
      try body()
      return []
    } catch {
      return [error].compactMap { $0 as? MovieFileError }
    }
  }

  @Test("A file that another program takes away is told, and what can be kept is", arguments: Deed.allCases)
  func displaced(deed: Deed) throws {
    try withMovieFolder { top in
      let folder = "\(top)/place"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      let path = "\(folder)/a.mov"
      let (writer, track) = try writer(path)
      let pictures = try Self.pictures(60)
      for picture in pictures[..<30] { try writer.append(picture, to: track) }
      try deed.run(folder)
      var failures: [MovieFileError] = []
      for picture in pictures[30...] {
        failures += failure { try writer.append(picture, to: track) }
      }
      failures += failure { try writer.finish() }
      if deed.isHarmless {
        #expect(failures.isEmpty && writer.isPlayable)
        try Program.run("chmod", ["600", path])
        #expect(try Program.frameTimes(path).count == 60)
        return
      }
      #expect(failures.count >= 2 && failures.allSatisfy { $0.reason == .displaced })
      let sentence = try #require(failures.last?.description)
      #expect(sentence.contains(path))
      // Where the movie is, as the sentence says.
      let kept: (path: String, frames: Int)? =
        switch deed {
        case .remove, .add: (path, 60)
        case .replace: ("\(folder)/a-1.mov", 60)
        case .rename: ("\(folder)/other.mov", 60)
        case .renameFolder: ("\(top)/elsewhere/a.mov", 60)
        default: nil
        }
      if let kept {
        #expect(sentence.contains(kept.path) || kept.path == path, "\(sentence)")
        #expect(try Program.frameTimes(kept.path).count == kept.frames)
      }
      #expect(writer.isPlayable == (kept?.path == path || deed == .cut), "\(sentence)")
      if deed == .cut { #expect(try Program.frameTimes(path).count >= 1) }
      if !writer.isPlayable { writer.cancel() }
      // Another program's file is not touched.
      if deed == .replace { #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine\n") }
    }
  }
}
