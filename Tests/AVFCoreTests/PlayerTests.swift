import AVFCore
import CoreMedia
import CoreVideo
import Foundation
import FoundationExtras
import MovieTools
import Testing

@Suite("Players") @MainActor
struct PlayerTests {
  @Test("An item becomes ready with its facts, and observers are called")
  func ready() async throws {
    try await PlayerStage.inFolder { stage in
      let item = AVPlayerItem(url: try stage.movie())
      #expect(item.status == .unknown && item.duration == .indefinite && item.timebase == nil)
      let seen = Diary<AVPlayerItem.Status>()
      let watch = item.observe(\.status, options: [.initial, .new]) { item, _ in seen.note(item.status) }
      let player = AVPlayer(playerItem: item)
      #expect(player.currentItem === item && player.rate == 0)
      await stage.ready(item)
      await stage.drain()
      #expect(seen.entries == [.unknown, .readyToPlay])
      #expect(player.status == .readyToPlay && player.error == nil && item.error == nil)
      #expect(abs(item.duration.seconds - 3) < 0.05)
      #expect(item.presentationSize == CGSize(width: 64, height: 48))
      #expect(item.tracks.compactMap(\.assetTrack?.mediaType) == [.video, .audio])
      #expect(
        item.loadedTimeRanges.map(\.timeRangeValue) == [CMTimeRange(start: .zero, duration: item.duration)])
      #expect(item.seekableTimeRanges.count == 1)
      #expect(item.isPlaybackLikelyToKeepUp && !item.isPlaybackBufferEmpty)
      #expect(
        item.canPlayFastForward && item.canPlaySlowForward && item.canStepForward && item.canStepBackward)
      #expect(item.canPlayReverse && item.canPlaySlowReverse && item.canPlayFastReverse)
      #expect(item.timebase?.rate == 0 && item.currentTime() == .zero)
      watch.invalidate()
    }
  }

  @Test("A missing and a damaged file fail the item with an error, and playing ends")
  func damaged() async throws {
    try await PlayerStage.inFolder { stage in
      let letter = URL(fileURLWithPath: "\(stage.folder)/letter.mov")
      try Data("Dear reader".utf8).write(to: letter)
      let missing = URL(fileURLWithPath: "\(stage.folder)/missing.mov")
      let cut = try stage.movie()
      var bytes = try Data(contentsOf: cut)
      let media = try #require(bytes.range(of: Data("mdat".utf8)))
      for index in media.upperBound..<min(media.upperBound + 40_000, bytes.count - 4_000) {
        bytes[index] = 0xA5
      }
      try bytes.write(to: cut)
      for url in [letter, missing] {
        let player = AVPlayer(url: url)
        player.play()
        let item = try #require(player.currentItem)
        await stage.ready(item)
        await stage.drain()
        let error = try #require(item.error as NSError?)
        #expect(item.status == .failed && (error is AVError) == (url == letter))
        if url == missing { #expect(error.domain == NSURLErrorDomain && error.code == -1100) }
        #expect(player.rate == 0 && player.timeControlStatus == .paused)
        #expect(await player.seek(to: seconds(1)) == false)
      }
      let player = AVPlayer(url: cut)
      await stage.ready(player.currentItem)
      #expect(player.currentItem?.status == .failed && player.currentItem?.error is AVError)
    }
  }

  @Test("Each frame is shown at its time, and playing ends with a notification and a pause")
  func playing() async throws {
    try await PlayerStage.inFolder { stage in
      let player = await stage.player(try stage.movie(audio: false))
      let item = try #require(player.currentItem)
      let output = AVPlayerItemVideoOutput(
        pixelBufferAttributes: [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA])
      item.add(output)
      #expect(item.outputs == [output])
      let ends = Diary<CMTime>()
      let observer = NotificationCenter.default.addObserver(
        forName: .AVPlayerItemDidPlayToEndTime, object: item, queue: nil
      ) { _ in ends.note(item.currentTime()) }
      defer { NotificationCenter.default.removeObserver(observer) }
      player.play()
      #expect(
        player.rate == 1 && player.timeControlStatus == .playing && player.reasonForWaitingToPlay == nil)
      var numbers: [Int] = []
      // Nine milliseconds do not divide the frame's forty: each frame is looked at several times.
      for _ in 0..<330 {
        let time = output.itemTime(forHostTime: stage.clock.time.seconds)
        #expect(abs((time - item.currentTime()).seconds) < 1e-6)
        #expect(
          output.hasNewPixelBuffer(forItemTime: time) == (numbers.count <= Int(time.seconds * 25 + 1e-6)))
        if let number = output.newNumber(at: time) {
          #expect(number == Int(time.seconds * 25 + 1e-6) % 16)
          numbers.append(number)
        }
        await stage.move(0.009, of: player)
      }
      #expect(numbers == (0..<75).map { $0 % 16 })
      #expect(ends.entries.isEmpty)
      await stage.move(0.05, of: player)
      #expect(ends.entries == [item.duration])
      #expect(player.rate == 0 && player.timeControlStatus == .paused)
      #expect(player.currentTime() == item.duration)
      player.play()
      #expect(player.rate == 0)
    }
  }

  @Test("The rate is that of the timebase, pauses keep the time, and observers hear of each change in order")
  func rates() async throws {
    try await PlayerStage.inFolder { stage in
      let player = await stage.player(try stage.movie())
      let seen = Diary<AVPlayer.TimeControlStatus>()
      let watch = player.observe(\.timeControlStatus, options: .new) { _, change in
        if let value = change.newValue { seen.note(value) }
      }
      player.defaultRate = 0.5
      player.play()
      #expect(player.rate == 0.5 && player.currentItem?.timebase?.rate == 0.5)
      await stage.move(1, of: player)
      #expect(player.currentTime().seconds == 0.5)
      player.rate = 2
      await stage.move(0.5, of: player)
      #expect(player.currentTime().seconds == 1.5)
      player.pause()
      await stage.move(5, of: player)
      #expect(player.currentTime().seconds == 1.5 && player.rate == 0)
      player.playImmediately(atRate: 1.5)
      await stage.move(0.2, of: player)
      #expect(abs(player.currentTime().seconds - 1.8) < 1e-6)
      player.rate = .nan
      #expect(player.rate == 0)
      #expect(seen.entries == [.playing, .paused, .playing, .paused])
      watch.invalidate()
    }
  }

  @Test("A player without an item waits for one, and plays it once it is ready")
  func waiting() async throws {
    try await PlayerStage.inFolder { stage in
      let player = AVPlayer()
      player.sourceClock = stage.clock
      #expect(player.sourceClock == stage.clock)
      player.play()
      #expect(player.timeControlStatus == .waitingToPlayAtSpecifiedRate)
      #expect(player.reasonForWaitingToPlay == .noItemToPlay && player.rate == 1)
      #expect(player.currentTime() == .zero)
      let item = AVPlayerItem(url: try stage.movie())
      player.replaceCurrentItem(with: item)
      for await status in player.values(for: \.timeControlStatus) where status == .playing { break }
      #expect(player.reasonForWaitingToPlay == nil)
      await stage.move(1, of: player)
      #expect(player.currentTime().seconds == 1)
      player.replaceCurrentItem(with: nil)
      #expect(player.currentItem == nil && player.reasonForWaitingToPlay == .noItemToPlay)
      let mistakes = ProgrammingMistake.collect {
        player.actionAtItemEnd = .advance
        player.removeTimeObserver("none")
        player.setRate(1, time: .zero, atHostTime: .zero)
      }
      #expect(mistakes.count == 3)
    }
  }

  @Test(
    "Periodic observers are called at multiples and at starts and stops, boundary observers once on the way")
  func observers() async throws {
    try await PlayerStage.inFolder { stage in
      let player = await stage.player(try stage.movie())
      let (periods, boundaries) = (Diary<Double>(), Diary<Double>())
      let periodic = player.addPeriodicTimeObserver(forInterval: seconds(0.5), queue: nil) {
        periods.note(($0.seconds * 1000).rounded() / 1000)
      }
      let boundary = player.addBoundaryTimeObserver(
        forTimes: [NSValue(time: seconds(0.25)), NSValue(time: seconds(1.25))], queue: .main
      ) { boundaries.note((player.currentTime().seconds * 1000).rounded() / 1000) }
      player.play()
      for _ in 0..<15 { await stage.move(0.1, of: player) }
      await stage.drain()
      #expect(periods.entries == [0, 0.5, 1, 1.5])
      #expect(boundaries.entries == [0.3, 1.3])
      player.pause()
      await stage.drain()
      #expect(periods.entries == [0, 0.5, 1, 1.5, 1.5])
      #expect(await player.seek(to: seconds(0.1), toleranceBefore: .zero, toleranceAfter: .zero))
      await stage.drain()
      #expect(periods.entries.last == 0.1)
      #expect(boundaries.entries.count == 2)
      let count = periods.entries.count
      player.removeTimeObserver(periodic)
      player.removeTimeObserver(boundary)
      player.play()
      await stage.move(1, of: player)
      #expect(periods.entries.count == count && boundaries.entries.count == 2)
      #expect(ProgrammingMistake.collect { player.removeTimeObserver(periodic) }.count == 1)
    }
  }

  @Test("The clock's older name is the same clock, on which items play")
  func olderNameOfClock() async throws {
    try await PlayerStage.inFolder { stage in
      let url = try stage.movie(audio: false)
      let player = AVPlayer()
      #expect(player.masterClock == nil)
      player.masterClock = stage.clock
      #expect(player.sourceClock === stage.clock)
      player.replaceCurrentItem(with: AVPlayerItem(url: url))
      await stage.ready(player.currentItem)
      player.play()
      await stage.move(1, of: player)
      #expect(abs(player.currentTime().seconds - 1) < 0.001)
    }
  }
}
