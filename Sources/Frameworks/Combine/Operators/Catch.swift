internal import Linux

extension Publisher {
  /// Goes on with another publisher after an error.
  ///
  /// Apple: `Publisher.catch(_:)`.
  public func `catch`<P>(_ handler: @escaping (Failure) -> P) -> Publishers.Catch<Self, P>
  where P: Publisher, Output == P.Output {
    Publishers.Catch(upstream: self, handler: handler)
  }

  /// Goes on with another publisher after an error, or with the error that the closure throws.
  ///
  /// Apple: `Publisher.tryCatch(_:)`.
  public func tryCatch<P>(_ handler: @escaping (Failure) throws -> P) -> Publishers.TryCatch<Self, P>
  where P: Publisher, Output == P.Output {
    Publishers.TryCatch(upstream: self, handler: handler)
  }

  /// Subscribes anew after an error, at most so many times.
  ///
  /// Apple: `Publisher.retry(_:)`.
  public func retry(_ retries: Int) -> Publishers.Retry<Self> {
    Publishers.Retry(upstream: self, retries: retries)
  }
}

extension Publishers {
  /// A publisher that goes on with another one after an error.
  public struct Catch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
  where Upstream.Output == NewPublisher.Output {
    /// Both publishers' own.
    public typealias Output = Upstream.Output
    /// The other publisher's.
    public typealias Failure = NewPublisher.Failure

    /// Where the values come from first.
    public let upstream: Upstream
    /// What makes the other publisher.
    public let handler: (Upstream.Failure) -> NewPublisher

    /// A publisher that goes on with what the closure makes.
    public init(upstream: Upstream, handler: @escaping (Upstream.Failure) -> NewPublisher) {
      self.upstream = upstream
      self.handler = handler
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where S: Subscriber, NewPublisher.Failure == S.Failure, NewPublisher.Output == S.Input {
      let handler = handler
      let chain = Chain(subscriber)
      chain.follow(upstream) { completion in
        switch completion {
        case .finished: chain.finish(.finished)
        case .failure(let error): chain.follow(handler(error)) { chain.finish($0) }
        }
      }
    }
  }

  /// A publisher that goes on with another one, or an error that a closure throws, after an error.
  public struct TryCatch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
  where Upstream.Output == NewPublisher.Output {
    /// Both publishers' own.
    public typealias Output = Upstream.Output
    /// Any error.
    public typealias Failure = any Error

    /// Where the values come from first.
    public let upstream: Upstream
    /// What makes the other publisher.
    public let handler: (Upstream.Failure) throws -> NewPublisher

    /// A publisher that goes on with what the closure makes.
    public init(upstream: Upstream, handler: @escaping (Upstream.Failure) throws -> NewPublisher) {
      self.upstream = upstream
      self.handler = handler
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where S: Subscriber, NewPublisher.Output == S.Input, S.Failure == any Error {
      let handler = handler
      upstream.catch { error -> AnyPublisher<Output, any Error> in
        do {
          return try handler(error).mapError { $0 }.eraseToAnyPublisher()
        } catch {
          return Fail(error: error).eraseToAnyPublisher()
        }
      }
      .receive(subscriber: subscriber)
    }
  }

  /// A publisher that subscribes anew after an error.
  public struct Retry<Upstream: Publisher>: Publisher {
    /// The publisher's own.
    public typealias Output = Upstream.Output
    /// The publisher's own.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// How many times it subscribes anew; `nil` for ever.
    public let retries: Int?

    /// A publisher that subscribes anew so many times.
    public init(upstream: Upstream, retries: Int?) {
      self.upstream = upstream
      self.retries = retries
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where S: Subscriber, Upstream.Failure == S.Failure, Upstream.Output == S.Input {
      follow(Chain(subscriber), retries: retries)
    }

    private func follow<S>(_ chain: Chain<S>, retries: Int?)
    where Upstream.Failure == S.Failure, Upstream.Output == S.Input {
      chain.follow(upstream) { completion in
        if case .failure = completion, retries != 0 {
          follow(chain, retries: retries.map { $0 - 1 })
        } else {
          chain.finish(completion)
        }
      }
    }
  }
}
