extension Publisher {
  /// Publishes what each value makes of all before it.
  ///
  /// Apple: `Publisher.scan(_:_:)`.
  public func scan<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T
  ) -> Publishers.Scan<Self, T> {
    Publishers.Scan(upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
  }

  /// Publishes, at the end, what all values make together.
  ///
  /// Apple: `Publisher.reduce(_:_:)`.
  public func reduce<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T
  ) -> Publishers.Reduce<Self, T> {
    Publishers.Reduce(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
  }
}

extension Publishers {
  /// A publisher of what each value makes of all before it.
  public struct Scan<Upstream: Publisher, Output>: Publisher {
    /// The publisher's own.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// What the first value meets.
    public let initialResult: Output
    /// What a value makes of the result before it.
    public let nextPartialResult: (Output, Upstream.Output) -> Output

    /// A publisher of the results.
    public init(
      upstream: Upstream, initialResult: Output,
      nextPartialResult: @escaping (Output, Upstream.Output) -> Output
    ) {
      self.upstream = upstream
      self.initialResult = initialResult
      self.nextPartialResult = nextPartialResult
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where Output == S.Input, S: Subscriber, Upstream.Failure == S.Failure {
      let nextPartialResult = nextPartialResult
      var result = initialResult
      upstream.subscribe(
        Relay<Upstream.Output, Failure, S>(subscriber) { value in
          result = nextPartialResult(result, value)
          return .value(result)
        })
    }
  }

  /// A publisher of what all values make together.
  public struct Reduce<Upstream: Publisher, Output>: Publisher {
    /// The publisher's own.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// What the first value meets.
    public let initial: Output
    /// What a value makes of the result before it.
    public let nextPartialResult: (Output, Upstream.Output) -> Output

    /// A publisher of the result.
    public init(
      upstream: Upstream, initial: Output, nextPartialResult: @escaping (Output, Upstream.Output) -> Output
    ) {
      self.upstream = upstream
      self.initial = initial
      self.nextPartialResult = nextPartialResult
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where Output == S.Input, S: Subscriber, Upstream.Failure == S.Failure {
      let nextPartialResult = nextPartialResult
      var result = initial
      upstream.subscribe(
        Summary<Upstream.Output, Failure, S>(
          subscriber,
          note: { value in
            result = nextPartialResult(result, value)
            return false
          }, result: { result }))
    }
  }
}
