extension Publisher where Output: Equatable {
  /// Publishes whether the value comes, and ends when it has.
  ///
  /// Apple: `Publisher.contains(_:)`.
  public func contains(_ output: Output) -> Publishers.ContainsWhere<Self> {
    contains { $0 == output }
  }
}

extension Publisher {
  /// Publishes whether a value comes for which the closure is true, and ends when it has.
  ///
  /// Apple: `Publisher.contains(where:)`.
  public func contains(where predicate: @escaping (Output) -> Bool) -> Publishers.ContainsWhere<Self> {
    Publishers.ContainsWhere(upstream: self, predicate: predicate)
  }

  /// Publishes whether the closure is true for all values, and ends when it is false for one.
  ///
  /// Apple: `Publisher.allSatisfy(_:)`.
  public func allSatisfy(_ predicate: @escaping (Output) -> Bool) -> Publishers.AllSatisfy<Self> {
    Publishers.AllSatisfy(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher of whether a value comes.
  public struct ContainsWhere<Upstream: Publisher>: Publisher {
    /// True when such a value comes.
    public typealias Output = Bool
    /// The publisher's own.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// Which value is looked for.
    public let predicate: (Upstream.Output) -> Bool

    /// A publisher of whether a value comes for which the closure is true.
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where S: Subscriber, Upstream.Failure == S.Failure, S.Input == Bool {
      let predicate = predicate
      var isFound = false
      upstream.subscribe(
        Summary<Upstream.Output, Failure, S>(
          subscriber,
          note: { value in
            isFound = predicate(value)
            return isFound
          }, result: { isFound }))
    }
  }

  /// A publisher of whether a closure is true for all values.
  public struct AllSatisfy<Upstream: Publisher>: Publisher {
    /// True when the closure is, for all values.
    public typealias Output = Bool
    /// The publisher's own.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// What shall be true.
    public let predicate: (Upstream.Output) -> Bool

    /// A publisher of whether the closure is true for all values.
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where S: Subscriber, Upstream.Failure == S.Failure, S.Input == Bool {
      let predicate = predicate
      var isTrue = true
      upstream.subscribe(
        Summary<Upstream.Output, Failure, S>(
          subscriber,
          note: { value in
            isTrue = predicate(value)
            return !isTrue
          }, result: { isTrue }))
    }
  }
}
