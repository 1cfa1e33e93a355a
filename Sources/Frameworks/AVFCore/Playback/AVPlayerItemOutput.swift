public import CoreMedia
public import Foundation
internal import Linux

/// Takes media of an item while it is played.
///
/// Thread-safe. Apple: `AVPlayerItemOutput`.
open class AVPlayerItemOutput: NSObject, @unchecked Sendable {  // Safe because what changes is under a lock.
  private struct State {
    weak var item: AVPlayerItem?
    var suppresses = false
  }

  private let state = Locked(State())

  override init() {}

  /// The item; `nil` for none.
  var item: AVPlayerItem? { state.withLock { $0.item } }

  /// Notes the item; `false` when it has one already.
  func attach(to item: AVPlayerItem?) -> Bool {
    let old = self.item
    guard item == nil || old == nil || old === item else { return false }
    state.withLock { $0.item = item }
    return true
  }

  /// Whether what the output gives is not shown by the player itself, such as in its layers; `false` by default.
  ///
  /// Of the outputs here those of pictures give what a player shows. Apple: `AVPlayerItemOutput.suppressesPlayerRendering`.
  open var suppressesPlayerRendering: Bool {
    get { state.withLock { $0.suppresses } }
    set {
      state.withLock { $0.suppresses = newValue }
      guard let item, let core = item.core else { return }
      core.change { core.outputsChanged(of: item) }
    }
  }

  /// Which time of the item is shown at a time of the host clock; invalid while it stands still or belongs to no item.
  ///
  /// Apple: `AVPlayerItemOutput.itemTime(forHostTime:)`.
  ///
  /// - Parameter hostTimeInSeconds: As `CACurrentMediaTime()` has it.
  open func itemTime(forHostTime hostTimeInSeconds: CFTimeInterval) -> CMTime {
    itemTime(at: CMTime(seconds: hostTimeInSeconds, preferredTimescale: 1_000_000_000))
  }

  /// Which time of the item is shown at a time of the host clock in nanoseconds.
  ///
  /// Apple: `AVPlayerItemOutput.itemTime(forMachAbsoluteTime:)`.
  open func itemTime(forMachAbsoluteTime machAbsoluteTime: Int64) -> CMTime {
    itemTime(at: CMTime(value: machAbsoluteTime, timescale: 1_000_000_000))
  }

  private func itemTime(at host: CMTime) -> CMTime {
    guard let item else { return .invalid }
    let timebase = item.ownTimebase
    // A timebase that stands still shows the same time at every moment.
    if timebase.rate == 0 { return timebase.time }
    // A clock that moves by hand is the host clock of its test.
    let clock = timebase.ultimateSourceClock
    return CMSyncConvertTime(host, from: clock.movesByHand ? clock : .hostTimeClock, to: timebase)
  }

  func noteMedia() {}
  func noteFlush() {}

  /// The output belongs to another item than before, or to none.
  func attached() {}

  /// The item's time has jumped.
  func flush(effects: PlayerCore) {
    effects.notify { self.noteFlush() }
  }
}
