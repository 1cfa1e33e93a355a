import AVFCore
import CoreMedia
import Foundation
import FoundationExtras
import MovieTools
import Testing

@Suite("AVVideoComposition: what cannot be set")
struct VideoCompositionMistakeTests {
  @Test("A video composition that cannot be set is a mistake without effect")
  func compositions() async throws {
    try await withMovieFolder { folder in
      let asset = try await EditingStage.movie(folder, frames: 5)
      let good = AVMutableVideoComposition(propertiesOf: asset)
      let bad = (0..<4).map { _ in AVMutableVideoComposition(propertiesOf: asset) }
      bad[0].frameDuration = .zero
      bad[1].frameDuration = .invalid
      bad[2].renderSize = .zero
      bad[3].instructions = []
      let session = try #require(
        AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetHighestQuality))
      let output = AVAssetReaderVideoCompositionOutput(videoTracks: asset.tracks, videoSettings: nil)
      let generator = AVAssetImageGenerator(asset: asset)
      let item = AVPlayerItem(asset: asset)
      (session.videoComposition, output.videoComposition, generator.videoComposition) = (good, good, good)
      item.videoComposition = good
      for composition in bad {
        let mistakes = ProgrammingMistake.collect {
          session.videoComposition = composition
          output.videoComposition = composition
          generator.videoComposition = composition
          item.videoComposition = composition
        }
        #expect(mistakes.count == 4)
      }
      #expect(session.videoComposition === good && output.videoComposition === good)
      #expect(
        generator.videoComposition === good && item.videoComposition?.frameDuration == good.frameDuration)
    }
  }
}
