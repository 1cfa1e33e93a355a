internal import CoreMedia
internal import Linux

/// Items that are played again and again.
extension PlayerCore {
  /// Puts an item that has ended behind the others, if it is looped.
  func loopAgain(_ item: AVPlayerItem) {
    guard let loop = loops.first(where: { $0.contains(item) }), item.join(self)
    else {
      return
    }
    try? item.ownTimebase.setTime(loop.begin)
    entries.append(ItemPlayback(item))
    let count = loop.countOne()
    notify { loop.changed.call(count) }
  }

  /// A copy that follows another one backwards begins at its end.
  func beginLoop(_ entry: ItemPlayback) {
    guard visible.rate < 0, loops.contains(where: { $0.contains(entry.item) }) else { return }
    let end = entry.item.forwardPlaybackEndTime
    seek(
      entry.item, to: PictureFeed.Target(time: end.isNumeric ? end : .positiveInfinity), completion: nil)
  }

  /// The present copy goes on; those that wait go.
  func end(_ loop: PlayerLoop) {
    loops.removeAll { $0 === loop }
    let kept = entries.filter { entry in entry === current || !loop.contains(entry.item) }
    replace(kept.map(\.item))
  }
}
