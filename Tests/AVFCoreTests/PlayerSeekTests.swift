import AVFCore
import CoreMedia
import CoreVideo
import Foundation
import FoundationExtras
import MovieTools
import Testing

@Suite("Seeking in a player") @MainActor
struct PlayerSeekTests {
  @Test("An exact seek lands on the frame of the time, paused or playing")
  func exact() async throws {
    try await PlayerStage.inFolder { stage in
      let player = await stage.player(try stage.movie())
      let item = try #require(player.currentItem)
      let output = AVPlayerItemVideoOutput(pixelBufferAttributes: nil)
      item.add(output)
      let jumps = Diary<Double>()
      let observer = NotificationCenter.default.addObserver(
        forName: AVPlayerItem.timeJumpedNotification, object: item, queue: nil
      ) { _ in jumps.note(item.currentTime().seconds) }
      defer { NotificationCenter.default.removeObserver(observer) }
      for target in [1.5, 0.02, 2.99, 1.5, 0, 0.959, 0.96, 2.4] {
        #expect(await player.seek(to: seconds(target), toleranceBefore: .zero, toleranceAfter: .zero))
        #expect(player.currentTime() == seconds(target))
        var time = CMTime.invalid
        let pixels = try #require(
          output.copyPixelBuffer(forItemTime: player.currentTime(), itemTimeForDisplay: &time))
        let frame = Int(target * 25 + 1e-6)
        #expect(TestMovie.number(of: pixels) == frame % 16)
        #expect(time == CMTime(value: CMTimeValue(frame), timescale: 25))
      }
      #expect(jumps.entries.count == 8)
      player.play()
      #expect(await player.seek(to: seconds(0.5), toleranceBefore: .zero, toleranceAfter: .zero))
      #expect(player.timeControlStatus == .playing)
      await stage.move(0.1, of: player)
      #expect(output.newNumber(at: player.currentTime()) == 15)
    }
  }

  @Test("A tolerant seek lands on the key frame, and never beyond its tolerances")
  func tolerant() async throws {
    try await PlayerStage.inFolder { stage in
      let player = await stage.player(try stage.movie())
      #expect(await player.seek(to: seconds(1.5)))
      #expect(player.currentTime().seconds == 1)
      #expect(
        await player.seek(to: seconds(1.5), toleranceBefore: seconds(0.4), toleranceAfter: .positiveInfinity))
      #expect(player.currentTime().seconds == 1.5)
      #expect(await player.seek(to: seconds(1.5), toleranceBefore: seconds(0.6), toleranceAfter: .zero))
      #expect(player.currentTime().seconds == 1)
      #expect(await player.seek(to: .positiveInfinity, toleranceBefore: .zero, toleranceAfter: .zero))
      #expect(player.currentTime() == player.currentItem?.duration)
      #expect(await player.seek(to: seconds(-5), toleranceBefore: .zero, toleranceAfter: .zero))
      #expect(player.currentTime() == .zero)
      #expect(
        ProgrammingMistake.collect {
          player.seek(to: .invalid, toleranceBefore: .zero, toleranceAfter: .zero)
        }
        .count == 1)
    }
  }

  @Test("A seek that is superseded or cancelled is not finished, and the last one is")
  func superseded() async throws {
    try await PlayerStage.inFolder { stage in
      let player = await stage.player(try stage.movie())
      // A seek may be over before the next one comes, but hardly ever twenty of them.
      let ends = Diary<(index: Int, finished: Bool)>()
      for index in 0..<20 {
        player.seek(to: seconds(Double(index) * 0.1), toleranceBefore: .zero, toleranceAfter: .zero) {
          ends.note((index, $0))
        }
      }
      #expect(await player.seek(to: seconds(2.5), toleranceBefore: .zero, toleranceAfter: .zero))
      #expect(ends.entries.map(\.index) == Array(0..<20))
      #expect(ends.entries.contains { !$0.finished })
      #expect(player.currentTime() == seconds(2.5))
      for index in 20..<40 {
        player.seek(to: seconds(1), toleranceBefore: .zero, toleranceAfter: .zero) { ends.note((index, $0)) }
        player.currentItem?.cancelPendingSeeks()
      }
      await stage.drain()
      #expect(ends.entries.map(\.index) == Array(0..<40))
      #expect(ends.entries.dropFirst(20).contains { !$0.finished })
      // A seek before the item is loaded says where it begins.
      let item = AVPlayerItem(url: try stage.movie("second.mp4"))
      player.replaceCurrentItem(with: item)
      item.seek(to: seconds(2), toleranceBefore: .zero, toleranceAfter: .zero, completionHandler: nil)
      await stage.ready(item)
      #expect(item.status == .readyToPlay && item.currentTime() == seconds(2))
    }
  }

  @Test("Steps go from frame to frame, forwards and backwards, and stop at the ends")
  func steps() async throws {
    try await PlayerStage.inFolder { stage in
      let player = await stage.player(try stage.movie())
      let item = try #require(player.currentItem)
      _ = await player.seek(to: seconds(1.01), toleranceBefore: .zero, toleranceAfter: .zero)
      for (count, frame) in [(1, 26), (1, 27), (-1, 26), (-3, 23), (30, 53), (-200, 0), (500, 74)] {
        let before = item.currentTime()
        item.step(byCount: count)
        while item.currentTime() == before { await stage.drain() }
        #expect(item.currentTime() == CMTime(value: CMTimeValue(frame), timescale: 25))
      }
    }
  }

  @Test("Playing begins at an appointed time of the clock, and after a preroll")
  func appointments() async throws {
    try await PlayerStage.inFolder { stage in
      let player = await stage.player(try stage.movie())
      player.automaticallyWaitsToMinimizeStalling = false
      #expect(!player.automaticallyWaitsToMinimizeStalling)
      #expect(await player.preroll(atRate: 1))
      #expect(player.currentItem?.isPlaybackBufferFull == true)
      player.setRate(1, time: .invalid, atHostTime: stage.clock.time + seconds(1))
      #expect(abs(player.currentTime().seconds + 1) < 1e-6)
      await stage.move(1.5, of: player)
      #expect(abs(player.currentTime().seconds - 0.5) < 1e-6)
      #expect(ProgrammingMistake.collect { player.preroll(atRate: 1) }.count == 1)
      player.pause()
      player.cancelPendingPrerolls()
    }
  }
}
