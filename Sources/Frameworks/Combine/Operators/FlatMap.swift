extension Publisher {
  /// Makes a publisher of each value, and publishes the values of all of them.
  ///
  /// Apple: `Publisher.flatMap(maxPublishers:_:)`.
  ///
  /// - Parameter maxPublishers: How many may publish at once; the next value is asked for when one of them has ended.
  public func flatMap<T, P>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where T == P.Output, P: Publisher, Failure == P.Failure {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }

  /// Makes a publisher of each value, and publishes the values of all of them; this one never fails.
  public func flatMap<P>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Publishers.SetFailureType<Self, P.Failure>>
  where P: Publisher, Failure == Never {
    setFailureType(to: P.Failure.self).flatMap(maxPublishers: maxPublishers, transform)
  }

  /// Makes a publisher that never fails of each value; neither does this one.
  public func flatMap<P>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where P: Publisher, Failure == Never, P.Failure == Never {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }
}

extension Publisher where Output: Publisher {
  /// Publishes the values of the newest publisher that is published, and leaves the one before.
  ///
  /// Apple: `Publisher.switchToLatest()`.
  public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> where Failure == Output.Failure {
    Publishers.SwitchToLatest(upstream: self)
  }

  /// Publishes the values of the newest publisher that is published; this one never fails.
  public func switchToLatest()
    -> Publishers.SwitchToLatest<Output, Publishers.SetFailureType<Self, Output.Failure>>
  where Failure == Never {
    Publishers.SwitchToLatest(upstream: setFailureType(to: Output.Failure.self))
  }

  /// Publishes the values of the newest publisher that is published; none of them fails.
  public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self>
  where Failure == Never, Output.Failure == Never {
    Publishers.SwitchToLatest(upstream: self)
  }
}

extension Publishers {
  /// A publisher of the values of publishers that are made of values.
  public struct FlatMap<NewPublisher: Publisher, Upstream: Publisher>: Publisher
  where NewPublisher.Failure == Upstream.Failure {
    /// The made publishers' own.
    public typealias Output = NewPublisher.Output
    /// All publishers' own.
    public typealias Failure = Upstream.Failure

    /// Where the values come from of which publishers are made.
    public let upstream: Upstream
    /// How many may publish at once.
    public let maxPublishers: Subscribers.Demand
    /// What makes a publisher of a value.
    public let transform: (Upstream.Output) -> NewPublisher

    /// A publisher of the values of what the closure makes.
    public init(
      upstream: Upstream, maxPublishers: Subscribers.Demand,
      transform: @escaping (Upstream.Output) -> NewPublisher
    ) {
      self.upstream = upstream
      self.maxPublishers = maxPublishers
      self.transform = transform
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where S: Subscriber, NewPublisher.Output == S.Input, Upstream.Failure == S.Failure {
      let (transform, isLimited) = (transform, maxPublishers != .unlimited)
      let junction = Junction(subscriber, expecting: 1)
      var ended: (() -> Void)?
      let port = Port<Upstream.Output, Failure>(
        received: { value in
          junction.expect()
          junction.add(transform(value), completed: ended ?? {})
          return .none
        }, completed: { junction.sourceEnded($0) })
      if isLimited { ended = { [weak port] in port?.request(.max(1)) } }
      junction.add(port, cancel: { port.cancel() })
      subscriber.receive(subscription: junction.subscription)
      port.request(maxPublishers)
      upstream.subscribe(port)
    }
  }

  /// A publisher of the values of the newest of several publishers.
  public struct SwitchToLatest<P: Publisher, Upstream: Publisher>: Publisher
  where P == Upstream.Output, P.Failure == Upstream.Failure {
    /// The published publishers' own.
    public typealias Output = P.Output
    /// All publishers' own.
    public typealias Failure = P.Failure

    /// Where the publishers come from.
    public let upstream: Upstream

    /// A publisher of the values of the newest.
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where S: Subscriber, P.Output == S.Input, Upstream.Failure == S.Failure {
      let junction = Junction(subscriber, expecting: 1)
      // Touched by the values of the one publisher of publishers, which come one after the other.
      var current: AnyObject?
      let port = Port<Upstream.Output, Failure>(
        received: { publisher in
          junction.expect()
          if let last = current { junction.drop(last) }
          current = junction.add(publisher)
          return .none
        }, completed: { junction.sourceEnded($0) })
      junction.add(port, cancel: { port.cancel() })
      subscriber.receive(subscription: junction.subscription)
      port.request(.unlimited)
      upstream.subscribe(port)
    }
  }
}
