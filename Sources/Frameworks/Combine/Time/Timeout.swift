internal import Linux

extension Publisher {
  /// Ends when no value has come for so long.
  ///
  /// Apple: `Publisher.timeout(_:scheduler:options:customError:)`.
  ///
  /// - Parameter customError: What it fails with; without it, it just ends.
  public func timeout<S>(
    _ interval: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil,
    customError: (() -> Failure)? = nil
  ) -> Publishers.Timeout<Self, S> where S: Scheduler {
    Publishers.Timeout(
      upstream: self, interval: interval, scheduler: scheduler, options: options, customError: customError)
  }
}

extension Publishers {
  /// A publisher that ends when no value has come for a time.
  public struct Timeout<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The publisher's own.
    public typealias Output = Upstream.Output
    /// The publisher's own.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// How long it waits for a value.
    public let interval: Context.SchedulerTimeType.Stride
    /// Where values are delivered.
    public let scheduler: Context
    /// What is asked of the scheduler.
    public let options: Context.SchedulerOptions?
    /// What it fails with.
    public let customError: (() -> Failure)?

    /// A publisher that ends when no value has come for so long.
    public init(
      upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context,
      options: Context.SchedulerOptions?, customError: (() -> Failure)?
    ) {
      self.upstream = upstream
      self.interval = interval
      self.scheduler = scheduler
      self.options = options
      self.customError = customError
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where S: Subscriber, Upstream.Failure == S.Failure, Upstream.Output == S.Input {
      upstream.subscribe(ValueAwaiter(self, for: subscriber))
    }
  }
}

/// Ends the values when none has come for a time.
private final class ValueAwaiter<Upstream: Publisher, Context: Scheduler, Downstream: Subscriber>: Subscriber
where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
  private let publisher: Publishers.Timeout<Upstream, Context>
  private let downstream: Downstream
  private let outlet: Outlet<Downstream>
  private let lock = Lock()
  private var upstream: (any Subscription)?
  private var number = 0

  init(_ publisher: Publishers.Timeout<Upstream, Context>, for downstream: Downstream) {
    self.publisher = publisher
    self.downstream = downstream
    outlet = Outlet(downstream, keeping: .all)
  }

  func receive(subscription: any Subscription) {
    lock.withLock { upstream = subscription }
    outlet.whenAsked = { subscription.request($0) }
    outlet.whenCancelled = { self.take()?.cancel() }
    waitForNext()
    downstream.receive(subscription: outlet)
  }

  func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    guard lock.withLock({ upstream != nil }) else { return .none }
    waitForNext()
    publisher.scheduler.schedule(options: publisher.options) { self.outlet.send(input) }
    return .none
  }

  func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    guard take() != nil else { return }
    publisher.scheduler.schedule(options: publisher.options) { self.outlet.finish(completion) }
  }

  private func waitForNext() {
    let number = lock.withLock {
      self.number += 1
      return self.number
    }
    let scheduler = publisher.scheduler
    scheduler.schedule(
      after: scheduler.now.advanced(by: publisher.interval), tolerance: scheduler.minimumTolerance,
      options: publisher.options
    ) { [weak self] in self?.timePassed(number) }
  }

  private func timePassed(_ number: Int) {
    guard lock.withLock({ self.number == number }), let upstream = take() else { return }
    upstream.cancel()
    outlet.finish(publisher.customError.map { .failure($0()) } ?? .finished)
  }

  private func take() -> (any Subscription)? {
    lock.withLock {
      let last = upstream
      upstream = nil
      number += 1
      return last
    }
  }
}
