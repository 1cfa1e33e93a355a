import AVFCore
import CoreMedia
import Foundation
import GraphicsCore
import MovieTools
import Testing

@Suite("Movies that cannot be played")
struct UnplayableMovieTests {
  @Test func `an encrypted movie says so before it is played`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "encrypted-\(UUID().uuidString)"
    ).path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let plain = "\(folder)/plain.mp4"
    let path = "\(folder)/encrypted.mp4"
    let media = [
      "-f", "lavfi", "-i", "testsrc=size=64x48:rate=25:duration=1", "-f", "lavfi", "-i", "sine=duration=1",
      "-c:v",
      "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac",
    ]
    try Program.make(plain, media)
    let key = "76a6c65c5ea762046bd749a2e632ccbb"
    try Program.make(
      path, media + ["-encryption_scheme", "cenc-aes-ctr", "-encryption_key", key, "-encryption_kid", key])
    let open = AVURLAsset(url: URL(fileURLWithPath: plain))
    #expect(open.isPlayable && open.isExportable && open.isComposable && !open.hasProtectedContent)
    let asset = AVURLAsset(url: URL(fileURLWithPath: path))
    #expect(!asset.isPlayable)
    #expect(asset.hasProtectedContent && !asset.isExportable && !asset.isComposable)
    #expect(asset.tracks.count == 2 && asset.tracks.allSatisfy { !$0.isPlayable && !$0.isDecodable })
  }

  /// An encoder of FFmpeg's, and how it samples colours.
  struct Sampling: CustomTestStringConvertible {
    var encoder: String
    var format: String
    var isGray = false
    var testDescription: String { "\(encoder) \(format)" }
  }

  @Test(arguments: [
    Sampling(encoder: "libx264", format: "yuv444p"), Sampling(encoder: "libx264", format: "yuv422p10le"),
    Sampling(encoder: "libx264", format: "yuv444p10le"), Sampling(encoder: "libx264rgb", format: "rgb24"),
    Sampling(encoder: "libx265", format: "yuv444p"), Sampling(encoder: "libx265", format: "gbrp"),
    Sampling(encoder: "libx265", format: "gbrp10le"),
    Sampling(encoder: "libx265", format: "gray", isGray: true),
    Sampling(encoder: "libx265", format: "gray10le", isGray: true),
    Sampling(encoder: "prores_ks", format: "yuva444p10le"),
  ])
  func `a movie that says that it is playable shows its pictures, however colours are sampled`(
    sampling: Sampling
  ) throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(
      "sampled-\(UUID().uuidString).mov"
    ).path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let picture = "color=c=0xC83214:size=64x48:rate=25:duration=0.2"
    var arguments = ["-f", "lavfi", "-i", picture, "-c:v", sampling.encoder, "-pix_fmt", sampling.format]
    if sampling.encoder == "libx265" { arguments += ["-x265-params", "log-level=none"] }
    try Program.make(path, arguments)
    let asset = AVURLAsset(url: URL(fileURLWithPath: path))
    #expect(asset.isPlayable)
    let image = try AVAssetImageGenerator(asset: asset).copyCGImage(at: .zero, actualTime: nil)
    let pixel = try #require(image.dataProvider?.data as Data?).prefix(4).map { Int($0) }
    // 0.299 × 200 + 0.587 × 50 + 0.114 × 20 is 91; blue may come first.
    let expected = sampling.isGray ? [91, 91, 91] : [200, 50, 20]
    let isNear = [pixel, pixel.prefix(3).reversed()].contains { found in
      zip(found, expected).allSatisfy { abs($0 - $1) <= 8 }
    }
    #expect(isNear, "\(pixel) for \(expected)")
  }
}
