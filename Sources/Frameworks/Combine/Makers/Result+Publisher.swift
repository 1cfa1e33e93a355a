extension Result {
  /// A publisher of the value or the error.
  public var publisher: Result<Success, Failure>.Publisher {
    Publisher(self)
  }

  /// A publisher of one value, or an error.
  ///
  /// Apple: `Result.Publisher`.
  public struct Publisher: Combine.Publisher {
    /// The value.
    public typealias Output = Success

    /// What is published.
    public let result: Result<Success, Failure>

    /// A publisher of this result.
    public init(_ result: Result<Success, Failure>) {
      self.result = result
    }

    /// A publisher of this value.
    public init(_ output: Success) {
      result = .success(output)
    }

    /// A publisher that fails with this error.
    public init(_ failure: Failure) {
      result = .failure(failure)
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S) where Success == S.Input, Failure == S.Failure, S: Subscriber {
      switch result {
      case .success(let value):
        Just(value).setFailureType(to: Failure.self).receive(subscriber: subscriber)
      case .failure(let error):
        Fail(outputType: Success.self, failure: error).receive(subscriber: subscriber)
      }
    }
  }
}

extension Result.Publisher: Equatable where Success: Equatable, Failure: Equatable {}

extension Optional {
  /// A publisher of the value, if there is one.
  public var publisher: Optional<Wrapped>.Publisher {
    Publisher(self)
  }

  /// A publisher of one value or none.
  ///
  /// Apple: `Optional.Publisher`.
  public struct Publisher: Combine.Publisher {
    /// The value.
    public typealias Output = Wrapped
    /// It never fails.
    public typealias Failure = Never

    /// What is published.
    public let output: Wrapped?

    /// A publisher of this value.
    public init(_ output: Wrapped?) {
      self.output = output
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S) where Wrapped == S.Input, S: Subscriber, S.Failure == Never {
      if let output {
        Just(output).receive(subscriber: subscriber)
      } else {
        Empty().receive(subscriber: subscriber)
      }
    }
  }
}

extension Optional.Publisher: Equatable where Wrapped: Equatable {}
