extension Publisher {
  /// Makes another error of the one that ends the values.
  ///
  /// Apple: `Publisher.mapError(_:)`.
  public func mapError<E: Error>(_ transform: @escaping (Failure) -> E) -> Publishers.MapError<Self, E> {
    Publishers.MapError(upstream: self, transform)
  }

  /// Publishes a value in place of an error, and ends.
  ///
  /// Apple: `Publisher.replaceError(with:)`.
  public func replaceError(with output: Output) -> Publishers.ReplaceError<Self> {
    Publishers.ReplaceError(upstream: self, output: output)
  }

  /// Stops the program when there is an error.
  ///
  /// Apple: `Publisher.assertNoFailure(_:file:line:)`.
  public func assertNoFailure(
    _ prefix: String = "", file: StaticString = #file, line: UInt = #line
  ) -> Publishers.AssertNoFailure<Self> {
    Publishers.AssertNoFailure(upstream: self, prefix: prefix, file: file, line: line)
  }
}

extension Publisher where Failure == Never {
  /// Names the error of a publisher that never fails.
  ///
  /// Apple: `Publisher.setFailureType(to:)`.
  public func setFailureType<E: Error>(to failureType: E.Type) -> Publishers.SetFailureType<Self, E> {
    Publishers.SetFailureType(upstream: self)
  }
}

extension Publishers {
  /// A publisher with another error.
  public struct MapError<Upstream: Publisher, Failure: Error>: Publisher {
    /// The publisher's own.
    public typealias Output = Upstream.Output

    /// Where the values come from.
    public let upstream: Upstream
    /// What makes another error.
    public let transform: (Upstream.Failure) -> Failure

    /// A publisher with the error that the closure makes.
    public init(upstream: Upstream, _ map: @escaping (Upstream.Failure) -> Failure) {
      self.upstream = upstream
      transform = map
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where Failure == S.Failure, S: Subscriber, Upstream.Output == S.Input {
      let transform = transform
      upstream.subscribe(
        Relay<Output, Upstream.Failure, S>(
          subscriber, change: { .value($0) }, completed: { $0.mapError(transform) }))
    }
  }

  /// A publisher that names the error that never comes.
  public struct SetFailureType<Upstream: Publisher, Failure: Error>: Publisher
  where Upstream.Failure == Never {
    /// The publisher's own.
    public typealias Output = Upstream.Output

    /// Where the values come from.
    public let upstream: Upstream

    /// A publisher that names the error that never comes.
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where Failure == S.Failure, S: Subscriber, Upstream.Output == S.Input {
      upstream.subscribe(
        Relay<Output, Never, S>(subscriber, change: { .value($0) }, completed: { _ in .finished }))
    }
  }

  /// A publisher of a value in place of an error.
  public struct ReplaceError<Upstream: Publisher>: Publisher {
    /// The publisher's own.
    public typealias Output = Upstream.Output
    /// It never fails.
    public typealias Failure = Never

    /// Where the values come from.
    public let upstream: Upstream
    /// The value in place of an error.
    public let output: Output

    /// A publisher of this value in place of an error.
    public init(upstream: Upstream, output: Output) {
      self.upstream = upstream
      self.output = output
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where S: Subscriber, Upstream.Output == S.Input, S.Failure == Never {
      let output = output
      upstream.catch { _ in Just(output) }.receive(subscriber: subscriber)
    }
  }

  /// A publisher that must not fail.
  public struct AssertNoFailure<Upstream: Publisher>: Publisher {
    /// The publisher's own.
    public typealias Output = Upstream.Output
    /// It never fails.
    public typealias Failure = Never

    /// Where the values come from.
    public let upstream: Upstream
    /// What the program says first when it stops.
    public let prefix: String
    /// The file that it names.
    public let file: StaticString
    /// The line that it names.
    public let line: UInt

    /// A publisher that must not fail.
    public init(upstream: Upstream, prefix: String, file: StaticString, line: UInt) {
      self.upstream = upstream
      self.prefix = prefix
      self.file = file
      self.line = line
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where S: Subscriber, Upstream.Output == S.Input, S.Failure == Never {
      let (prefix, file, line) = (prefix, file, line)
      upstream.subscribe(
        Relay<Output, Upstream.Failure, S>(
          subscriber, change: { .value($0) },
          completed: { completion in
            if case .failure(let error) = completion {
              fatalError("\(prefix)\(error)", file: file, line: line)
            }
            return .finished
          }))
    }
  }
}
