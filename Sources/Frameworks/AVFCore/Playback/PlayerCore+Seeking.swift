internal import CoreMedia
internal import Foundation

/// Seeks: one at a time for each item; a newer one ends an older one.
extension PlayerCore {
  func seek(
    _ item: AVPlayerItem, to target: PictureFeed.Target, completion: (@Sendable (Bool) -> Void)?
  ) {
    guard let entry = entries.first(where: { $0.item === item }), item.status != .failed else {
      if let completion { notify { completion(false) } }
      return
    }
    cancelSeek(entry)
    for preroll in entry.prerolls { notify { preroll(false) } }
    entry.prerolls = []
    entry.seek = ItemPlayback.Seek(target: target, completion: completion)
    if entry.isLoaded { startSeek(entry) } else { setTime(entry, clamped(target.time, entry)) }
  }

  /// Ends the item's seek, if there is one, as not finished.
  func cancelSeek(_ entry: ItemPlayback) {
    guard let old = entry.seek else { return }
    entry.seek = nil
    if let completion = old.completion { notify { completion(false) } }
  }

  private func clamped(_ time: CMTime, _ entry: ItemPlayback) -> CMTime {
    let duration = entry.item.duration
    var time = max(time, .zero)
    if time == .positiveInfinity || (duration.isNumeric && time > duration) {
      time = duration.isNumeric ? duration : .zero
    }
    return time.isNumeric ? time : .zero
  }

  func startSeek(_ entry: ItemPlayback) {
    guard var seek = entry.seek else { return }
    seek.target.time = clamped(seek.target.time, entry)
    if entry === current { stand() }
    setTime(entry, seek.target.time)
    entry.seek = seek
    guard entry.feed != nil else { return finishSeek(entry, landed: nil) }
    entry.seek?.generation = restart(entry, at: seek.target)
    settle()
  }

  func finishSeek(_ entry: ItemPlayback, landed: CMTime?) {
    guard let seek = entry.seek else { return }
    entry.seek = nil
    if let landed, landed != entry.timebase.time { setTime(entry, landed) }
    let item = entry.item
    notify {
      NotificationCenter.default.post(name: AVPlayerItem.timeJumpedNotification, object: item)
    }
    item.flushOutputs(effects: self)
    if let completion = seek.completion { notify { completion(true) } }
    guard entry === current else { return }
    show(entry)
    firePeriodic(at: entry.timebase.time)
    settle()
  }

  /// Lets an item's time jump.
  private func setTime(_ entry: ItemPlayback, _ time: CMTime) {
    entry.hasEnded = false
    entry.boundaryTime = time
    try? entry.timebase.setTime(time)
  }
}
