import CoreMedia
import CoreVideo
import Foundation
import MediaFiles
import MovieTools
import Testing
import VideoCodecs

@Suite("Live pictures")
struct LiveDecodingTests {
  private func luma(_ picture: VideoDecoder.Picture) -> [UInt8] {
    let plane = picture.pixels.planes[0]
    return (0..<plane.height).flatMap { row in
      let bytes = plane.row(row)
      return (0..<plane.width).map { bytes[$0] }
    }
  }

  @Test(arguments: ["libx264", "libx265"])
  func `a decoder that prefers the hardware gives the pictures of the processor`(_ codec: String) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("live-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = "\(folder.path)/movie.mp4"
    try Program.make(
      path,
      [
        "-f", "lavfi", "-i", "testsrc2=size=320x176:rate=25:duration=1", "-pix_fmt", "yuv420p", "-bf", "0",
        "-c:v", codec,
      ])
    let track = try #require(try MovieFile(path: path).tracks.first)
    func pictures(prefersHardware: Bool) throws -> [VideoDecoder.Picture] {
      let reader = try TrackReader(path: path, track: track)
      var decoder: VideoDecoder?
      var pictures: [VideoDecoder.Picture] = []
      while let sample = try reader.next() {
        let opened =
          try decoder
          ?? VideoDecoder(
            #require(sample.formatDescription),
            pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, isLive: true,
            prefersHardware: prefersHardware)
        decoder = opened
        pictures += try opened.decode(sample)
      }
      return pictures + (try decoder?.finish() ?? [])
    }
    let (wanted, made) = (try pictures(prefersHardware: false), try pictures(prefersHardware: true))
    #expect(wanted.count == 25 && made.map(\.time) == wanted.map(\.time))
    for (made, wanted) in zip(made, wanted) { #expect(luma(made) == luma(wanted)) }
  }

  @Test func `a word that asks for no decoder is named, and what can be asked for`() {
    for words in [nil, "vaapi", "none", "v4l2, vaapi"] { #expect(DecoderSurvey.mistake(in: words) == nil) }
    #expect(
      DecoderSurvey.mistake(in: "vapi, v4l2,VAAPI")
        == "No decoder of live pictures is called 'vapi' or 'VAAPI', which OBSCURA_DECODERS asks for; use vaapi, v4l2, both with a comma between them, or none for the processor alone."
    )
  }
}
