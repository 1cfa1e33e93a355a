extension Publisher {
  /// Publishes values as long as the closure is true, and ends.
  ///
  /// Apple: `Publisher.prefix(while:)`.
  public func prefix(while predicate: @escaping (Output) -> Bool) -> Publishers.PrefixWhile<Self> {
    Publishers.PrefixWhile(upstream: self, predicate: predicate)
  }

  /// Leaves out values until the closure is false for one.
  ///
  /// Apple: `Publisher.drop(while:)`.
  public func drop(while predicate: @escaping (Output) -> Bool) -> Publishers.DropWhile<Self> {
    Publishers.DropWhile(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher of values as long as a closure is true.
  public struct PrefixWhile<Upstream: Publisher>: Publisher {
    /// The publisher's own.
    public typealias Output = Upstream.Output
    /// The publisher's own.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// What must be true.
    public let predicate: (Output) -> Bool

    /// A publisher of values as long as the closure is true.
    public init(upstream: Upstream, predicate: @escaping (Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where S: Subscriber, Upstream.Failure == S.Failure, Upstream.Output == S.Input {
      let predicate = predicate
      upstream.subscribe(
        Relay<Output, Failure, S>(subscriber) { predicate($0) ? .value($0) : .end(.finished) })
    }
  }

  /// A publisher of values from the first on for which a closure is false.
  public struct DropWhile<Upstream: Publisher>: Publisher {
    /// The publisher's own.
    public typealias Output = Upstream.Output
    /// The publisher's own.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// Which values are left out at the beginning.
    public let predicate: (Output) -> Bool

    /// A publisher of values from the first on for which the closure is false.
    public init(upstream: Upstream, predicate: @escaping (Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where S: Subscriber, Upstream.Failure == S.Failure, Upstream.Output == S.Input {
      let predicate = predicate
      var isDropping = true
      upstream.subscribe(
        Relay<Output, Failure, S>(subscriber) { value in
          isDropping = isDropping && predicate(value)
          return isDropping ? .skip : .value(value)
        })
    }
  }
}
