internal import CoreMedia
internal import Foundation
internal import Linux

/// What happens as time passes: pictures, observers, the end.
extension PlayerCore {
  /// Does what has become due.
  func tick() {
    guard let current, current.timebase.rate != 0 else { return }
    let due = current.dueTime
    let end = current.end
    let isAtEnd = current.isOver(at: due, backward: current.isBackward) && !current.hasEnded
    show(current)
    fireBoundaries(from: current.boundaryTime, to: due)
    current.boundaryTime = due
    fireDuePeriodic(at: current.item.currentTime(), due: due)
    if isAtEnd { finish(current, end) } else { schedule() }
  }

  /// Shows the picture of the item's time.
  func show(_ entry: ItemPlayback) {
    showMetadata(entry)
    let due = entry.pictureTime
    let keepsEnd = visible.actionAtEnd != .none && visible.rate != 0
    let time = keepsEnd ? entry.beforeEnd(due) : due
    guard entry === current, let feed = entry.feed, entry.seek == nil else { return }
    // Before the first picture of all, that one is shown, as a poster.
    let isRunning = entry.timebase.rate != 0
    guard let frame = feed.advance(to: time, waits: clock.movesByHand && isRunning) ?? feed.first else {
      return
    }
    guard frame.time != entry.shownTime else { return }
    entry.shownTime = frame.time
    let (transform, size) = entry.item.state.withLock { ($0.transform, $0.size) }
    let picture = PlayerFrame(frame, transform: transform, size: size)
    guard entry.item.showsPictures else { return }
    for taker in takers.present { taker.show(picture) }
  }

  /// What the layers show may have changed with an item's outputs.
  func outputsChanged(of item: AVPlayerItem) {
    guard let current, current.item === item else { return }
    guard item.showsPictures else {
      for taker in takers.present { taker.show(nil) }
      return
    }
    current.shownTime = .invalid
    show(current)
  }

  /// Sets the alarm to what comes next.
  func schedule() {
    guard let current, current.timebase.rate != 0, let alarm else { return }
    let now = current.dueTime
    var times: [CMTime] = []
    if let feed = current.feed {
      if let next = feed.nextTime(after: current.pictureTime) {
        times.append(next)
      } else if clock.movesByHand, !feed.isOver {
        // Any move of the clock may need a picture that is not decoded yet.
        times.append(now)
      }
    }
    for output in current.item.metadataOutputs {
      if let next = output.nextTime(of: current, now: now, waits: clock.movesByHand) { times.append(next) }
    }
    if !current.hasEnded, current.end.isNumeric { times.append(current.end) }
    if let next = nextObserverTime(after: now) { times.append(next) }
    let isBackward = current.isBackward
    let next = isBackward ? times.max() : times.min()
    alarm.alarm.set(next.map { TimeMargin.wake(for: $0, backward: isBackward) })
  }

  private func finish(_ entry: ItemPlayback, _ end: CMTime) {
    entry.hasEnded = true
    let item = entry.item
    notify {
      NotificationCenter.default.post(name: AVPlayerItem.didPlayToEndTimeNotification, object: item)
    }
    act(entry, end)
  }

  /// Does what the player does at an item's end.
  func act(_ entry: ItemPlayback, _ end: CMTime) {
    switch visible.actionAtEnd {
    case .none: schedule()
    case .pause:
      visible.rate = 0
      settle()
      try? entry.timebase.setTime(end)
      entry.boundaryTime = end
    case .advance:
      advance(from: entry, at: CMSyncConvertTime(end, from: entry.timebase, to: clock))
    }
  }

  /// Goes on with the next item.
  ///
  /// - Parameter moment: When, on the clock; `nil` for now.
  func advance(from entry: ItemPlayback, at moment: CMTime?) {
    guard entry === current else { return }
    // The next item's time begins when this one's ended, not when that was noticed.
    entries.removeFirst()
    release(entry)
    alarm = nil
    if moment != nil { loopAgain(entry.item) }
    guard let next = current else {
      visible.rate = 0
      visible.control = .paused
      return enter()
    }
    enter()
    prepare()
    if moment != nil { beginLoop(next) }
    // Backwards its pictures are not there yet: it begins when they are.
    if visible.rate > 0, let moment, moment.isNumeric, next.isPrimed {
      appointment = (next.timebase.time, moment)
    }
    settle()
  }
}
