/// A source of values over time.
///
/// Each subscriber gets a subscription, then as many values as it asks for, and at most one completion after which nothing comes.
/// Apple: `Publisher`.
public protocol Publisher<Output, Failure> {
  /// The values.
  associatedtype Output
  /// The error that may end them; `Never` where none can.
  associatedtype Failure: Error

  /// Hands the subscriber its subscription; called by ``Publisher/subscribe(_:)-(S)``.
  func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input
}

/// The publishers that operators make.
///
/// Apple: `Publishers`.
public enum Publishers {}

extension Publisher {
  /// Attaches a subscriber.
  ///
  /// Apple: `Publisher.subscribe(_:)`.
  public func subscribe<S>(_ subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input {
    receive(subscriber: subscriber)
  }
}

/// A publisher that publishes nothing before it is connected.
///
/// Apple: `ConnectablePublisher`.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
  /// Begins to publish; what is returned ends it when it is cancelled.
  func connect() -> any Cancellable
}
