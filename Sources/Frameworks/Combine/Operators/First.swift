extension Publisher {
  /// Publishes the first value, and ends.
  ///
  /// Apple: `Publisher.first()`.
  public func first() -> Publishers.First<Self> {
    Publishers.First(upstream: self)
  }

  /// Publishes the first value for which the closure is true, and ends.
  ///
  /// Apple: `Publisher.first(where:)`.
  public func first(where predicate: @escaping (Output) -> Bool) -> Publishers.FirstWhere<Self> {
    Publishers.FirstWhere(upstream: self, predicate: predicate)
  }

  /// Publishes, at the end, the last value.
  ///
  /// Apple: `Publisher.last()`.
  public func last() -> Publishers.Last<Self> {
    Publishers.Last(upstream: self)
  }
}

extension Publishers {
  /// A publisher of the first value.
  public struct First<Upstream: Publisher>: Publisher {
    /// The publisher's own.
    public typealias Output = Upstream.Output
    /// The publisher's own.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// A publisher of the first value.
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where S: Subscriber, Upstream.Failure == S.Failure, Upstream.Output == S.Input {
      upstream.first { _ in true }.receive(subscriber: subscriber)
    }
  }

  /// A publisher of the first value for which a closure is true.
  public struct FirstWhere<Upstream: Publisher>: Publisher {
    /// The publisher's own.
    public typealias Output = Upstream.Output
    /// The publisher's own.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// Which value is wanted.
    public let predicate: (Output) -> Bool

    /// A publisher of the first value for which the closure is true.
    public init(upstream: Upstream, predicate: @escaping (Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where S: Subscriber, Upstream.Failure == S.Failure, Upstream.Output == S.Input {
      let predicate = predicate
      var found: Output?
      upstream.subscribe(
        Summary<Output, Failure, S>(
          subscriber,
          note: { value in
            guard predicate(value) else { return false }
            found = value
            return true
          }, result: { found }))
    }
  }

  /// A publisher of the last value.
  public struct Last<Upstream: Publisher>: Publisher {
    /// The publisher's own.
    public typealias Output = Upstream.Output
    /// The publisher's own.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// A publisher of the last value.
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where S: Subscriber, Upstream.Failure == S.Failure, Upstream.Output == S.Input {
      var newest: Output?
      upstream.subscribe(
        Summary<Output, Failure, S>(
          subscriber,
          note: { value in
            newest = value
            return false
          }, result: { newest }))
    }
  }
}
