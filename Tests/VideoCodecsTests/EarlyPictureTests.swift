import CoreMedia
import CoreVideo
import Foundation
import MediaFiles
import MovieTools
import Testing
import VideoCodecs

@Suite("Pictures before their turn")
struct EarlyPictureTests {
  struct Stream: Sendable, CustomTestStringConvertible {
    let codec: String
    var options: [String] = []
    var testDescription: String { ([codec] + options).joined(separator: " ") }
  }

  private static let openGroups = "open-gop=1:keyint=8:min-keyint=8:bframes=3:b-adapt=0:scenecut=0"
  private static let streams = [
    Stream(codec: "libx264", options: ["-bf", "3", "-g", "8", "-x264-params", "b-pyramid=normal:b-adapt=0"]),
    Stream(codec: "libx264", options: ["-x264-params", openGroups]),
    Stream(codec: "libx264", options: ["-x264-params", "tff=1:bframes=2:keyint=8"]),
    Stream(codec: "libx265", options: ["-x265-params", "bframes=4:keyint=8:log-level=none"]),
    Stream(codec: "libx265", options: ["-x265-params", "open-gop=1:bframes=3:keyint=8:log-level=none"]),
    Stream(codec: "mpeg4", options: ["-bf", "2", "-g", "8"]),
    Stream(codec: "mpeg2video", options: ["-bf", "2", "-g", "8"]),
    // Its pictures that are not shown are decoded with those that are.
    Stream(codec: "libvpx-vp9", options: ["-auto-alt-ref", "1", "-lag-in-frames", "8", "-g", "8"]),
    Stream(codec: "mjpeg"),
  ]

  private func samples(of stream: Stream, _ folder: String) throws -> [CMSampleBuffer] {
    let path = "\(folder)/movie.mp4"
    // No whole blocks: what is cut off must stay so.
    try Program.make(
      path,
      [
        "-f", "lavfi", "-i", "testsrc2=size=70x52:rate=25:duration=1", "-pix_fmt", "yuv420p", "-c:v",
        stream.codec,
      ]
        + stream.options)
    let track = try #require(try MovieFile(path: path).tracks.first)
    let reader = try TrackReader(path: path, track: track)
    var samples: [CMSampleBuffer] = []
    while let sample = try reader.next() { samples.append(sample) }
    return samples
  }

  private func look(_ picture: VideoDecoder.Picture) -> [UInt8] {
    let plane = picture.pixels.planes[0]
    return (0..<plane.height).flatMap { row in
      let bytes = plane.row(row)
      return (0..<plane.width).map { bytes[$0] }
    }
  }

  private func decoder(_ samples: some Collection<CMSampleBuffer>, isEarly: Bool) throws -> VideoDecoder {
    try VideoDecoder(
      #require(samples.first?.formatDescription),
      pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
      threads: 1, givesEarly: isEarly)
  }

  @Test(
    "Each sample's own picture comes with it, the same that comes in the order of showing", arguments: streams
  )
  func early(stream: Stream) throws {
    try withMovieFolder { folder in
      let all = try samples(of: stream, folder)
      let second = all.dropFirst().firstIndex { $0.isKeyFrame() } ?? 0
      // From the beginning, and from where pictures lack what they were made of.
      for samples in [all[...], all[second...]] {
        let late = try decoder(samples, isEarly: false)
        var wanted: [CMTime: [UInt8]] = [:]
        for sample in samples {
          for picture in try late.decode(sample) { wanted[picture.time] = look(picture) }
        }
        for picture in try late.finish() { wanted[picture.time] = look(picture) }
        let early = try decoder(samples, isEarly: true)
        var count = 0
        for sample in samples {
          let pictures = try early.decode(sample, isEarly: true)
          #expect(
            pictures.map(\.time)
              == (wanted[sample.presentationTimeStamp] == nil ? [] : [sample.presentationTimeStamp]))
          for picture in pictures {
            count += 1
            #expect(
              CVPixelBufferGetWidth(picture.pixels) == 70 && CVPixelBufferGetHeight(picture.pixels) == 52)
            #expect(look(picture) == wanted[picture.time])
          }
        }
        #expect(try early.finish().isEmpty)
        #expect(count == wanted.count && count > 8)
      }
    }
  }

  @Test("Where decoding begins between key frames, no picture comes before the next of these")
  func noKey() throws {
    try withMovieFolder { folder in
      let samples = try samples(
        of: Stream(codec: "libx264", options: ["-g", "8", "-x264-params", "scenecut=0:bframes=2"]), folder)
      let decoder = try decoder(samples, isEarly: true)
      let key = try #require(samples.dropFirst().firstIndex { $0.isKeyFrame() })
      for index in 1..<key { #expect(try decoder.decode(samples[index], isEarly: true).isEmpty) }
      #expect(try decoder.decode(samples[key], isEarly: true).count == 1)
    }
  }
}
