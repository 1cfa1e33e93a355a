internal import CoreMedia
internal import Foundation
internal import Linux

/// What clients ask of a player.
extension PlayerCore {
  func setRate(_ rate: Float) {
    appointment = nil
    let rate = rate.isFinite ? rate : 0
    if rate != 0 { cancelPrerolls() }
    if rate != 0, let current, current.seek == nil, current.isLoaded,
      current.isOver(at: current.timebase.time, backward: rate < 0), visible.actionAtEnd == .pause
    {
      // At its end there is nothing to play.
      visible.rate = 0
    } else {
      visible.rate = rate
    }
    settle()
  }

  func setRate(_ rate: Float, itemTime: CMTime, host: CMTime) {
    let rate = rate.isFinite ? rate : 0
    stand()
    // First the rate, for a seek decodes in its direction.
    visible.rate = rate
    appointment = rate == 0 ? nil : (itemTime, host)
    if itemTime.isNumeric, let current, itemTime != current.timebase.time {
      seek(current.item, to: PictureFeed.Target(time: itemTime), completion: nil)
    }
    settle()
  }

  func setAction(_ action: AVPlayer.ActionAtItemEnd) {
    visible.actionAtEnd = action
    guard let current, current.hasEnded, current.timebase.rate != 0, action != .none else { return }
    act(current, current.end)
  }

  func setVolume(_ volume: Float, isMuted: Bool) {
    visible.volume = volume
    visible.isMuted = isMuted
    audio.setGain(isMuted ? 0 : volume)
  }

  func setClock(_ clock: CMClock) {
    guard clock !== self.clock else { return }
    self.clock = clock
    for entry in entries { entry.timebase.source = clock }
    schedule()
  }

  func preroll(_ rate: Float, _ completion: @escaping @Sendable (Bool) -> Void) {
    guard let current else { return notify { completion(false) } }
    guard let feed = current.feed else { return notify { completion(true) } }
    let time = current.timebase.time
    let isBackward = rate < 0
    if feed.isBackward != isBackward, rate != 0, current.seek == nil {
      feed.restart(at: PictureFeed.Target(time: time), backward: isBackward)
    }
    guard !feed.isFull else { return notify { completion(true) } }
    current.prerolls.append(completion)
    if !isBackward { current.item.audioFeed?.restart(at: Int(time.seconds * Double(AudioFeed.rate))) }
    _ = feed.advance(to: time, waits: false)
  }

  func cancelPrerolls() {
    for entry in entries {
      for preroll in entry.prerolls { notify { preroll(false) } }
      entry.prerolls = []
    }
  }

  func cancelSeeks(of item: AVPlayerItem) {
    guard let entry = entries.first(where: { $0.item === item }), let seek = entry.seek else { return }
    // Decoding goes on from the place that was asked for: time is there already.
    guard entry.isLoaded, seek.generation != nil else { return cancelSeek(entry) }
    if let completion = seek.completion { notify { completion(false) } }
    entry.seek?.completion = nil
  }

  func step(_ item: AVPlayerItem, by count: Int) {
    guard let entry = entries.first(where: { $0.item === item }), entry.feed != nil, entry.isLoaded else {
      return
    }
    if entry === current, visible.rate != 0 { setRate(0) }
    let here = entry.seek?.target.time ?? entry.timebase.time
    cancelSeek(entry)
    entry.seek = ItemPlayback.Seek(target: PictureFeed.Target(time: here), completion: nil)
    entry.seek?.generation = restart(entry, at: PictureFeed.Target(time: here, steps: count))
  }

  /// - Parameter isBackward: Of which direction the end is another one.
  func endChanged(_ item: AVPlayerItem, backward isBackward: Bool) {
    guard let current, current.item === item, current.isBackward == isBackward else { return }
    current.hasEnded = false
    tick()
    schedule()
  }

  /// Whether time stands still at an item's end.
  var keepsEnd: Bool { change { visible.actionAtEnd != .none } }

  /// The picture of an item for an output.
  func frame(of item: AVPlayerItem, at time: CMTime) -> PlayedFrame? {
    guard let entry = entries.first(where: { $0.item === item }), entry.isLoaded, entry.seek == nil,
      let feed = entry.feed
    else { return nil }
    if clock.movesByHand {
      // As far as time is, for what comes later is asked for again.
      let (now, asked) = (entry.pictureTime, TimeMargin.due(time))
      _ = feed.advance(
        to: feed.isBackward ? max(now, asked) : min(now, asked), waits: entry.timebase.rate != 0)
    }
    return feed.frame(at: TimeMargin.due(time))
  }

  // MARK: Layers

  func add(_ frames: PlayerFrames) {
    takers.add(frames)
    change {
      guard let current else { return }
      current.shownTime = .invalid
      show(current)
    }
  }

  func remove(_ frames: PlayerFrames) { takers.remove(frames) }

  /// The player is gone.
  func close() {
    queue.async { [self] in
      visible.rate = 0
      for entry in entries { release(entry) }
      entries = []
      alarm = nil
      audio.stop()
      for taker in takers.present { taker.show(nil) }
    }
  }
}
