extension Publisher {
  /// Delivers values and the end on a scheduler.
  ///
  /// Apple: `Publisher.receive(on:options:)`.
  public func receive<S>(on scheduler: S, options: S.SchedulerOptions? = nil) -> Publishers.ReceiveOn<Self, S>
  where S: Scheduler {
    Publishers.ReceiveOn(upstream: self, scheduler: scheduler, options: options)
  }

  /// Subscribes, asks and cancels on a scheduler.
  ///
  /// Apple: `Publisher.subscribe(on:options:)`.
  public func subscribe<S>(on scheduler: S, options: S.SchedulerOptions? = nil)
    -> Publishers.SubscribeOn<Self, S> where S: Scheduler
  {
    Publishers.SubscribeOn(upstream: self, scheduler: scheduler, options: options)
  }

  /// Delivers values and the end so much later, on a scheduler; an error comes at once.
  ///
  /// Apple: `Publisher.delay(for:tolerance:scheduler:options:)`.
  public func delay<S>(
    for interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil, scheduler: S,
    options: S.SchedulerOptions? = nil
  ) -> Publishers.Delay<Self, S> where S: Scheduler {
    Publishers.Delay(
      upstream: self, interval: interval, tolerance: tolerance ?? scheduler.minimumTolerance,
      scheduler: scheduler, options: options)
  }
}

extension Publishers {
  /// A publisher that delivers on a scheduler.
  public struct ReceiveOn<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The publisher's own.
    public typealias Output = Upstream.Output
    /// The publisher's own.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// Where they are delivered.
    public let scheduler: Context
    /// What is asked of the scheduler.
    public let options: Context.SchedulerOptions?

    /// A publisher that delivers on this scheduler.
    public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
      self.upstream = upstream
      self.scheduler = scheduler
      self.options = options
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where S: Subscriber, Upstream.Failure == S.Failure, Upstream.Output == S.Input {
      let (scheduler, options) = (scheduler, options)
      upstream.subscribe(
        Hop<Output, Failure, S>(subscriber) { _, action in scheduler.schedule(options: options, action) })
    }
  }

  /// A publisher that delivers later.
  public struct Delay<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The publisher's own.
    public typealias Output = Upstream.Output
    /// The publisher's own.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// How much later they are delivered.
    public let interval: Context.SchedulerTimeType.Stride
    /// How much later still they may be.
    public let tolerance: Context.SchedulerTimeType.Stride
    /// Where they are delivered.
    public let scheduler: Context
    /// What is asked of the scheduler.
    public let options: Context.SchedulerOptions?

    /// A publisher that delivers so much later.
    public init(
      upstream: Upstream, interval: Context.SchedulerTimeType.Stride,
      tolerance: Context.SchedulerTimeType.Stride, scheduler: Context,
      options: Context.SchedulerOptions? = nil
    ) {
      self.upstream = upstream
      self.interval = interval
      self.tolerance = tolerance
      self.scheduler = scheduler
      self.options = options
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where S: Subscriber, Upstream.Failure == S.Failure, Upstream.Output == S.Input {
      let (interval, tolerance, scheduler, options) = (interval, tolerance, scheduler, options)
      upstream.subscribe(
        Hop<Output, Failure, S>(subscriber) { isFailure, action in
          guard !isFailure else { return scheduler.schedule(options: options, action) }
          scheduler.schedule(
            after: scheduler.now.advanced(by: interval), tolerance: tolerance, options: options, action)
        })
    }
  }

  /// A publisher that is subscribed to on a scheduler.
  public struct SubscribeOn<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The publisher's own.
    public typealias Output = Upstream.Output
    /// The publisher's own.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// Where it is subscribed to.
    public let scheduler: Context
    /// What is asked of the scheduler.
    public let options: Context.SchedulerOptions?

    /// A publisher that is subscribed to on this scheduler.
    public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
      self.upstream = upstream
      self.scheduler = scheduler
      self.options = options
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where S: Subscriber, Upstream.Failure == S.Failure, Upstream.Output == S.Input {
      let (upstream, scheduler, options) = (upstream, scheduler, options)
      let outlet = Outlet(subscriber, keeping: .all)
      let port = Port<Output, Failure>(
        received: { value in
          outlet.send(value)
          return .none
        }, completed: { outlet.finish($0) })
      outlet.whenAsked = { demand in scheduler.schedule(options: options) { port.request(demand) } }
      outlet.whenCancelled = { scheduler.schedule(options: options) { port.cancel() } }
      subscriber.receive(subscription: outlet)
      scheduler.schedule(options: options) { upstream.subscribe(port) }
    }
  }
}
