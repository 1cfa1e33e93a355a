extension Publisher {
  /// Makes another value of each.
  ///
  /// Apple: `Publisher.map(_:)`.
  public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.Map<Self, T> {
    Publishers.Map(upstream: self, transform: transform)
  }

  /// Makes another value of each, or fails.
  ///
  /// Apple: `Publisher.tryMap(_:)`.
  public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Publishers.TryMap<Self, T> {
    Publishers.TryMap(upstream: self, transform: transform)
  }

  /// Publishes a property of each value.
  public func map<T>(_ keyPath: KeyPath<Output, T>) -> Publishers.MapKeyPath<Self, T> {
    Publishers.MapKeyPath(upstream: self, keyPath: keyPath)
  }

  /// Publishes two properties of each value.
  public func map<T0, T1>(
    _ keyPath0: KeyPath<Output, T0>, _ keyPath1: KeyPath<Output, T1>
  ) -> Publishers.MapKeyPath2<Self, T0, T1> {
    Publishers.MapKeyPath2(upstream: self, keyPath0: keyPath0, keyPath1: keyPath1)
  }
}

extension Publishers {
  /// A publisher of what a closure makes of each value.
  public struct Map<Upstream: Publisher, Output>: Publisher {
    /// The publisher's own.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// What makes another value of each.
    public let transform: (Upstream.Output) -> Output

    /// A publisher of what the closure makes.
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where Output == S.Input, S: Subscriber, Upstream.Failure == S.Failure {
      let transform = transform
      upstream.subscribe(Relay<Upstream.Output, Failure, S>(subscriber) { .value(transform($0)) })
    }
  }

  /// A publisher of what a closure makes of each value, or of the error that it throws.
  public struct TryMap<Upstream: Publisher, Output>: Publisher {
    /// Any error, the closure's or the publisher's.
    public typealias Failure = any Error

    /// Where the values come from.
    public let upstream: Upstream
    /// What makes another value of each.
    public let transform: (Upstream.Output) throws -> Output

    /// A publisher of what the closure makes.
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) throws -> Output) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S) where Output == S.Input, S: Subscriber, S.Failure == any Error {
      let transform = transform
      upstream.subscribe(
        Relay<Upstream.Output, Upstream.Failure, S>(subscriber, tryChange: { .value(try transform($0)) }))
    }
  }

  /// A publisher of a property of each value.
  public struct MapKeyPath<Upstream: Publisher, Output>: Publisher {
    /// The publisher's own.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// The property.
    public let keyPath: KeyPath<Upstream.Output, Output>

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where Output == S.Input, S: Subscriber, Upstream.Failure == S.Failure {
      let keyPath = keyPath
      upstream.map { $0[keyPath: keyPath] }.receive(subscriber: subscriber)
    }
  }

  /// A publisher of two properties of each value.
  public struct MapKeyPath2<Upstream: Publisher, Output0, Output1>: Publisher {
    /// Both.
    public typealias Output = (Output0, Output1)
    /// The publisher's own.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// The first property.
    public let keyPath0: KeyPath<Upstream.Output, Output0>
    /// The second property.
    public let keyPath1: KeyPath<Upstream.Output, Output1>

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where Output == S.Input, S: Subscriber, Upstream.Failure == S.Failure {
      let (keyPath0, keyPath1) = (keyPath0, keyPath1)
      upstream.map { ($0[keyPath: keyPath0], $0[keyPath: keyPath1]) }.receive(subscriber: subscriber)
    }
  }
}
