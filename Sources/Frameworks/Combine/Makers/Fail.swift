/// A publisher that fails at once.
///
/// Apple: `Fail`.
public struct Fail<Output, Failure: Error>: Publisher {
  /// The error.
  public let error: Failure

  /// A publisher that fails with this error.
  public init(error: Failure) {
    self.error = error
  }

  /// A publisher that fails with this error, its type of values named.
  public init(outputType: Output.Type, failure: Failure) {
    error = failure
  }

  /// Hands the subscriber its subscription.
  public func receive<S>(subscriber: S) where Output == S.Input, Failure == S.Failure, S: Subscriber {
    subscriber.receive(subscription: Subscriptions.empty)
    subscriber.receive(completion: .failure(error))
  }
}

extension Fail: Equatable where Failure: Equatable {}
