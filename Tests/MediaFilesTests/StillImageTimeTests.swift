import CoreMedia
import CoreVideo
import Foundation
import FoundationExtras
import MediaFiles
import MovieTools
import PixelTransforms
import Testing
import VideoCodecs

@Suite("Movies of Live Photos")
struct StillImageTimeTests {
  private static let frame: Int64 = 33_333_333
  private static let first: Int64 = 5_000_000_000

  private func time(_ nanoseconds: Int64) -> CMTime { CMTime(value: nanoseconds, timescale: 1_000_000_000) }

  /// Four seconds, coded as they come.
  private func samples() throws -> [CMSampleBuffer] {
    var settings = VideoEncoderSettings(codec: .h264, size: PixelSize(width: 64, height: 48))
    settings.prefersHardware = false
    settings.timescale = 1_000_000
    settings.bitRate = 200_000
    settings.expectedFrameRate = 30
    settings.keyFrameSeconds = 0.5
    settings.allowsFrameReordering = false
    settings.isLowLatency = true
    settings.isHasty = true
    let encoder = try VideoEncoder(settings, first: TestMovie.picture(0))
    return try (0..<120).map { number in
      let coded = try encoder.encode(
        TestMovie.picture(number), at: time(Self.first + Int64(number) * Self.frame))
      // Each comes out before the next goes in.
      #expect(coded.count == 1 && encoder.heldCount == 0)
      return try #require(coded.first)
    }
  }

  @Test func `begin inside a group of pictures, and say when the photo was taken`() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("live-\(UUID().uuidString).mov")
      .path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let samples = try samples()
    let keys = samples.indices.filter { samples[$0].isKeyFrame() }
    #expect(keys == Array(stride(from: 0, to: 120, by: 15)))
    var settings = MovieWriter.Settings(container: .quickTime)
    settings.metadata = [
      MovieMetadata(keySpace: .quickTimeMetadata, key: StillImageTime.identifierKey, value: .text("A name"))
    ]
    let writer = try MovieWriter(path: path, settings: settings)
    let video = try writer.addTrack(
      MovieTrackSettings(mediaType: kCMMediaType_Video, format: samples[0].formatDescription))
    let format = try #require(StillImageTime.format)
    var timed = MovieTrackSettings(mediaType: kCMMediaType_Metadata, format: format)
    timed.timescale = 1_000_000
    let still = try writer.addTrack(timed)
    writer.associate(video, with: still, as: StillImageTime.reference)
    // Shown from the twentieth on, decoded from the key frame before that.
    let start = Self.first + 20 * Self.frame
    writer.begin(at: time(start))
    for sample in samples[15..<110] { try writer.append(sample, to: video) }
    try writer.append(StillImageTime.sample(at: time(start + 1_500_000_000), format), to: still)
    try writer.finish(at: time(start + 3_000_000_000))

    let times = try Program.frameTimes(path)
    #expect(times.count == 90 && abs(times[0]) < 0.001)
    let packets = try Program.run(
      "ffprobe",
      ["-v", "error", "-select_streams", "d:0", "-show_entries", "packet=pts_time", "-of", "csv=p=0", path])
    let moment = try #require(
      packets.split(whereSeparator: { ",\n".contains($0) }).first.flatMap { Double($0) })
    #expect(abs(moment - 1.5) < 0.001)
    let file = try MovieFile(path: path)
    #expect(abs(file.duration.seconds - 3) < 0.001)
    #expect(file.metadata.contains { $0.key == StillImageTime.identifierKey && $0.value == .text("A name") })
    let track = try #require(file.tracks.first { $0.mediaType == kCMMediaType_Metadata })
    let described = try MetadataKey.all(of: #require(track.format))
    #expect(described.map { String(decoding: $0.name, as: UTF8.self) } == [StillImageTime.key])
    let reader = try TrackReader(path: path, track: track)
    let sample = try #require(try reader.next())
    #expect(try Array(#require(sample.dataBuffer).dataBytes()) == [0, 0, 0, 9, 0, 0, 0, 1, 0xFF])
    #expect(abs(sample.presentationTimeStamp.seconds - 1.5) < 0.001)
  }
}
