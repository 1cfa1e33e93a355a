internal import Dispatch
public import Foundation

/// The main run loop's actions run on the main queue, which the main thread serves whether it runs its loop, `dispatchMain()`, an
/// asynchronous `main`, or the loop of a window; other loops run theirs themselves.
///
/// - Note: Unlike Combine, the main run loop's actions do not wait for its default mode.
extension RunLoop: Scheduler {
  /// A moment by the wall clock.
  ///
  /// Apple: `RunLoop.SchedulerTimeType`.
  public typealias SchedulerTimeType = WallClockTime

  /// A run loop has no options.
  ///
  /// Apple: `RunLoop.SchedulerOptions`.
  public struct SchedulerOptions {}

  /// The present moment.
  public var now: SchedulerTimeType { SchedulerTimeType(Date()) }
  /// None.
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// Runs the action in the loop.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    if self === RunLoop.main { return DispatchQueue.main.schedule(action) }
    addTimer(after: 0, repeating: nil, action)
  }

  /// Runs the action in the loop at a moment.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    let delay = max(0, date.date.timeIntervalSinceNow)
    guard self === RunLoop.main else {
      addTimer(after: delay, repeating: nil, action)
      return
    }
    let queue = DispatchQueue.main
    queue.schedule(after: queue.now.advanced(by: .seconds(delay)), action)
  }

  /// Runs the action in the loop at a moment and then again and again.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let delay = max(0, date.date.timeIntervalSinceNow)
    guard self === RunLoop.main else {
      let timer = addTimer(after: delay, repeating: interval.timeInterval, action)
      return AnyCancellable { timer.invalidate() }
    }
    let queue = DispatchQueue.main
    return queue.schedule(
      after: queue.now.advanced(by: .seconds(delay)), interval: .seconds(interval.timeInterval),
      tolerance: .seconds(tolerance.timeInterval), options: nil, action)
  }

  @discardableResult
  private func addTimer(
    after delay: TimeInterval, repeating interval: TimeInterval?, _ action: @escaping () -> Void
  )
    -> Timer
  {
    let action = HandedAction(action)
    let timer = Timer(
      fire: Date(timeIntervalSinceNow: delay), interval: interval ?? 0, repeats: interval != nil
    ) { _ in action.run() }
    add(timer, forMode: .default)
    return timer
  }
}
