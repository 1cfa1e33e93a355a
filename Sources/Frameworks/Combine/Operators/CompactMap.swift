extension Publisher {
  /// Makes another value of each, and leaves out those of which nothing comes.
  ///
  /// Apple: `Publisher.compactMap(_:)`.
  public func compactMap<T>(_ transform: @escaping (Output) -> T?) -> Publishers.CompactMap<Self, T> {
    Publishers.CompactMap(upstream: self, transform: transform)
  }

  /// Makes another value of each, leaves out those of which nothing comes, or fails.
  ///
  /// Apple: `Publisher.tryCompactMap(_:)`.
  public func tryCompactMap<T>(
    _ transform: @escaping (Output) throws -> T?
  ) -> Publishers.TryCompactMap<Self, T> {
    Publishers.TryCompactMap(upstream: self, transform: transform)
  }

  /// Publishes another value in place of `nil`.
  ///
  /// Apple: `Publisher.replaceNil(with:)`.
  public func replaceNil<T>(with output: T) -> Publishers.Map<Self, T> where Output == T? {
    Publishers.Map(upstream: self) { $0 ?? output }
  }
}

extension Publishers {
  /// A publisher of what a closure makes of some values.
  public struct CompactMap<Upstream: Publisher, Output>: Publisher {
    /// The publisher's own.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// What makes another value of each, or nothing.
    public let transform: (Upstream.Output) -> Output?

    /// A publisher of what the closure makes.
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output?) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where Output == S.Input, S: Subscriber, Upstream.Failure == S.Failure {
      let transform = transform
      upstream.subscribe(
        Relay<Upstream.Output, Failure, S>(subscriber) { transform($0).map { .value($0) } ?? .skip })
    }
  }

  /// A publisher of what a closure makes of some values, or of the error that it throws.
  public struct TryCompactMap<Upstream: Publisher, Output>: Publisher {
    /// Any error, the closure's or the publisher's.
    public typealias Failure = any Error

    /// Where the values come from.
    public let upstream: Upstream
    /// What makes another value of each, or nothing.
    public let transform: (Upstream.Output) throws -> Output?

    /// A publisher of what the closure makes.
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) throws -> Output?) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S) where Output == S.Input, S: Subscriber, S.Failure == any Error {
      let transform = transform
      upstream.subscribe(
        Relay<Upstream.Output, Upstream.Failure, S>(
          subscriber, tryChange: { try transform($0).map { .value($0) } ?? .skip }))
    }
  }
}
