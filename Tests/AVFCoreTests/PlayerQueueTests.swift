import AVFCore
import CoreMedia
import CoreVideo
import Foundation
import FoundationExtras
import MovieTools
import QuartzCore
import Testing

@Suite("Queues of items, and layers") @MainActor
struct PlayerQueueTests {
  @Test("Items follow each other without a gap, on the clock and not on when the end was noticed")
  func gapless() async throws {
    try await PlayerStage.inFolder { stage in
      let url = try stage.movie(seconds: 2, audio: false)
      let items = (0..<3).map { _ in AVPlayerItem(url: url) }
      let player = AVQueuePlayer(items: items)
      player.sourceClock = stage.clock
      #expect(player.actionAtItemEnd == .advance && player.items() == items)
      let extra = AVPlayerItem(url: url)
      #expect(player.canInsert(extra, after: items[2]) && !player.canInsert(items[0], after: nil))
      player.insert(extra, after: items[0])
      #expect(player.items() == [items[0], extra, items[1], items[2]])
      player.remove(items[1])
      await stage.ready(items[0])
      await stage.ready(extra)
      await stage.drain()
      player.play()
      await stage.move(1.9, of: player)
      #expect(player.currentItem === items[0])
      // The end is noticed a tenth of a second late, and the next item's time is that of its beginning.
      await stage.move(0.2, of: player)
      #expect(player.currentItem === extra)
      #expect(abs(player.currentTime().seconds - 0.1) < 1e-6)
      #expect(player.timeControlStatus == .playing)
      await stage.ready(items[2])
      player.advanceToNextItem()
      #expect(player.items() == [items[2]] && player.currentTime() == .zero)
      player.removeAllItems()
      #expect(player.currentItem == nil)
      #expect(ProgrammingMistake.collect { player.insert(items[0], after: items[1]) }.count == 1)
    }
  }

  @Test("An item that cannot be played is passed over, and the last one's end ends playing")
  func passedOver() async throws {
    try await PlayerStage.inFolder { stage in
      let good = AVPlayerItem(url: try stage.movie(seconds: 1, audio: false))
      let missing = AVPlayerItem(url: URL(fileURLWithPath: "\(stage.folder)/missing.mov"))
      let player = AVQueuePlayer(items: [missing, good])
      player.sourceClock = stage.clock
      player.play()
      for await item in player.values(for: \.currentItem) where item === good { break }
      for await status in player.values(for: \.timeControlStatus) where status == .playing { break }
      await stage.move(1.1, of: player)
      #expect(player.currentItem == nil && player.rate == 0)
    }
  }

  @Test("A looper plays a part over and over, to the frame")
  func looper() async throws {
    try await PlayerStage.inFolder { stage in
      let template = AVPlayerItem(url: try stage.movie(audio: false))
      let player = AVQueuePlayer()
      player.sourceClock = stage.clock
      let looper = AVPlayerLooper(
        player: player, templateItem: template, timeRange: CMTimeRange(start: seconds(1), end: seconds(1.4)))
      #expect(looper.loopingPlayerItems.count == 3 && player.items().count == 3)
      for item in looper.loopingPlayerItems.prefix(2) { await stage.ready(item) }
      #expect(looper.status == .ready && looper.error == nil)
      let counts = Diary<Int>()
      let watch = looper.observe(\.loopCount, options: .new) { _, change in
        if let value = change.newValue { counts.note(value) }
      }
      player.play()
      let layer = AVPlayerLayer(player: player)
      for step in 0..<33 {
        let expected = 1 + Double(step % 8) * 0.05
        #expect(abs(player.currentTime().seconds - expected) < 1e-4)
        let frame = try #require(layer.frames.takeNewest())
        #expect(TestMovie.number(of: frame.pixels) == Int(expected * 25 + 1e-3) % 16)
        await stage.move(0.05, of: player)
        // The next copies are decoded on their own threads.
        if let next = player.items().dropFirst().first { await stage.loaded(next) }
      }
      #expect(looper.loopCount == 4 && counts.entries == [1, 2, 3, 4])
      looper.disableLooping()
      #expect(looper.status == .cancelled && player.items().count == 1)
      await stage.move(1, of: player)
      #expect(player.currentItem == nil)
      watch.invalidate()
    }
  }

  @Test("A layer shows the frame on show, turned as the file says, where its gravity puts it")
  func layer() async throws {
    try await PlayerStage.inFolder { stage in
      let plain = try stage.movie(audio: false)
      let turned = URL(fileURLWithPath: "\(stage.folder)/turned.mov")
      try Program.make(turned.path, ["-i", plain.path, "-c", "copy", "-metadata:s:v", "rotate=90"])
      let layer = AVPlayerLayer()
      layer.bounds = CGRect(x: 0, y: 0, width: 96, height: 96)
      #expect(!layer.isReadyForDisplay && layer.videoRect == .zero && layer.player == nil)
      #expect(try layer.makePicture() == nil)
      let ready = Diary<Bool>()
      let watch = layer.observe(\.isReadyForDisplay, options: .new) { _, change in
        if let value = change.newValue { ready.note(value) }
      }
      let player = await stage.player(turned)
      layer.player = player
      await stage.drain()
      #expect(layer.isReadyForDisplay && ready.entries == [true])
      #expect(player.currentItem?.presentationSize == CGSize(width: 48, height: 64))
      #expect(layer.videoRect == CGRect(x: 12, y: 0, width: 72, height: 96))
      let frame = try #require(layer.frames.takeNewest())
      #expect(frame.rotationAngle == 270 && !frame.isMirrored && frame.itemTime == .zero)
      #expect(layer.displayedPixelBuffer().map { CVPixelBufferGetWidth($0) } == 64)
      let calls = Diary<CMTime>()
      let frames = layer.frames
      frames.setFrameHandler { if let frame = frames.takeNewest() { calls.note(frame.itemTime) } }
      player.play()
      for _ in 0..<5 { await stage.move(0.04, of: player) }
      #expect(layer.frames.takeNewest()?.itemTime == CMTime(value: 5, timescale: 25))
      let picture = try #require(try layer.makePicture())
      #expect(CVPixelBufferGetWidth(picture) == 96)
      // Black beside the picture, the frame's grey in it.
      let row = picture.planes[0].row(48)
      #expect(row[4 * 4] == 0 && row[4 * 48] > 60)
      layer.videoGravity = .resizeAspectFill
      #expect(layer.videoRect == CGRect(x: 0, y: -16, width: 96, height: 128))
      layer.videoGravity = .resize
      #expect(layer.videoRect == layer.bounds)
      layer.frames.setFrameHandler(nil)
      #expect(calls.entries.last.map { $0 <= CMTime(value: 5, timescale: 25) } ?? true)
      layer.player = nil
      await stage.drain()
      #expect(!layer.isReadyForDisplay && layer.frames.takeNewest() == nil)
      watch.invalidate()
    }
  }
}
