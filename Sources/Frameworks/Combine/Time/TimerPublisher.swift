public import Foundation
internal import Linux

extension Timer {
  /// A publisher of the date, again and again, once it is connected.
  ///
  /// Apple: `Timer.publish(every:tolerance:on:in:options:)`.
  ///
  /// - Parameters:
  ///   - interval: The seconds between two dates.
  ///   - tolerance: How many seconds later one may come.
  ///   - runLoop: The loop that the timer runs in; see ``Scheduler`` of `RunLoop` about the main one.
  ///   - mode: The mode of the loop, of one that is not the main one.
  public static func publish(
    every interval: TimeInterval, tolerance: TimeInterval? = nil, on runLoop: RunLoop, in mode: RunLoop.Mode,
    options: RunLoop.SchedulerOptions? = nil
  ) -> TimerPublisher {
    TimerPublisher(interval: interval, tolerance: tolerance, runLoop: runLoop, mode: mode, options: options)
  }

  /// A publisher of the date, again and again, once it is connected.
  ///
  /// Apple: `Timer.TimerPublisher`.
  public final class TimerPublisher: ConnectablePublisher {
    /// The date when the timer fired.
    public typealias Output = Date
    /// It never fails.
    public typealias Failure = Never

    /// The seconds between two dates.
    public let interval: TimeInterval
    /// How many seconds later one may come.
    public let tolerance: TimeInterval?
    /// The loop that the timer runs in.
    public let runLoop: RunLoop
    /// The mode of the loop.
    public let mode: RunLoop.Mode
    /// What is asked of the loop.
    public let options: RunLoop.SchedulerOptions?
    private let subject = PassthroughSubject<Date, Never>()

    /// A publisher of the date, so often.
    public init(
      interval: TimeInterval, tolerance: TimeInterval? = nil, runLoop: RunLoop, mode: RunLoop.Mode,
      options: RunLoop.SchedulerOptions? = nil
    ) {
      self.interval = interval
      self.tolerance = tolerance
      self.runLoop = runLoop
      self.mode = mode
      self.options = options
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S) where S: Subscriber, S.Failure == Never, S.Input == Date {
      subject.receive(subscriber: subscriber)
    }

    /// Starts a timer; what is returned ends it.
    public func connect() -> any Cancellable {
      let subject = subject
      guard runLoop !== RunLoop.main else {
        return runLoop.schedule(
          after: runLoop.now.advanced(by: .init(interval)), interval: .init(interval),
          tolerance: .init(tolerance ?? 0), options: options
        ) { subject.send(Date()) }
      }
      let action = HandedAction { subject.send(Date()) }
      let timer = Timer(timeInterval: interval, repeats: true) { _ in action.run() }
      timer.tolerance = tolerance ?? 0
      runLoop.add(timer, forMode: mode)
      return AnyCancellable { timer.invalidate() }
    }
  }
}
