internal import CoreMedia
public import Dispatch
public import Foundation
internal import Linux

/// Learns of an output that calls its delegate by itself.
///
/// Apple: `AVPlayerItemOutputPushDelegate`.
public protocol AVPlayerItemOutputPushDelegate: FlushedOutputDelegate {
  /// The item's time has jumped: what was handed over is out of date.
  ///
  /// Apple: `AVPlayerItemOutputPushDelegate.outputSequenceWasFlushed(_:)`.
  func outputSequenceWasFlushed(_ output: AVPlayerItemOutput)
}

/// Gets the timed metadata of an item while it is played.
///
/// Apple: `AVPlayerItemMetadataOutputPushDelegate`.
public protocol AVPlayerItemMetadataOutputPushDelegate: AVPlayerItemOutputPushDelegate {
  /// Metadata has become due.
  ///
  /// - Parameters:
  ///   - groups: In the order of their times, which do not overlap; a group without items says that there is nothing in its time.
  ///   - track: The item's track that they are of; never `nil` here, since all metadata of files is of tracks.
  ///
  /// Apple: `AVPlayerItemMetadataOutputPushDelegate.metadataOutput(_:didOutputTimedMetadataGroups:from:)`.
  func metadataOutput(
    _ output: AVPlayerItemMetadataOutput, didOutputTimedMetadataGroups groups: [AVTimedMetadataGroup],
    from track: AVPlayerItemTrack?)
}

extension AVPlayerItemMetadataOutputPushDelegate {
  /// Does nothing.
  public func metadataOutput(
    _ output: AVPlayerItemMetadataOutput, didOutputTimedMetadataGroups groups: [AVTimedMetadataGroup],
    from track: AVPlayerItemTrack?
  ) {}
}

/// Hands the timed metadata of an item to a delegate, each group when its time comes.
///
/// What counts at the item's time comes first, also while the item stands still, and anew after each jump of its time. Groups of tracks
/// that are switched off (`AVPlayerItemTrack.isEnabled`) are left out. Nothing comes while the item is played backwards. Thread-safe.
/// Apple: `AVPlayerItemMetadataOutput`.
open class AVPlayerItemMetadataOutput: AVPlayerItemOutput, @unchecked Sendable {
  // Safe because what changes is under a lock.

  private struct State {
    weak var delegate: (any AVPlayerItemMetadataOutputPushDelegate)?
    var queue: DispatchQueue?
    var advance = 0.0
    var feed: MetadataFeed?
    /// Whether the feed must begin anew at the item's time: it has jumped, or was played backwards.
    var isStale = true
  }

  private let identifiers: Set<String>?
  private let state = Locked(State())

  /// An output of items with some identifiers.
  ///
  /// - Parameter identifiers: Such as `mdta/com.apple.quicktime.location.ISO6709`: tracks whose formats have none of them are left out, and of
  ///   the others their items alone come. `nil` for all metadata of all tracks.
  ///
  /// Apple: `AVPlayerItemMetadataOutput.init(identifiers:)`.
  public init(identifiers: [String]?) {
    self.identifiers = identifiers.map { Set($0) }
    super.init()
  }

  /// Sets who gets metadata, on which queue; a serial one keeps the order.
  ///
  /// Without a queue nothing is called.
  ///
  /// Apple: `AVPlayerItemMetadataOutput.setDelegate(_:queue:)`.
  open func setDelegate(
    _ delegate: (any AVPlayerItemMetadataOutputPushDelegate)?, queue delegateQueue: DispatchQueue?
  ) {
    let old = state.withLock { state in
      let old = state.queue
      state.delegate = delegate
      state.queue = delegateQueue
      // A new delegate learns what counts at present.
      state.isStale = true
      return old
    }
    withExtendedLifetime(old) {}
    refresh()
  }

  /// Who gets metadata; not retained.
  ///
  /// Apple: `AVPlayerItemMetadataOutput.delegate`.
  open var delegate: (any AVPlayerItemMetadataOutputPushDelegate)? { state.withLock { $0.delegate } }

  /// The queue on which the delegate is called.
  ///
  /// Apple: `AVPlayerItemMetadataOutput.delegateQueue`.
  open var delegateQueue: DispatchQueue? { state.withLock { $0.queue } }

  /// How many seconds before its time metadata comes while the item is played; 0 by default.
  ///
  /// A value larger than what is read ahead has it come as early as possible; negative ones are a programming mistake, and are not set.
  ///
  /// Apple: `AVPlayerItemMetadataOutput.advanceIntervalForDelegateInvocation`.
  open var advanceIntervalForDelegateInvocation: TimeInterval {
    get { state.withLock { $0.advance } }
    set {
      guard newValue >= 0, newValue.isFinite else {
        ProgrammingMistake.report(
          rule: "AVPlayerItemMetadataOutput.advanceIntervalForDelegateInvocation is not negative.")
        return
      }
      state.withLock { $0.advance = newValue }
      refresh()
    }
  }

  /// Hands over at once what is due by now.
  private func refresh() {
    guard let item, let core = item.core else { return }
    core.change { core.metadataChanged(of: item) }
  }

  override func attached() {
    let old = state.withLock { state in
      defer { (state.feed, state.isStale) = (nil, true) }
      return state.feed
    }
    withExtendedLifetime(old) {}
    refresh()
  }

  // MARK: On the player's queue

  /// The groups handed over before the jump are not taken back: the delegate learns of it behind them.
  override func flush(effects: PlayerCore) {
    state.withLock { $0.isStale = true }
    call { $0.outputSequenceWasFlushed(self) }
  }

  /// The metadata begins anew at the item's time when it is played next.
  func expire() { state.withLock { $0.isStale = true } }

  /// Hands over what is due.
  func advance(_ entry: ItemPlayback, core: PlayerCore) {
    guard !entry.isBackward || entry.timebase.rate == 0 else { return expire() }
    let item = entry.item
    let (isWanted, hasFeed) = state.withLock { ($0.queue != nil, $0.feed != nil) }
    guard isWanted else { return }
    let made =
      hasFeed
      ? nil
      : MetadataFeed(item.tracks, identifiers: identifiers) { [weak core, weak item] in
        guard let item else { return }
        core?.later { $0.metadataChanged(of: item) }
      }
    // What a client changes meanwhile is not overwritten: it has this called again.
    let taken = state.withLock { state -> (feed: MetadataFeed, isStale: Bool)? in
      guard state.queue != nil, let feed = state.feed ?? made else { return nil }
      defer { (state.feed, state.isStale) = (feed, false) }
      return (feed, state.isStale)
    }
    guard let (feed, isStale) = taken else { return }
    if isStale { feed.restart(at: entry.beforeEnd(entry.timebase.time)) }
    let due = feed.take(upTo: horizon(of: entry), waits: core.clock.movesByHand)
    for delivery in due where delivery.track.isEnabled {
      call { $0.metadataOutput(self, didOutputTimedMetadataGroups: delivery.groups, from: delivery.track) }
    }
  }

  /// The time of the item up to which groups are due.
  private func horizon(of entry: ItemPlayback) -> CMTime {
    entry.pictureTime + lead(at: entry.timebase.rate)
  }

  private func lead(at rate: Double) -> CMTime {
    // A day: more is as early as possible, too.
    let seconds = min(state.withLock { $0.advance } * max(rate, 0), 86_400)
    return CMTime(seconds: seconds, preferredTimescale: 1_000_000)
  }

  /// When the player has to look again, in the item's time; `nil` where nothing is known to come.
  ///
  /// - Parameter now: Returned when more has to be read first, on a clock that moves by hand.
  func nextTime(of entry: ItemPlayback, now: CMTime, waits: Bool) -> CMTime? {
    // Without a queue nothing is handed over, and what is due would be due for ever.
    guard !entry.isBackward, let feed = state.withLock({ $0.queue == nil ? nil : $0.feed }) else {
      return nil
    }
    if waits, feed.isBehind { return now }
    return feed.nextTime.map { $0 - lead(at: entry.timebase.rate) }
  }

  private func call(_ body: @escaping @Sendable (any AVPlayerItemMetadataOutputPushDelegate) -> Void) {
    let queue = state.withLock { $0.queue }
    queue?.async { [self] in
      guard item != nil, let delegate else { return }
      body(delegate)
    }
  }
}

extension AVPlayerItem {
  var metadataOutputs: [AVPlayerItemMetadataOutput] {
    outputs.compactMap { $0 as? AVPlayerItemMetadataOutput }
  }
}
