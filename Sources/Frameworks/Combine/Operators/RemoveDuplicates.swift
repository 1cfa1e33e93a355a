extension Publisher where Output: Equatable {
  /// Leaves out a value that equals the one before it.
  ///
  /// Apple: `Publisher.removeDuplicates()`.
  public func removeDuplicates() -> Publishers.RemoveDuplicates<Self> {
    removeDuplicates(by: ==)
  }
}

extension Publisher {
  /// Leaves out a value that is the same as the one before it, by the closure.
  ///
  /// Apple: `Publisher.removeDuplicates(by:)`.
  public func removeDuplicates(
    by predicate: @escaping (Output, Output) -> Bool
  ) -> Publishers.RemoveDuplicates<Self> {
    Publishers.RemoveDuplicates(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher that leaves out repetitions.
  public struct RemoveDuplicates<Upstream: Publisher>: Publisher {
    /// The publisher's own.
    public typealias Output = Upstream.Output
    /// The publisher's own.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// Whether two values are the same.
    public let predicate: (Output, Output) -> Bool

    /// A publisher that leaves out repetitions.
    public init(upstream: Upstream, predicate: @escaping (Output, Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where S: Subscriber, Upstream.Failure == S.Failure, Upstream.Output == S.Input {
      let predicate = predicate
      var last: Output?
      upstream.subscribe(
        Relay<Output, Failure, S>(subscriber) { value in
          if let last, predicate(last, value) { return .skip }
          last = value
          return .value(value)
        })
    }
  }
}
