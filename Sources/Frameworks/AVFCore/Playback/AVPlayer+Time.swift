public import CoreMedia
public import Dispatch
public import Foundation
internal import FoundationExtras

/// Seeks.
extension AVPlayer {
  /// Goes near a time of the current item: where it costs least.
  ///
  /// Apple: `AVPlayer.seek(to:)`.
  public func seek(to time: CMTime) {
    currentItem?.seek(to: time, completionHandler: nil)
  }

  /// Goes to a time of the current item, or near it within the tolerances; zero for both is exact.
  ///
  /// Apple: `AVPlayer.seek(to:toleranceBefore:toleranceAfter:)`.
  public func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime) {
    currentItem?.seek(
      to: time, toleranceBefore: toleranceBefore, toleranceAfter: toleranceAfter, completionHandler: nil)
  }

  /// Goes near a time of the current item.
  ///
  /// - Parameter completionHandler: Called on the main queue when the picture is there, or with `false` when another seek has
  ///   ended this one, or there is no item that can be played. Before the item's status is ready to play it is a programming
  ///   mistake: it is called with `false`, and the seek takes place without it.
  ///
  /// Apple: `AVPlayer.seek(to:completionHandler:)`.
  public func seek(to time: CMTime, completionHandler: @escaping @Sendable (Bool) -> Void) {
    guard let item = currentItem else { return completionHandler(false) }
    item.seek(to: time, completionHandler: completionHandler)
  }

  /// Goes to a time of the current item, or near it within the tolerances; zero for both is exact.
  ///
  /// - Parameter completionHandler: Called on the main queue when the picture is there, or with `false` when another seek has
  ///   ended this one, or there is no item that can be played. Before the item's status is ready to play it is a programming
  ///   mistake: it is called with `false`, and the seek takes place without it.
  ///
  /// Apple: `AVPlayer.seek(to:toleranceBefore:toleranceAfter:completionHandler:)`.
  public func seek(
    to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime,
    completionHandler: @escaping @Sendable (Bool) -> Void
  ) {
    guard let item = currentItem else { return completionHandler(false) }
    item.seek(
      to: time, toleranceBefore: toleranceBefore, toleranceAfter: toleranceAfter,
      completionHandler: completionHandler)
  }

  /// Goes near a time of the current item.
  ///
  /// - Returns: Whether the picture is there; `false` when another seek has ended this one. To wait for a seek before the item's
  ///   status is ready to play is a programming mistake: it returns `false` at once, and the seek takes place.
  ///
  /// Apple: `AVPlayer.seek(to:)`.
  @discardableResult
  public func seek(to time: CMTime) async -> Bool {
    await currentItem?.seek(to: time) ?? false
  }

  /// Goes to a time of the current item, or near it within the tolerances; zero for both is exact.
  ///
  /// - Returns: Whether the picture is there; `false` when another seek has ended this one. To wait for a seek before the item's
  ///   status is ready to play is a programming mistake: it returns `false` at once, and the seek takes place.
  ///
  /// Apple: `AVPlayer.seek(to:toleranceBefore:toleranceAfter:)`.
  @discardableResult
  public func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime) async -> Bool {
    await currentItem?.seek(to: time, toleranceBefore: toleranceBefore, toleranceAfter: toleranceAfter)
      ?? false
  }

  /// Decodes ahead, so that playing begins without a delay.
  ///
  /// The rate must be 0 and ``status`` ready; else it is a programming mistake. Apple:
  /// `AVPlayer.preroll(atRate:completionHandler:)`.
  ///
  /// - Parameters:
  ///   - rate: How fast will be played; below zero, what comes before the present time is decoded.
  ///   - completionHandler: Called on the main queue: whether it is done, or was ended by a seek, another item, or
  ///     ``cancelPendingPrerolls()``.
  public func preroll(atRate rate: Float, completionHandler: (@Sendable (Bool) -> Void)? = nil) {
    guard status == .readyToPlay, self.rate == 0 else {
      ProgrammingMistake.report(
        rule: "AVPlayer.preroll needs a player that is ready to play and paused, a rate of 0.")
      return
    }
    core.change { core.preroll(rate, completionHandler ?? { _ in }) }
  }

  /// Decodes ahead, so that playing begins without a delay.
  ///
  /// - Returns: Whether it is done.
  ///
  /// Apple: `AVPlayer.preroll(atRate:)`.
  public func preroll(atRate rate: Float) async -> Bool {
    guard status == .readyToPlay, self.rate == 0 else {
      preroll(atRate: rate, completionHandler: nil)
      return false
    }
    return await withCheckedContinuation { continuation in
      preroll(atRate: rate) { continuation.resume(returning: $0) }
    }
  }

  /// Ends prerolls that are under way; their handlers are called with `false`.
  ///
  /// Apple: `AVPlayer.cancelPendingPrerolls()`.
  public func cancelPendingPrerolls() {
    core.change { core.cancelPrerolls() }
  }

  /// Plays so that the item shows `itemTime` at a moment of the clock.
  ///
  /// Needs `automaticallyWaitsToMinimizeStalling` to be `false`; else it is a programming mistake. Apple:
  /// `AVPlayer.setRate(_:time:atHostTime:)`.
  ///
  /// - Parameters:
  ///   - rate: How fast; below zero backwards.
  ///   - itemTime: Invalid for the present one.
  ///   - hostClockTime: On ``sourceClock``; invalid for now.
  public func setRate(_ rate: Float, time itemTime: CMTime, atHostTime hostClockTime: CMTime) {
    guard !automaticallyWaitsToMinimizeStalling else {
      ProgrammingMistake.report(
        rule: "AVPlayer.setRate(_:time:atHostTime:) needs automaticallyWaitsToMinimizeStalling to be false.")
      return
    }
    core.change { core.setRate(rate, itemTime: itemTime, host: hostClockTime) }
  }
}

/// Observers of time.
extension AVPlayer {
  /// Calls `block` again and again as time passes, forwards or backwards, and when it jumps, or playing begins or ends.
  ///
  /// - Parameters:
  ///   - interval: Of the item's time, above 0; `block` is called at its multiples. Another one is a programming mistake: `block`
  ///     is never called.
  ///   - queue: A serial queue; `nil` for the main one.
  ///   - block: Gets the item's time.
  /// - Returns: What ``removeTimeObserver(_:)`` takes; keep it as long as `block` shall be called.
  ///
  /// Apple: `AVPlayer.addPeriodicTimeObserver(forInterval:queue:using:)`.
  public func addPeriodicTimeObserver(
    forInterval interval: CMTime, queue: DispatchQueue?, using block: @escaping @Sendable (CMTime) -> Void
  ) -> Any {
    let observer = TimeObserver(.periodic(interval, block), queue: queue)
    if !interval.isValid || (interval.isNumeric && interval <= .zero) {
      ProgrammingMistake.report(rule: "AVPlayer.addPeriodicTimeObserver needs an interval above 0.")
      return observer
    }
    return add(observer)
  }

  /// Calls `block` whenever playing passes one of some times, forwards or backwards.
  ///
  /// - Parameters:
  ///   - times: Each a `CMTime`; none at all are a programming mistake: `block` is never called.
  ///   - queue: A serial queue; `nil` for the main one.
  /// - Returns: What ``removeTimeObserver(_:)`` takes; keep it as long as `block` shall be called.
  ///
  /// Apple: `AVPlayer.addBoundaryTimeObserver(forTimes:queue:using:)`.
  public func addBoundaryTimeObserver(
    forTimes times: [NSValue], queue: DispatchQueue?, using block: @escaping @Sendable () -> Void
  ) -> Any {
    let observer = TimeObserver(.boundary(times.map(\.timeValue), block), queue: queue)
    if times.isEmpty {
      ProgrammingMistake.report(rule: "AVPlayer.addBoundaryTimeObserver needs at least one time.")
      return observer
    }
    return add(observer)
  }

  private func add(_ observer: TimeObserver) -> Any {
    core.change { core.add(observer) }
    return observer
  }

  /// Ends an observer: its block is not called any more.
  ///
  /// What is no observer of this player is a programming mistake. Apple: `AVPlayer.removeTimeObserver(_:)`.
  public func removeTimeObserver(_ observer: Any) {
    let removed = core.change {
      guard let index = core.observers.firstIndex(where: { $0 === observer as AnyObject }) else {
        return nil as TimeObserver?
      }
      return core.observers.remove(at: index)
    }
    guard let removed else {
      ProgrammingMistake.report(
        rule: "AVPlayer.removeTimeObserver takes an observer that was added to this player, once.")
      return
    }
    removed.end()
  }
}
