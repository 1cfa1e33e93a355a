import AVFAudio
import AVFCore
import CoreMedia
import CoreVideo
import Foundation
import MovieTools
import SeededNumbers
import Testing

@Suite("Mutated movies in compositions")
struct MutatedCompositionTests {
  @Test("Compositions of cut and changed files end in an error or with frames, never in a crash")
  func mutated() async throws {
    let count = ProcessInfo.processInfo.environment["OBSCURA_MUTATIONS"].flatMap { Int($0) } ?? 400
    try await withMovieFolder { folder in
      let source = try await EditingStage.movie(folder, frames: 12, hasAudio: true, keyInterval: 4)
      let whole = try Data(contentsOf: source.url)
      var numbers = SeededGenerator(seed: 7)
      func random(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &numbers) }
      var read = 0
      let rounds = count / 10
      for round in 0..<rounds {
        var bytes = round % 4 == 0 ? whole.prefix(whole.count / 2 + random(whole.count / 2)) : whole
        if round % 4 != 0 {
          for _ in 0..<(1 + random(3)) { bytes[random(bytes.count)] = UInt8(random(256)) }
        }
        let url = URL(fileURLWithPath: "\(folder)/mutated.mov")
        try bytes.write(to: url)
        let composition = AVMutableComposition()
        let asset = AVURLAsset(url: url)
        for start in [6, 0] {
          try? composition.insertTimeRange(EditingStage.range(start, 4), of: asset, at: .invalid)
        }
        composition.scaleTimeRange(EditingStage.range(1, 3), toDuration: EditingStage.frames(5))
        read += consume(composition)
      }
      #expect(read > rounds)
    }
  }

  /// Reads what there is, and counts it.
  private func consume(_ asset: AVAsset) -> Int {
    guard let reader = try? AVAssetReader(asset: asset) else { return 0 }
    let (video, audio) = (asset.tracks(withMediaType: .video), asset.tracks(withMediaType: .audio))
    let pictures = AVAssetReaderVideoCompositionOutput(videoTracks: video, videoSettings: nil)
    let composition = AVVideoComposition(propertiesOf: asset)
    let isUsable = composition.renderSize.width > 0 && composition.renderSize.height > 0
    if isUsable { pictures.videoComposition = composition }
    let mix = AVAssetReaderAudioMixOutput(audioTracks: audio, audioSettings: nil)
    let outputs = (isUsable ? [pictures, mix] : [mix]).filter { reader.canAdd($0) }
    for output in outputs { reader.add(output) }
    guard !outputs.isEmpty, reader.startReading() else { return 0 }
    var count = 0
    for output in outputs {
      // Changed times may make a composition long.
      while count < 200, output.copyNextSampleBuffer() != nil { count += 1 }
    }
    reader.cancelReading()
    return count
  }
}
