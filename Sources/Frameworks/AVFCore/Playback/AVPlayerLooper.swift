public import CoreMedia
public import Foundation
public import FoundationExtras
internal import Linux

/// Plays an item again and again, without a gap.
///
/// Puts copies of the item into the player's queue, and each behind the others when it has ended. Ends with the looper: keep it.
/// Observable: ``status``, ``loopCount``. Thread-safe.
///
/// Apple: `AVPlayerLooper`.
open class AVPlayerLooper: NSObject, KeyValueObservable, @unchecked Sendable {  // Safe: under locks.
  /// Whether a looper loops.
  ///
  /// Apple: `AVPlayerLooper.Status`.
  public enum Status: Int, Sendable {
    /// The item is not loaded yet.
    case unknown = 0
    /// It loops.
    case ready = 1
    /// The item cannot be played.
    case failed = 2
    /// Looping was disabled.
    case cancelled = 3
  }

  /// Who observes the looper's properties.
  public let observerTable = ObserverTable()
  private let loop: PlayerLoop
  private weak let player: AVQueuePlayer?
  private let watch = Locked<NSKeyValueObservation?>(nil)

  /// Loops an item, or a part of it, in a player's queue, which it replaces.
  ///
  /// - Parameters:
  ///   - itemToLoop: What is copied; it is not played itself.
  ///   - loopRange: Which part; `CMTimeRange.invalid` for all.
  ///
  /// Apple: `AVPlayerLooper.init(player:templateItem:timeRange:)`.
  public init(
    player: AVQueuePlayer, templateItem itemToLoop: AVPlayerItem, timeRange loopRange: CMTimeRange = .invalid
  ) {
    self.player = player
    // While one plays the next is made ready, and a third waits so that the queue is never empty.
    let items = (0..<3).compactMap { _ in itemToLoop.copy() as? AVPlayerItem }
    let begin = loopRange.isValid ? loopRange.start : CMTime.zero
    loop = PlayerLoop(items: items, begin: begin)
    super.init()
    for item in items {
      if loopRange.isValid { item.forwardPlaybackEndTime = loopRange.end }
      try? item.ownTimebase.setTime(begin)
    }
    loop.changed.set { [weak self] count in
      guard let self else { return }
      observerTable.changed(\AVPlayerLooper.loopCount, of: self, from: count - 1, to: count)
    }
    let first = items.first
    let observation = first?.observe(\.status) { [weak self] _, _ in self?.renewStatus(.unknown) }
    watch.withLock { $0 = observation }
    player.core.change { player.core.loops.append(loop) }
    player.replace(with: items)
  }

  /// Loops an item in a player's queue.
  ///
  /// Apple: `AVPlayerLooper.init(player:templateItem:)`.
  public convenience init(player: AVQueuePlayer, templateItem: AVPlayerItem) {
    self.init(player: player, templateItem: templateItem, timeRange: .invalid)
  }

  deinit {
    end()
  }

  /// Whether it loops; observable.
  ///
  /// Apple: `AVPlayerLooper.status`.
  open var status: Status {
    observerTable.access(\AVPlayerLooper.status)
    if loop.isEnded { return .cancelled }
    switch loop.items.first?.status {
    case .readyToPlay: return .ready
    case .failed: return .failed
    default: return .unknown
    }
  }

  private func renewStatus(_ old: Status) {
    let new = status
    if new != old { observerTable.changed(\AVPlayerLooper.status, of: self, from: old, to: new) }
  }

  /// Why the item cannot be played; `nil` unless ``status`` is failed.
  ///
  /// Apple: `AVPlayerLooper.error`.
  open var error: (any Error)? { loop.items.first?.error }

  /// How often the item has been played to its end; observable.
  ///
  /// Apple: `AVPlayerLooper.loopCount`.
  open var loopCount: Int {
    observerTable.access(\AVPlayerLooper.loopCount)
    return loop.count
  }

  /// The copies that are played.
  ///
  /// Apple: `AVPlayerLooper.loopingPlayerItems`.
  open var loopingPlayerItems: [AVPlayerItem] { loop.items }

  /// Ends looping: the present copy is played to its end.
  ///
  /// Apple: `AVPlayerLooper.disableLooping()`.
  open func disableLooping() {
    let old = status
    end()
    renewStatus(old)
  }

  private func end() {
    guard loop.end(), let player else { return }
    player.core.change { player.core.end(loop) }
  }
}

/// What a player knows of a looper.
final class PlayerLoop: Sendable {
  let items: [AVPlayerItem]
  let begin: CMTime
  let changed = Hook<Int>()
  private let state = Locked((count: 0, isEnded: false))

  init(items: [AVPlayerItem], begin: CMTime) {
    self.items = items
    self.begin = begin
  }

  var count: Int { state.withLock { $0.count } }
  var isEnded: Bool { state.withLock { $0.isEnded } }

  /// Counts a copy that has been played to its end.
  func countOne() -> Int {
    state.withLock { state in
      state.count += 1
      return state.count
    }
  }

  /// Ends it; `false` when it has ended before.
  func end() -> Bool {
    state.withLock { state in
      defer { state.isEnded = true }
      return !state.isEnded
    }
  }
}

extension PlayerCore {
  /// Puts an item that has ended behind the others, if it is looped.
  func loopAgain(_ item: AVPlayerItem) {
    guard let loop = loops.first(where: { loop in loop.items.contains { $0 === item } }), item.join(self)
    else {
      return
    }
    try? item.ownTimebase.setTime(loop.begin)
    entries.append(ItemPlayback(item))
    let count = loop.countOne()
    notify { loop.changed.call(count) }
  }

  /// The present copy goes on; those that wait go.
  func end(_ loop: PlayerLoop) {
    loops.removeAll { $0 === loop }
    let kept = entries.filter { entry in entry === current || !loop.items.contains { $0 === entry.item } }
    replace(kept.map(\.item))
  }
}
