import AVFCore
import CoreMedia
import CoreVideo
import Foundation
import GraphicsCore
import MovieTools
import Testing

@Suite("Players of compositions") @MainActor
struct PlayerCompositionTests {
  /// Half the size and half the rate.
  private func halved(_ asset: AVAsset, frames: Int = 30) throws -> AVMutableVideoComposition {
    let composition = AVMutableVideoComposition(propertiesOf: asset)
    composition.frameDuration = CMTime(value: 1, timescale: 15)
    composition.renderSize = CGSize(width: 32, height: 24)
    let layer = AVMutableVideoCompositionLayerInstruction(assetTrack: try #require(asset.tracks.first))
    layer.setTransform(CGAffineTransform(scaleX: 0.5, y: 0.5), at: .zero)
    let instruction = AVMutableVideoCompositionInstruction()
    instruction.timeRange = EditingStage.range(0, frames)
    instruction.layerInstructions = [layer]
    composition.instructions = [instruction]
    return composition
  }

  private func seek(_ player: AVPlayer, to time: Double) async {
    #expect(await player.seek(to: seconds(time), toleranceBefore: .zero, toleranceAfter: .zero))
  }

  /// The picture on show once it is that of a size.
  private func shown(_ layer: AVPlayerLayer, width: Int) async throws -> PlayerFrame {
    let (changes, source) = AsyncStream.makeStream(of: Void.self)
    layer.frames.setFrameHandler { source.yield() }
    defer { layer.frames.setFrameHandler(nil) }
    source.yield()
    for await _ in changes {
      if let frame = layer.frames.takeNewest(), CVPixelBufferGetWidth(frame.pixels) == width { return frame }
    }
    return try #require(layer.frames.takeNewest())
  }

  @Test("A video composition is what is shown, from the start, after a change, and frame by frame")
  func video() async throws {
    try await PlayerStage.inFolder { stage in
      let asset = try await EditingStage.movie(stage.folder)
      let item = AVPlayerItem(asset: asset)
      let composition = try halved(asset)
      item.videoComposition = composition
      // The item has a copy.
      composition.renderSize = CGSize(width: 640, height: 480)
      #expect(
        item.videoComposition?.renderSize == CGSize(width: 32, height: 24) && item.presentationSize == .zero)
      let player = AVPlayer()
      player.sourceClock = stage.clock
      let layer = AVPlayerLayer(player: player)
      player.replaceCurrentItem(with: item)
      await stage.ready(item)
      #expect(item.presentationSize == CGSize(width: 32, height: 24))
      // Between two frames of the composition the first of them is on show.
      await seek(player, to: 0.5)
      var frame = try await shown(layer, width: 32)
      #expect(frame.itemTime == CMTime(value: 7, timescale: 15) && TestMovie.number(of: frame.pixels) == 14)
      #expect(frame.presentationSize == CGSize(width: 32, height: 24))
      let before = item.currentTime()
      item.step(byCount: 1)
      // A seek would take the place of a step that is under way.
      while item.currentTime() == before { await stage.drain() }
      await seek(player, to: item.currentTime().seconds)
      #expect(layer.frames.takeNewest()?.itemTime == CMTime(value: 8, timescale: 15))
      // The end shows the last frame.
      await seek(player, to: 1)
      frame = try await shown(layer, width: 32)
      #expect(frame.itemTime == CMTime(value: 14, timescale: 15))

      await seek(player, to: 0.5)
      item.videoComposition = nil
      frame = try await shown(layer, width: 64)
      #expect(frame.itemTime == CMTime(value: 15, timescale: 30) && TestMovie.number(of: frame.pixels) == 15)
      #expect(item.presentationSize == CGSize(width: 64, height: 48))
      #expect((item.copy() as? AVPlayerItem)?.videoComposition == nil)
      item.videoComposition = try halved(asset)
      frame = try await shown(layer, width: 32)
      #expect(frame.itemTime == CMTime(value: 7, timescale: 15))
    }
  }

  @Test("A video composition is played at its own rate")
  func playing() async throws {
    try await PlayerStage.inFolder { stage in
      let asset = try await EditingStage.movie(stage.folder)
      let item = AVPlayerItem(asset: asset)
      item.videoComposition = try halved(asset)
      let player = AVPlayer()
      player.sourceClock = stage.clock
      let layer = AVPlayerLayer(player: player)
      player.replaceCurrentItem(with: item)
      await stage.ready(item)
      player.play()
      var numbers: [Int] = []
      for _ in 0..<29 {
        if let frame = layer.frames.takeNewest() { numbers.append(TestMovie.number(of: frame.pixels)) }
        await stage.move(1.0 / 30, of: player)
      }
      // How long each is shown depends on which moment of it the clock meets.
      let changes = zip(numbers, numbers.dropFirst()).filter { $0 != $1 }.map(\.1)
      #expect(changes == (1...changes.count).map { ($0 * 2) % 16 } && changes.count >= 13)
    }
  }

  @Test("One that does not fit the asset makes the item fail")
  func unfit() async throws {
    try await PlayerStage.inFolder { stage in
      let asset = try await EditingStage.movie(stage.folder)
      let item = AVPlayerItem(asset: asset)
      item.videoComposition = try halved(asset, frames: 20)
      let player = AVPlayer()
      player.sourceClock = stage.clock
      player.replaceCurrentItem(with: item)
      await stage.ready(item)
      #expect(item.status == .failed && (item.error as? AVError)?.code == .invalidVideoComposition)
    }
  }
}
