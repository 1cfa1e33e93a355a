public import CoreMedia
public import Foundation
internal import Linux

/// Takes media of an item while it is played.
///
/// Thread-safe. Apple: `AVPlayerItemOutput`.
open class AVPlayerItemOutput: NSObject, @unchecked Sendable {  // Safe because what changes is under a lock.
  private struct State {
    weak var item: AVPlayerItem?
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
}
