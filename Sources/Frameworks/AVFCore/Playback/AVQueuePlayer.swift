internal import Foundation
internal import FoundationExtras

/// Plays items one after the other, without a gap.
///
/// Each is played from where it is: backwards, one that was not sought ends at once, and the next follows.
///
/// Apple: `AVQueuePlayer`.
open class AVQueuePlayer: AVPlayer, @unchecked Sendable {  // Safe because the state is on a queue.
  /// A player without items.
  ///
  /// Apple: `AVQueuePlayer.init()`.
  public override init() {
    super.init()
    becomeQueue()
  }

  /// A player of some items.
  ///
  /// Apple: `AVQueuePlayer.init(items:)`.
  public init(items: [AVPlayerItem]) {
    super.init()
    becomeQueue()
    replace(with: items)
  }

  /// A player of an item.
  ///
  /// Apple: `AVPlayer.init(playerItem:)`.
  public override init(playerItem item: AVPlayerItem?) {
    super.init()
    becomeQueue()
    replace(with: item.map { [$0] } ?? [])
  }

  private func becomeQueue() {
    core.change {
      core.isQueue = true
      core.visible.actionAtEnd = .advance
    }
  }

  /// What is played and what follows, in order.
  ///
  /// Apple: `AVQueuePlayer.items()`.
  open func items() -> [AVPlayerItem] { core.change { core.entries.map(\.item) } }

  /// Goes on with the next item.
  ///
  /// Apple: `AVQueuePlayer.advanceToNextItem()`.
  open func advanceToNextItem() {
    core.change {
      if let current = core.current { core.advance(from: current, at: nil) }
    }
  }

  /// Whether an item can be inserted: it is of no player, and what it shall follow is in the queue.
  ///
  /// - Parameter afterItem: `nil` for the end.
  ///
  /// Apple: `AVQueuePlayer.canInsert(_:after:)`.
  open func canInsert(_ item: AVPlayerItem, after afterItem: AVPlayerItem?) -> Bool {
    let items = items()
    return item.core == nil && !items.contains { $0 === item }
      && (afterItem == nil || items.contains { $0 === afterItem })
  }

  /// Inserts an item; one that cannot be inserted is a programming mistake.
  ///
  /// - Parameter afterItem: What it shall follow; `nil` for the end.
  ///
  /// Apple: `AVQueuePlayer.insert(_:after:)`.
  open func insert(_ item: AVPlayerItem, after afterItem: AVPlayerItem?) {
    guard canInsert(item, after: afterItem), item.join(core) else {
      ProgrammingMistake.report(
        rule: "AVQueuePlayer.insert takes an item of no player, after one that is in the queue.")
      return
    }
    core.change {
      var items = core.entries.map(\.item)
      let place = items.firstIndex { $0 === afterItem }.map { $0 + 1 } ?? items.count
      items.insert(item, at: place)
      core.replace(items)
    }
  }

  /// Removes an item; the current one's place takes the next.
  ///
  /// Apple: `AVQueuePlayer.remove(_:)`.
  open func remove(_ item: AVPlayerItem) {
    core.change { core.replace(core.entries.map(\.item).filter { $0 !== item }) }
  }

  /// Removes all items.
  ///
  /// Apple: `AVQueuePlayer.removeAllItems()`.
  open func removeAllItems() {
    core.change { core.replace([]) }
  }
}
