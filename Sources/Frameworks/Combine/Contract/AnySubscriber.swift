/// A subscriber whose kind is hidden, or that is made of closures.
///
/// Apple: `AnySubscriber`.
public struct AnySubscriber<Input, Failure: Error>: Subscriber, CustomStringConvertible {
  /// That of the subscriber that it is made of.
  public let combineIdentifier: CombineIdentifier
  private let subscribed: (any Subscription) -> Void
  private let received: (Input) -> Subscribers.Demand
  private let completed: (Subscribers.Completion<Failure>) -> Void

  /// Hides a subscriber's kind.
  public init<S>(_ s: S) where Input == S.Input, Failure == S.Failure, S: Subscriber {
    combineIdentifier = s.combineIdentifier
    subscribed = { s.receive(subscription: $0) }
    received = { s.receive($0) }
    completed = { s.receive(completion: $0) }
  }

  /// Sends all that it gets through a subject.
  public init<S>(_ s: S) where Input == S.Output, S: Subject, Failure == S.Failure {
    combineIdentifier = CombineIdentifier(s)
    subscribed = { s.send(subscription: $0) }
    received = {
      s.send($0)
      return .none
    }
    completed = { s.send(completion: $0) }
  }

  /// Calls the closures; without one for the values it asks for no more.
  public init(
    receiveSubscription: ((any Subscription) -> Void)? = nil,
    receiveValue: ((Input) -> Subscribers.Demand)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil
  ) {
    combineIdentifier = CombineIdentifier()
    subscribed = receiveSubscription ?? { _ in }
    received = receiveValue ?? { _ in .none }
    completed = receiveCompletion ?? { _ in }
  }

  /// `AnySubscriber`.
  public var description: String { "AnySubscriber" }

  /// Hands the subscription on.
  public func receive(subscription: any Subscription) {
    subscribed(subscription)
  }

  /// Hands the value on.
  public func receive(_ value: Input) -> Subscribers.Demand {
    received(value)
  }

  /// Hands the end on.
  public func receive(completion: Subscribers.Completion<Failure>) {
    completed(completion)
  }
}
