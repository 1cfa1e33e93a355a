import AVFCore
import CoreMedia
import Foundation
import MovieTools
import Testing

@Suite("Frame and bit rates of movies")
struct FrameRateTests {
  private func track(_ path: String, _ type: AVMediaType = .video) throws -> AVAssetTrack {
    let asset = AVURLAsset(url: URL(fileURLWithPath: path))
    return try withExtendedLifetime(asset) { try #require(asset.tracks(withMediaType: type).first) }
  }

  /// Bits a second of a stream by `ffprobe`'s packets.
  private func bitRate(_ path: String, _ seconds: Double, stream: String = "v:0") throws -> Double {
    let sizes = try Program.run(
      "ffprobe",
      ["-v", "error", "-select_streams", stream, "-show_entries", "packet=size", "-of", "csv=p=0", path])
    return sizes.split(separator: "\n").compactMap { Double($0.split(separator: ",")[0]) }.reduce(0, +) * 8
      / seconds
  }

  @Test(
    "Matroska, fragments with and without an index, AVI, MPEG-TS and trimmed movies have the rate at which they are shown",
    arguments: [
      ("25", "plain.mkv", [String]()), ("24000/1001", "odd.mkv", []), ("30000/1001", "ntsc.webm", []),
      ("25", "dash.mp4", ["-movflags", "dash", "-frag_duration", "300000"]),
      ("30", "index.mp4", ["-movflags", "+frag_keyframe+empty_moov+default_base_moof+global_sidx"]),
      ("50", "fragments.mp4", ["-movflags", "+frag_keyframe+empty_moov"]), ("25", "plain.avi", []),
      ("25", "stream.ts", []), ("12.5", "slow.mp4", []), ("60", "fast.mov", []),
    ])
  func constant(rate: String, name: String, options: [String]) throws {
    try withMovieFolder { folder in
      let path = "\(folder)/\(name)"
      let codec = name.hasSuffix("webm") ? "libvpx" : "libx264"
      try Program.make(
        path,
        [
          "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=\(rate):duration=4", "-f", "lavfi", "-i",
          "sine=duration=4.4:sample_rate=48000", "-c:v", codec, "-pix_fmt", "yuv420p", "-g", "10", "-c:a",
          name.hasSuffix("webm") ? "libopus" : "aac",
        ] + options)
      let parts = rate.split(separator: "/").compactMap { Double($0) }
      let wanted = parts[0] / (parts.count > 1 ? parts[1] : 1)
      let track = try track(path)
      #expect(abs(Double(track.nominalFrameRate) - wanted) < wanted * 0.002, "\(track.nominalFrameRate)")
      let bits = try bitRate(path, 4)
      #expect(abs(Double(track.estimatedDataRate) / bits - 1) < 0.05, "\(track.estimatedDataRate) \(bits)")
    }
  }

  @Test("Matroska without a frame duration, and with frames that vary, has the average")
  func varying() throws {
    try withMovieFolder { folder in
      let path = "\(folder)/varying.mkv"
      // Two of three frames of 30 a second, and of those that are left each has the file's own wrong duration.
      try Program.make(
        path,
        [
          "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=30:duration=4,select='mod(n\\,3)'", "-fps_mode",
          "vfr", "-c:v",
          "libx264", "-pix_fmt", "yuv420p",
        ])
      #expect(abs(try track(path).nominalFrameRate - 20) < 0.3)
    }
  }

  @Test(
    "Trimmed to a few frames, a movie keeps its rates", arguments: [(40, 1), (80, 2), (200, 5), (1000, 25)])
  func trimmed(milliseconds: Int, count: Int) throws {
    try withMovieFolder { folder in
      let path = "\(folder)/trimmed.mp4"
      try Program.make(
        path,
        [
          "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=25:duration=4", "-c:v", "libx264", "-bf", "2",
          "-pix_fmt",
          "yuv420p", "-g", "50",
        ])
      let whole = try track(path)
      try PatchedEdits.write([(milliseconds, 1024 + 20 * 512)], into: path)
      let track = try track(path)
      #expect(track.nominalFrameRate == whole.nominalFrameRate && whole.nominalFrameRate == 25)
      #expect(track.estimatedDataRate > 0 && track.estimatedDataRate < 4 * whole.estimatedDataRate)
      let asset = AVURLAsset(url: URL(fileURLWithPath: path))
      #expect(try EditingStage.pictures(asset).count == count)
    }
  }
}
