internal import Linux

extension Publisher {
  /// Publishes at most one value in each interval: the newest, or the first of those that came.
  ///
  /// The first value is published at once. Apple: `Publisher.throttle(for:scheduler:latest:)`.
  public func throttle<S>(
    for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool
  ) -> Publishers.Throttle<Self, S> where S: Scheduler {
    Publishers.Throttle(upstream: self, interval: interval, scheduler: scheduler, latest: latest)
  }
}

extension Publishers {
  /// A publisher of at most one value in each interval.
  public struct Throttle<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The publisher's own.
    public typealias Output = Upstream.Output
    /// The publisher's own.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// The interval.
    public let interval: Context.SchedulerTimeType.Stride
    /// Where values are delivered.
    public let scheduler: Context
    /// Whether the newest of an interval is published, and not the first.
    public let latest: Bool

    /// A publisher of at most one value in each interval.
    public init(
      upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context, latest: Bool
    ) {
      self.upstream = upstream
      self.interval = interval
      self.scheduler = scheduler
      self.latest = latest
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where S: Subscriber, Upstream.Failure == S.Failure, Upstream.Output == S.Input {
      upstream.subscribe(Throttler(self, for: subscriber))
    }
  }
}

/// Delivers at most one value in each interval.
private final class Throttler<Upstream: Publisher, Context: Scheduler, Downstream: Subscriber>: Subscriber
where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
  private let publisher: Publishers.Throttle<Upstream, Context>
  private let downstream: Downstream
  private let outlet: Outlet<Downstream>
  private let lock = Lock()
  private var value: Downstream.Input?
  private var last: Context.SchedulerTimeType?
  private var isScheduled = false
  private var completion: Subscribers.Completion<Downstream.Failure>?

  init(_ publisher: Publishers.Throttle<Upstream, Context>, for downstream: Downstream) {
    self.publisher = publisher
    self.downstream = downstream
    outlet = Outlet(downstream)
  }

  func receive(subscription: any Subscription) {
    outlet.whenCancelled = { subscription.cancel() }
    downstream.receive(subscription: outlet)
    subscription.request(.unlimited)
  }

  func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    let now = publisher.scheduler.now
    let (due, displaced) = lock.withLock { () -> (Context.SchedulerTimeType?, Downstream.Input?) in
      let waiting = value
      if waiting == nil || publisher.latest { value = input }
      guard !isScheduled else { return (nil, waiting) }
      isScheduled = true
      return (last.map { max(now, $0.advanced(by: publisher.interval)) } ?? now, waiting)
    }
    withExtendedLifetime(displaced) {}
    guard let due else { return .none }
    if due == now {
      publisher.scheduler.schedule { self.deliver() }
    } else {
      publisher.scheduler.schedule(after: due) { self.deliver() }
    }
    return .none
  }

  func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    let isScheduled = lock.withLock {
      self.completion = completion
      return self.isScheduled
    }
    if !isScheduled { publisher.scheduler.schedule { self.deliver() } }
  }

  private func deliver() {
    let now = publisher.scheduler.now
    let (value, completion) = lock.withLock {
      let due = (self.value, self.completion)
      self.value = nil
      isScheduled = false
      if due.0 != nil { last = now }
      return due
    }
    if let value { outlet.send(value) }
    if let completion { outlet.finish(completion) }
  }
}
