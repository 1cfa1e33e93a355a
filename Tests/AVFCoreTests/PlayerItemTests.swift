import AVFCore
import CoreMedia
import Foundation
import FoundationExtras
import MovieTools
import Testing

@Suite("AVPlayerItem") @MainActor
struct PlayerItemTests {
  @Test("An item of an asset plays it, and posts its notification where a player without an action goes on")
  func end() async throws {
    try await PlayerStage.inFolder { stage in
      let asset = AVURLAsset(url: try stage.movie(seconds: 1, audio: false))
      let item = AVPlayerItem(asset: asset)
      #expect(item.asset === asset && (item.copy() as? AVPlayerItem)?.asset === asset)
      let player = AVPlayer()
      player.sourceClock = stage.clock
      player.replaceCurrentItem(with: item)
      await stage.ready(item)
      let ends = Diary<String>()
      let observer = NotificationCenter.default.addObserver(
        forName: AVPlayerItem.didPlayToEndTimeNotification, object: item, queue: nil
      ) { note in ends.note(note.name.rawValue) }
      defer { NotificationCenter.default.removeObserver(observer) }
      #expect(player.actionAtItemEnd == .pause)
      player.actionAtItemEnd = .none
      player.play()
      await stage.move(0.9, of: player)
      #expect(ends.entries.isEmpty)
      await stage.move(0.6, of: player)
      #expect(ends.entries == ["AVPlayerItemDidPlayToEndTimeNotification"])
      #expect(player.rate == 1 && player.currentItem === item)
      #expect(abs(item.currentTime().seconds - 1.5) < 0.001)
    }
  }
}
