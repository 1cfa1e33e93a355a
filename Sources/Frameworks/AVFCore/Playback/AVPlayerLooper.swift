public import CoreMedia
public import Foundation
public import FoundationExtras
internal import Linux

/// Plays an item again and again, without a gap.
///
/// Puts copies of the item into the player's queue, and each behind the others when it has ended. Ends with the looper: keep it.
/// Apple leaves open what a rate below zero does: here each copy is played backwards from the end of the part to its beginning, and a
/// moment passes between two copies until pictures are decoded.
/// Observable: ``status``, ``loopCount``. Thread-safe.
///
/// Apple: `AVPlayerLooper`.
open class AVPlayerLooper: NSObject, KeyValueObservable, @unchecked Sendable {  // Safe: under locks.
  /// The status of a looper: whether it loops.
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

  /// The observers of the looper's properties.
  public let observerTable = ObserverTable()
  private let loop: PlayerLoop
  private let items: [AVPlayerItem]
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
    self.items = items
    let begin = loopRange.isValid ? loopRange.start : CMTime.zero
    loop = PlayerLoop(Set(items.map(ObjectIdentifier.init)), begin: begin)
    super.init()
    for item in items {
      if loopRange.isValid {
        item.forwardPlaybackEndTime = loopRange.end
        item.reversePlaybackEndTime = loopRange.start
      }
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
    switch items.first?.status {
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
  open var error: (any Error)? { items.first?.error }

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
  open var loopingPlayerItems: [AVPlayerItem] { items }

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
