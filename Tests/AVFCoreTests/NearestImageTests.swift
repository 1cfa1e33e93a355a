import AVFCore
import CoreMedia
import Foundation
import MovieTools
import Testing

@Suite("Images outside of what is shown, and in short groups of pictures")
struct NearestImageTests {
  /// Two seconds of 25 numbered frames a second, with three seconds of sound.
  private func movie(_ folder: String) throws -> AVURLAsset {
    let path = "\(folder)/longer-sound.mp4"
    try Program.make(
      path,
      [
        "-f", "lavfi", "-i",
        "color=black:size=64x48:rate=25:duration=2,format=yuv420p,geq=lum='25+mod(N\\,16)*13':cb=128:cr=128",
        "-f",
        "lavfi", "-i", "sine=duration=3:sample_rate=48000", "-c:v", "libx264", "-g", "10", "-c:a", "aac",
      ])
    return AVURLAsset(url: URL(fileURLWithPath: path))
  }

  private func time(_ generator: AVAssetImageGenerator, _ seconds: Double) throws -> Double {
    var actual = CMTime.invalid
    _ = try generator.copyCGImage(at: CMTime(seconds: seconds, preferredTimescale: 600), actualTime: &actual)
    return actual.seconds
  }

  @Test("By default the nearest picture is given, where sound is longer, beyond the end and before zero")
  func nearest() throws {
    try withMovieFolder { folder in
      let generator = AVAssetImageGenerator(asset: try movie(folder))
      for late in [2.0, 2.5, 3, 3.5, 100] {
        #expect(abs(try time(generator, late) - 1.96) < 0.001, "\(late)")
      }
      for early in [-0.001, -5.0] { #expect(try time(generator, early) == 0) }
    }
  }

  @Test("A picture that the tolerances rule out is an error with its code")
  func ruledOut() throws {
    try withMovieFolder { folder in
      let generator = AVAssetImageGenerator(asset: try movie(folder))
      func code(_ seconds: Double) -> AVError.Code? {
        #expect(throws: AVError.self) { try time(generator, seconds) }?.code
      }
      (generator.requestedTimeToleranceBefore, generator.requestedTimeToleranceAfter) = (.zero, .zero)
      #expect(code(2.5) == .noImageAtTime && code(3.5) == .noImageAtTime && code(-0.1) == .noImageAtTime)
      generator.requestedTimeToleranceBefore = CMTime(value: 1, timescale: 1)
      #expect(abs(try time(generator, 2.5) - 1.96) < 0.001)
      #expect(code(3.5) == .noImageAtTime && code(-0.1) == .noImageAtTime)
      generator.requestedTimeToleranceAfter = CMTime(value: 1, timescale: 2)
      #expect(try time(generator, -0.1) == 0)
      #expect(code(-0.6) == .noImageAtTime)
    }
  }

  @Test("In a gap of a composition the nearer picture is given")
  func gap() throws {
    try withMovieFolder { folder in
      let track = try #require(try movie(folder).tracks(withMediaType: .video).first)
      let composition = AVMutableComposition()
      let made = try #require(composition.addMutableTrack(withMediaType: .video, preferredTrackID: 1))
      let part = CMTimeRange(start: CMTime(value: 1, timescale: 5), duration: CMTime(value: 2, timescale: 5))
      try made.insertTimeRange(part, of: track, at: CMTime(value: 1, timescale: 1))
      try made.insertTimeRange(part, of: track, at: CMTime(value: 3, timescale: 1))
      let generator = AVAssetImageGenerator(asset: composition)
      for (asked, found) in [(0.2, 1.0), (1.5, 1.36), (2.9, 3.0), (9, 3.36), (-1, 1)] {
        #expect(abs(try time(generator, asked) - found) < 0.001, "\(asked)")
      }
      (generator.requestedTimeToleranceBefore, generator.requestedTimeToleranceAfter) = (.zero, .zero)
      #expect(throws: AVError.self) { try time(generator, 2) }
      #expect(abs(try time(generator, 1.2) - 1.2) < 0.001)
    }
  }

  @Test("A video composition has its first and last frame for times outside of it")
  func composed() throws {
    try withMovieFolder { folder in
      let asset = try movie(folder)
      let generator = AVAssetImageGenerator(asset: asset)
      generator.videoComposition = AVMutableVideoComposition(propertiesOf: asset)
      #expect(abs(try time(generator, 50) - 2.96) < 0.045)
      #expect(try time(generator, -1) == 0)
      generator.requestedTimeToleranceBefore = .zero
      #expect(throws: AVError.self) { try time(generator, 50) }
    }
  }

  @Test(
    "In short open groups of pictures each frame is the one that was asked for",
    arguments: [(3, 2), (4, 3), (2, 1), (5, 2)])
  func openGroups(length: Int, reordered: Int) throws {
    try withMovieFolder { folder in
      let path = "\(folder)/open.mp4"
      try Program.make(
        path,
        [
          "-f", "lavfi", "-i",
          "color=black:size=64x48:rate=10:duration=3,format=yuv420p,geq=lum='25+mod(N\\,16)*13':cb=128:cr=128",
          "-c:v",
          "libx264", "-x264-params",
          "open-gop=1:keyint=\(length):min-keyint=1:bframes=\(reordered):b-adapt=0:scenecut=0:rc-lookahead=0",
        ])
      let generator = AVAssetImageGenerator(asset: AVURLAsset(url: URL(fileURLWithPath: path)))
      (generator.requestedTimeToleranceBefore, generator.requestedTimeToleranceAfter) = (.zero, .zero)
      for number in 0..<30 {
        let found = try time(generator, Double(number) / 10 + 0.01)
        #expect(abs(found - Double(number) / 10) < 0.001, "\(number): \(found)")
      }
    }
  }
}
