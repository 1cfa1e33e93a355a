internal import Dispatch
public import Foundation

extension OperationQueue: Scheduler {
  /// A moment by the wall clock.
  ///
  /// Apple: `OperationQueue.SchedulerTimeType`.
  public typealias SchedulerTimeType = WallClockTime

  /// An operation queue has no options.
  ///
  /// Apple: `OperationQueue.SchedulerOptions`.
  public struct SchedulerOptions {}

  /// The present moment.
  public var now: SchedulerTimeType { SchedulerTimeType(Date()) }
  /// None.
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// Runs the action as an operation.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    let action = HandedAction(action)
    addOperation { action.run() }
  }

  /// Runs the action as an operation that is added at a moment.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    let clock = DispatchQueue.global()
    clock.schedule(after: clock.now.advanced(by: .seconds(max(0, date.date.timeIntervalSinceNow)))) {
      self.schedule(options: options, action)
    }
  }

  /// Runs the action as operations that are added at a moment and then again and again.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let clock = DispatchQueue.global()
    return clock.schedule(
      after: clock.now.advanced(by: .seconds(max(0, date.date.timeIntervalSinceNow))),
      interval: .seconds(interval.timeInterval), tolerance: .seconds(tolerance.timeInterval), options: nil
    ) { self.schedule(options: options, action) }
  }
}
