/// A receiver of a publisher's values.
///
/// A publisher calls ``receive(subscription:)`` once, then ``receive(_:)`` as often as was asked for, then at most once
/// ``receive(completion:)``, one call after the other. Apple: `Subscriber`.
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
  /// The values.
  associatedtype Input
  /// The error that may end them.
  associatedtype Failure: Error

  /// Gets the subscription, with which it asks for values.
  func receive(subscription: any Subscription)

  /// Gets a value, and returns how many more it wants beyond those that it has asked for.
  func receive(_ input: Input) -> Subscribers.Demand

  /// Is notified of the end.
  func receive(completion: Subscribers.Completion<Failure>)
}

extension Subscriber where Input == Void {
  /// Gets a value without content.
  public func receive() -> Subscribers.Demand {
    receive(())
  }
}

/// Demands, completions, and subscribers that are ready to use.
///
/// Apple: `Subscribers`.
public enum Subscribers {}

extension Subscribers {
  /// The end of a publisher's values.
  ///
  /// Apple: `Subscribers.Completion`.
  @frozen public enum Completion<Failure: Error> {
    /// There are no more.
    case finished
    /// Something went wrong.
    case failure(Failure)
  }
}

extension Subscribers.Completion: Sendable {}
extension Subscribers.Completion: Equatable where Failure: Equatable {}
extension Subscribers.Completion: Hashable where Failure: Hashable {}

extension Subscribers.Completion {
  /// The same end with another error.
  func mapError<Other: Error>(_ transform: (Failure) -> Other) -> Subscribers.Completion<Other> {
    switch self {
    case .finished: .finished
    case .failure(let error): .failure(transform(error))
    }
  }
}
