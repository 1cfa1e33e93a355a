extension Publisher {
  /// Leaves out the values for which the closure is false.
  ///
  /// Apple: `Publisher.filter(_:)`.
  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.Filter<Self> {
    Publishers.Filter(upstream: self, isIncluded: isIncluded)
  }

  /// Leaves out the values for which the closure is false, or fails.
  ///
  /// Apple: `Publisher.tryFilter(_:)`.
  public func tryFilter(_ isIncluded: @escaping (Output) throws -> Bool) -> Publishers.TryFilter<Self> {
    Publishers.TryFilter(upstream: self, isIncluded: isIncluded)
  }
}

extension Publishers {
  /// A publisher of the values for which a closure is true.
  public struct Filter<Upstream: Publisher>: Publisher {
    /// The publisher's own.
    public typealias Output = Upstream.Output
    /// The publisher's own.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// Which stay.
    public let isIncluded: (Upstream.Output) -> Bool

    /// A publisher of the values for which the closure is true.
    public init(upstream: Upstream, isIncluded: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.isIncluded = isIncluded
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where S: Subscriber, Upstream.Failure == S.Failure, Upstream.Output == S.Input {
      let isIncluded = isIncluded
      upstream.subscribe(Relay<Output, Failure, S>(subscriber) { isIncluded($0) ? .value($0) : .skip })
    }
  }

  /// A publisher of the values for which a closure is true, or of the error that it throws.
  public struct TryFilter<Upstream: Publisher>: Publisher {
    /// The publisher's own.
    public typealias Output = Upstream.Output
    /// Any error, the closure's or the publisher's.
    public typealias Failure = any Error

    /// Where the values come from.
    public let upstream: Upstream
    /// Which stay.
    public let isIncluded: (Upstream.Output) throws -> Bool

    /// A publisher of the values for which the closure is true.
    public init(upstream: Upstream, isIncluded: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.isIncluded = isIncluded
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where S: Subscriber, Upstream.Output == S.Input, S.Failure == any Error {
      let isIncluded = isIncluded
      upstream.subscribe(
        Relay<Output, Upstream.Failure, S>(
          subscriber, tryChange: { try isIncluded($0) ? .value($0) : .skip }))
    }
  }
}
