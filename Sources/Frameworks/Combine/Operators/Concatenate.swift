extension Publisher {
  /// Publishes the values of another publisher after its own.
  ///
  /// Apple: `Publisher.append(_:)`.
  public func append<P>(_ publisher: P) -> Publishers.Concatenate<Self, P>
  where P: Publisher, Failure == P.Failure, Output == P.Output {
    Publishers.Concatenate(prefix: self, suffix: publisher)
  }

  /// Publishes these values after its own.
  public func append(_ elements: Output...)
    -> Publishers.Concatenate<
      Self, Publishers.Sequence<[Output], Failure>
    >
  {
    append(Publishers.Sequence(sequence: elements))
  }

  /// Publishes the values of another publisher before its own.
  ///
  /// Apple: `Publisher.prepend(_:)`.
  public func prepend<P>(_ publisher: P) -> Publishers.Concatenate<P, Self>
  where P: Publisher, Failure == P.Failure, Output == P.Output {
    Publishers.Concatenate(prefix: publisher, suffix: self)
  }

  /// Publishes these values before its own.
  public func prepend(_ elements: Output...)
    -> Publishers.Concatenate<
      Publishers.Sequence<[Output], Failure>, Self
    >
  {
    prepend(Publishers.Sequence(sequence: elements))
  }

  /// Publishes a value where there was none.
  ///
  /// Apple: `Publisher.replaceEmpty(with:)`.
  public func replaceEmpty(with output: Output) -> Publishers.ReplaceEmpty<Self> {
    Publishers.ReplaceEmpty(upstream: self, output: output)
  }
}

extension Publishers {
  /// A publisher of the values of one and then of another one.
  public struct Concatenate<Prefix: Publisher, Suffix: Publisher>: Publisher
  where Prefix.Failure == Suffix.Failure, Prefix.Output == Suffix.Output {
    /// Both publishers' own.
    public typealias Output = Suffix.Output
    /// Both publishers' own.
    public typealias Failure = Suffix.Failure

    /// The first.
    public let prefix: Prefix
    /// The one after it.
    public let suffix: Suffix

    /// A publisher of the values of one and then of the other.
    public init(prefix: Prefix, suffix: Suffix) {
      self.prefix = prefix
      self.suffix = suffix
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where S: Subscriber, Suffix.Failure == S.Failure, Suffix.Output == S.Input {
      let (chain, suffix) = (Chain(subscriber), suffix)
      chain.follow(prefix) { completion in
        guard case .finished = completion else { return chain.finish(completion) }
        chain.follow(suffix) { chain.finish($0) }
      }
    }
  }

  /// A publisher of a value where there was none.
  public struct ReplaceEmpty<Upstream: Publisher>: Publisher {
    /// The publisher's own.
    public typealias Output = Upstream.Output
    /// The publisher's own.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// The value.
    public let output: Output

    /// A publisher of this value where there was none.
    public init(upstream: Upstream, output: Output) {
      self.upstream = upstream
      self.output = output
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where S: Subscriber, Upstream.Failure == S.Failure, Upstream.Output == S.Input {
      let (chain, output) = (Chain(subscriber), output)
      var isEmpty = true
      chain.follow(upstream.handleEvents(receiveOutput: { _ in isEmpty = false })) { completion in
        guard case .finished = completion, isEmpty else { return chain.finish(completion) }
        chain.follow(Just(output)) { _ in chain.finish(.finished) }
      }
    }
  }
}
