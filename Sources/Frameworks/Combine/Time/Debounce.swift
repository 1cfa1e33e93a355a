internal import Linux

extension Publisher {
  /// Publishes a value when none has come for so long after it.
  ///
  /// A value that waits when the end comes is lost. Apple: `Publisher.debounce(for:scheduler:options:)`.
  public func debounce<S>(
    for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.Debounce<Self, S> where S: Scheduler {
    Publishers.Debounce(upstream: self, dueTime: dueTime, scheduler: scheduler, options: options)
  }
}

extension Publishers {
  /// A publisher of values after which none came for a time.
  public struct Debounce<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The publisher's own.
    public typealias Output = Upstream.Output
    /// The publisher's own.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// How long none must come.
    public let dueTime: Context.SchedulerTimeType.Stride
    /// Where values are delivered.
    public let scheduler: Context
    /// What is asked of the scheduler.
    public let options: Context.SchedulerOptions?

    /// A publisher of values after which none came for so long.
    public init(
      upstream: Upstream, dueTime: Context.SchedulerTimeType.Stride, scheduler: Context,
      options: Context.SchedulerOptions?
    ) {
      self.upstream = upstream
      self.dueTime = dueTime
      self.scheduler = scheduler
      self.options = options
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where S: Subscriber, Upstream.Failure == S.Failure, Upstream.Output == S.Input {
      upstream.subscribe(QuietWaiter(self, for: subscriber))
    }
  }
}

/// Waits until no value has come for a time, and delivers the last one.
private final class QuietWaiter<Upstream: Publisher, Context: Scheduler, Downstream: Subscriber>: Subscriber
where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
  private let publisher: Publishers.Debounce<Upstream, Context>
  private let downstream: Downstream
  private let outlet: Outlet<Downstream>
  private let lock = Lock()
  private var value: Downstream.Input?
  private var timer: (any Cancellable)?
  private var number = 0

  init(_ publisher: Publishers.Debounce<Upstream, Context>, for downstream: Downstream) {
    self.publisher = publisher
    self.downstream = downstream
    outlet = Outlet(downstream)
  }

  func receive(subscription: any Subscription) {
    outlet.whenCancelled = {
      self.forget()
      subscription.cancel()
    }
    downstream.receive(subscription: outlet)
    subscription.request(.unlimited)
  }

  func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    let (number, last) = lock.withLock {
      let last = (value, timer)
      (value, timer) = (input, nil)
      self.number += 1
      return (self.number, last)
    }
    last.1?.cancel()
    let scheduler = publisher.scheduler
    let new = scheduler.schedule(
      after: scheduler.now.advanced(by: publisher.dueTime), interval: publisher.dueTime,
      tolerance: scheduler.minimumTolerance, options: publisher.options
    ) { self.timerFired(number) }
    let isWanted = lock.withLock {
      let isWanted = self.number == number && value != nil
      if isWanted { timer = new }
      return isWanted
    }
    if !isWanted { new.cancel() }
    return .none
  }

  func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    forget()
    publisher.scheduler.schedule(options: publisher.options) { self.outlet.finish(completion) }
  }

  private func timerFired(_ number: Int) {
    let due = lock.withLock { () -> Downstream.Input?? in
      guard self.number == number else { return nil }
      let due = value
      value = nil
      return due
    }
    guard let due, let value = due else { return }
    let timer = lock.withLock {
      guard self.number == number else { return nil as (any Cancellable)? }
      let last = self.timer
      self.timer = nil
      return last
    }
    timer?.cancel()
    outlet.send(value)
  }

  private func forget() {
    let last = lock.withLock {
      let last = (value, timer)
      (value, timer) = (nil, nil)
      number += 1
      return last
    }
    last.1?.cancel()
  }
}
