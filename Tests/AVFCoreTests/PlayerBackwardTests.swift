import AVFCore
import CoreMedia
import CoreVideo
import Foundation
import FoundationExtras
import MovieTools
import Testing

/// Tests of the pictures and reports of a player that plays backwards.
@Suite("Playing backwards") @MainActor
struct PlayerBackwardTests {
  /// A player on the stage's clock whose item has been sought.
  private func player(_ stage: PlayerStage, _ url: URL, at time: Double) async -> AVPlayer {
    let player = await stage.player(url)
    #expect(await player.seek(to: seconds(time), toleranceBefore: .zero, toleranceAfter: .zero))
    return player
  }

  private func thousandths(_ time: CMTime) -> Double { (time.seconds * 1000).rounded() / 1000 }

  @Test("Frames are shown in falling order, each at its time, and playing ends at the beginning with a pause")
  func playing() async throws {
    try await PlayerStage.inFolder { stage in
      let player = await player(stage, try stage.movie(audio: false), at: 3)
      let item = try #require(player.currentItem)
      #expect(item.canPlayReverse && item.canPlaySlowReverse && item.canPlayFastReverse)
      let output = AVPlayerItemVideoOutput(pixelBufferAttributes: nil)
      item.add(output)
      let ends = Diary<CMTime>()
      let observer = NotificationCenter.default.addObserver(
        forName: .AVPlayerItemDidPlayToEndTime, object: item, queue: nil
      ) { _ in ends.note(item.currentTime()) }
      defer { NotificationCenter.default.removeObserver(observer) }
      player.rate = -1
      #expect(player.rate == -1 && player.timeControlStatus == .playing && item.timebase?.rate == -1)
      var numbers: [Int] = []
      // Nine milliseconds do not divide the frame's forty: each frame is looked at several times.
      for step in 0..<333 {
        let time = output.itemTime(forHostTime: stage.clock.time.seconds)
        #expect(abs((time - item.currentTime()).seconds) < 1e-6)
        #expect(abs(time.seconds - 3 + Double(step) * 0.009) < 1e-6)
        if let number = output.newNumber(at: time) {
          #expect(number == min(Int(time.seconds * 25 + 1e-4), 74) % 16)
          numbers.append(number)
        }
        await stage.move(0.009, of: player)
      }
      #expect(numbers == (0..<75).map { (74 - $0) % 16 })
      #expect(ends.entries.isEmpty)
      await stage.move(0.05, of: player)
      #expect(ends.entries == [.zero])
      #expect(player.rate == 0 && player.timeControlStatus == .paused && player.currentTime() == .zero)
      player.rate = -1
      #expect(player.rate == 0)
      player.play()
      #expect(player.rate == 1)
      await stage.move(0.1, of: player)
      #expect(output.newNumber(at: player.currentTime()) == 2)
      #expect(ends.entries.count == 1)
    }
  }

  @Test(
    "An end of its own ends playing backwards; the one forwards has no meaning then, and time goes on where it shall"
  )
  func ends() async throws {
    try await PlayerStage.inFolder { stage in
      let player = await player(stage, try stage.movie(audio: false), at: 2)
      let item = try #require(player.currentItem)
      let layer = AVPlayerLayer(player: player)
      let ends = Diary<Double>()
      let observer = NotificationCenter.default.addObserver(
        forName: .AVPlayerItemDidPlayToEndTime, object: item, queue: nil
      ) { _ in ends.note(item.currentTime().seconds) }
      defer { NotificationCenter.default.removeObserver(observer) }
      item.forwardPlaybackEndTime = seconds(1.8)
      item.reversePlaybackEndTime = seconds(1.5)
      player.rate = -1
      await stage.move(0.4, of: player)
      #expect(player.rate == -1)
      await stage.move(0.2, of: player)
      #expect(player.rate == 0 && player.currentTime().seconds == 1.5 && ends.entries == [1.5])
      #expect(layer.frames.takeNewest()?.itemTime == CMTime(value: 37, timescale: 25))
      // A place beyond the end is shown all the same.
      #expect(await player.seek(to: seconds(0.5), toleranceBefore: .zero, toleranceAfter: .zero))
      #expect(layer.frames.takeNewest()?.itemTime == CMTime(value: 12, timescale: 25))
      player.rate = -1
      #expect(player.rate == 0)
      // An end that is taken away while it is played.
      item.reversePlaybackEndTime = .invalid
      player.rate = -1
      await stage.move(0.1, of: player)
      item.reversePlaybackEndTime = seconds(0.3)
      await stage.move(0.05, of: player)
      #expect(player.rate == -1)
      item.reversePlaybackEndTime = seconds(0.4)
      #expect(player.rate == 0 && player.currentTime().seconds == 0.4)
      await stage.drain()
      #expect(ends.entries == [1.5, 0.4])
      item.reversePlaybackEndTime = seconds(-7)
      player.actionAtItemEnd = .none
      player.rate = -1
      await stage.move(1, of: player)
      #expect(ends.entries.count == 3 && player.rate == -1 && abs(player.currentTime().seconds + 0.6) < 1e-6)
      #expect(layer.frames.takeNewest()?.itemTime == .zero)
      player.rate = 2
      await stage.move(0.5, of: player)
      #expect(abs(player.currentTime().seconds - 0.4) < 1e-6)
      #expect(layer.frames.takeNewest()?.itemTime == CMTime(value: 10, timescale: 25))
      #expect(ends.entries.count == 3)
    }
  }

  @Test(
    "The direction may change while playing, in pauses and with seeks: what is shown is always the frame of the time"
  )
  func turns() async throws {
    try await PlayerStage.inFolder { stage in
      let player = await stage.player(try stage.movie(audio: false))
      let layer = AVPlayerLayer(player: player)
      let states = Diary<AVPlayer.TimeControlStatus>()
      let watch = player.observe(\.timeControlStatus, options: .new) { _, change in
        if let value = change.newValue { states.note(value) }
      }
      var expected = 0.0
      func check(_ seconds: Double, _ more: Comment? = nil) async {
        for _ in 0..<Int((seconds / 0.02).rounded()) {
          await stage.move(0.02, of: player)
          expected += 0.02 * Double(player.rate)
          #expect(abs(player.currentTime().seconds - expected) < 1e-5, more)
          let frame = layer.frames.takeNewest()
          // Times on the border between two frames are rounded.
          let place = expected * 25
          if abs(place - place.rounded()) > 0.001 {
            #expect(frame?.itemTime == CMTime(value: Int64(place), timescale: 25), more)
            #expect(frame.map { TestMovie.number(of: $0.pixels) } == Int(place) % 16, more)
          }
        }
      }
      player.play()
      await check(1.1)
      player.rate = -0.5
      #expect(player.currentItem?.timebase?.rate == -0.5)
      await check(0.4)
      player.rate = 2
      await check(0.6)
      player.playImmediately(atRate: -2)
      await check(0.3)
      player.pause()
      await check(0.2)
      player.defaultRate = -1
      player.play()
      #expect(player.rate == -1)
      await check(0.3)
      for target in [2.61, 1.0, 0.93] {
        #expect(await player.seek(to: seconds(target), toleranceBefore: .zero, toleranceAfter: .zero))
        expected = target
        #expect(player.rate == -1 && player.timeControlStatus == .playing)
        await check(0.2, "from \(target)")
      }
      player.pause()
      let before = player.currentTime()
      player.currentItem?.step(byCount: -3)
      while player.currentTime() == before { await stage.drain() }
      expected = player.currentTime().seconds
      #expect(abs(expected - 15.0 / 25) < 1e-6)
      player.rate = -1
      await check(0.1)
      player.rate = 1
      await check(0.1)
      #expect(!zip(states.entries, states.entries.dropFirst()).contains { $0 == $1 })
      watch.invalidate()
    }
  }

  @Test("Observers are called on the way back: periodic ones at multiples, boundary ones once")
  func observers() async throws {
    try await PlayerStage.inFolder { stage in
      let player = await player(stage, try stage.movie(audio: false), at: 1.6)
      let (periods, boundaries) = (Diary<Double>(), Diary<Double>())
      let periodic = player.addPeriodicTimeObserver(forInterval: seconds(0.5), queue: nil) {
        periods.note(($0.seconds * 1000).rounded() / 1000)
      }
      let boundary = player.addBoundaryTimeObserver(
        forTimes: [0.25, 1.25, 1.6].map { NSValue(time: seconds($0)) }, queue: .main
      ) { boundaries.note((player.currentTime().seconds * 1000).rounded() / 1000) }
      player.rate = -1
      for _ in 0..<14 { await stage.move(0.1, of: player) }
      await stage.drain()
      #expect(periods.entries == [1.6, 1.5, 1, 0.5])
      #expect(boundaries.entries == [1.2, 0.2])
      // Forwards over the last boundary again.
      player.rate = 1
      for _ in 0..<2 { await stage.move(0.1, of: player) }
      await stage.drain()
      #expect(periods.entries == [1.6, 1.5, 1, 0.5, 0.2])
      #expect(boundaries.entries == [1.2, 0.2, 0.4] || boundaries.entries == [1.2, 0.2, 0.3])
      player.rate = -1
      for _ in 0..<6 { await stage.move(0.1, of: player) }
      await stage.drain()
      #expect(player.rate == 0 && periods.entries.last == 0)
      #expect(boundaries.entries.count == 4)
      player.removeTimeObserver(periodic)
      player.removeTimeObserver(boundary)
    }
  }

  @Test("It begins at an appointed time of the clock, and after a preroll")
  func appointments() async throws {
    try await PlayerStage.inFolder { stage in
      let player = await player(stage, try stage.movie(audio: false), at: 2)
      let layer = AVPlayerLayer(player: player)
      player.automaticallyWaitsToMinimizeStalling = false
      #expect(await player.preroll(atRate: -1))
      #expect(player.currentItem?.isPlaybackBufferFull == true)
      player.setRate(-1, time: .invalid, atHostTime: stage.clock.time + seconds(1))
      #expect(abs(player.currentTime().seconds - 3) < 1e-6)
      await stage.move(1.5, of: player)
      #expect(abs(player.currentTime().seconds - 1.5) < 1e-6)
      await stage.move(0.01, of: player)
      #expect(layer.frames.takeNewest()?.itemTime == CMTime(value: 37, timescale: 25))
      player.setRate(-2, time: seconds(2.5), atHostTime: stage.clock.time)
      for await status in player.values(for: \.timeControlStatus) where status == .playing { break }
      await stage.move(0.51, of: player)
      #expect(abs(player.currentTime().seconds - 1.48) < 1e-6)
      await stage.move(0.01, of: player)
      #expect(layer.frames.takeNewest()?.itemTime == CMTime(value: 36, timescale: 25))
    }
  }

  @Test("On the host's clock frames come in falling order, too, and the beginning is reached")
  func hostClock() async throws {
    try await PlayerStage.inFolder { stage in
      let player = AVPlayer(url: try stage.movie(seconds: 1, audio: false))
      await stage.ready(player.currentItem)
      let layer = AVPlayerLayer(player: player)
      let shown = Diary<CMTime>()
      let frames = layer.frames
      _ = await player.seek(to: .positiveInfinity, toleranceBefore: .zero, toleranceAfter: .zero)
      frames.setFrameHandler { if let frame = frames.takeNewest() { shown.note(frame.itemTime) } }
      player.rate = -4
      for await rate in player.values(for: \.rate) where rate == 0 { break }
      #expect(player.currentTime() == .zero)
      let times = shown.entries
      #expect(times.count > 1 && zip(times, times.dropFirst()).allSatisfy { $0 >= $1 })
      frames.setFrameHandler(nil)
    }
  }

  @Test("A queue goes on with the next item, and a looper's copies follow each other from their ends")
  func queues() async throws {
    try await PlayerStage.inFolder { stage in
      let url = try stage.movie(audio: false)
      let items = (0..<2).map { _ in AVPlayerItem(url: url) }
      let queue = AVQueuePlayer(items: items)
      queue.sourceClock = stage.clock
      for item in items {
        await stage.ready(item)
        #expect(await item.seek(to: seconds(1), toleranceBefore: .zero, toleranceAfter: .zero))
      }
      queue.rate = -1
      await stage.move(0.9, of: queue)
      #expect(queue.currentItem === items[0])
      await stage.move(0.2, of: queue)
      #expect(queue.currentItem === items[1] && queue.rate == -1)
      for await status in queue.values(for: \.timeControlStatus) where status == .playing { break }
      let begin = queue.currentTime().seconds
      #expect(begin > 0.85 && begin <= 1)
      await stage.move(0.5, of: queue)
      #expect(abs(queue.currentTime().seconds - begin + 0.5) < 1e-6)
      await stage.move(1, of: queue)
      #expect(queue.currentItem == nil && queue.rate == 0)

      let player = AVQueuePlayer()
      player.sourceClock = stage.clock
      let looper = AVPlayerLooper(
        player: player, templateItem: AVPlayerItem(url: url),
        timeRange: CMTimeRange(start: seconds(1), end: seconds(1.4)))
      for item in looper.loopingPlayerItems.prefix(2) { await stage.ready(item) }
      let layer = AVPlayerLayer(player: player)
      let first = try #require(player.currentItem)
      #expect(await first.seek(to: seconds(1.4), toleranceBefore: .zero, toleranceAfter: .zero))
      player.rate = -1
      for round in 1...3 {
        var numbers: [Int] = []
        while looper.loopCount < round {
          for await status in player.values(for: \.timeControlStatus) where status == .playing { break }
          if let frame = layer.frames.takeNewest(), player.currentTime().seconds < 1.39 {
            numbers.append(TestMovie.number(of: frame.pixels))
          }
          await stage.move(0.02, of: player)
        }
        let falling = numbers.reduce(into: [Int]()) { if $0.last != $1 { $0.append($1) } }
        #expect(falling == (25...34).reversed().map { $0 % 16 })
      }
      looper.disableLooping()
    }
  }

  @Test(
    "A rate that is set before an item is there, or while it is sought or replaced, is the direction of what comes"
  )
  func early() async throws {
    try await PlayerStage.inFolder { stage in
      let url = try stage.movie(seconds: 2, audio: false)
      let player = AVPlayer()
      player.sourceClock = stage.clock
      let layer = AVPlayerLayer(player: player)
      player.rate = -1
      #expect(player.reasonForWaitingToPlay == .noItemToPlay && player.rate == -1)
      for round in 0..<2 {
        let item = AVPlayerItem(url: url)
        item.seek(to: seconds(1.5), toleranceBefore: .zero, toleranceAfter: .zero, completionHandler: nil)
        player.replaceCurrentItem(with: item)
        for await status in player.values(for: \.timeControlStatus) where status == .playing { break }
        #expect(abs(player.currentTime().seconds - 1.5) < 1e-6, "\(round)")
        await stage.move(0.31, of: player)
        #expect(layer.frames.takeNewest()?.itemTime == CMTime(value: 29, timescale: 25), "\(round)")
      }
      // Every seek but the last is given up, however far its stretch was.
      for target in stride(from: 0.1, through: 1.9, by: 0.1) {
        player.seek(to: seconds(target), toleranceBefore: .zero, toleranceAfter: .zero) { _ in }
      }
      #expect(await player.seek(to: seconds(1), toleranceBefore: .zero, toleranceAfter: .zero))
      #expect(player.timeControlStatus == .playing)
      await stage.move(0.5, of: player)
      #expect(layer.frames.takeNewest()?.itemTime == CMTime(value: 12, timescale: 25))
      player.replaceCurrentItem(with: nil)
      #expect(player.rate == -1 && player.reasonForWaitingToPlay == .noItemToPlay)
    }
  }

  @Test("A movie that is damaged on the way back fails there, and says so")
  func damaged() async throws {
    try await PlayerStage.inFolder { stage in
      let url = try stage.movie(audio: false)
      var bytes = try Data(contentsOf: url)
      let media = try #require(bytes.range(of: Data("mdat".utf8)))
      let tables = try #require(bytes.range(of: Data("moov".utf8), options: .backwards))
      let length = tables.lowerBound - media.upperBound
      // The first second and a part of the second one.
      for index in media.upperBound..<media.upperBound + length / 2 { bytes[index] = 0xA5 }
      try bytes.write(to: url)
      let player = AVPlayer()
      player.sourceClock = stage.clock
      let item = AVPlayerItem(url: url)
      item.seek(to: seconds(2.9), toleranceBefore: .zero, toleranceAfter: .zero, completionHandler: nil)
      player.replaceCurrentItem(with: item)
      await stage.ready(item)
      #expect(item.status == .readyToPlay)
      let failures = Diary<String>()
      let observer = NotificationCenter.default.addObserver(
        forName: AVPlayerItem.failedToPlayToEndTimeNotification, object: item, queue: nil
      ) { note in failures.note("\(note.userInfo?[AVPlayerItemFailedToPlayToEndTimeErrorKey] is AVError)") }
      defer { NotificationCenter.default.removeObserver(observer) }
      player.rate = -1
      for _ in 0..<300 where player.rate != 0 { await stage.move(0.01, of: player) }
      await stage.drain()
      #expect(item.status == .failed && player.rate == 0 && failures.entries == ["true"])
    }
  }
}
