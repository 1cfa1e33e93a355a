/// A subject that has a value, which subscribers get first.
///
/// A subscriber that has not asked when a value is sent gets the newest when it asks. Thread-safe. Apple: `CurrentValueSubject`.
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
  private let outlets: OutletList<Output, Failure>

  /// A subject with this value.
  public init(_ value: Output) {
    outlets = OutletList(newest: value)
  }

  deinit {
    outlets.cancelUpstreams()
  }

  /// The newest value; setting it sends it.
  public var value: Output {
    get {
      guard let value = outlets.value else { preconditionFailure("The list was made with a value.") }
      return value
    }
    set { send(newValue) }
  }

  /// Hands the subscriber its subscription.
  public func receive<S>(subscriber: S) where Output == S.Input, Failure == S.Failure, S: Subscriber {
    outlets.add(subscriber)
  }

  /// Makes it the newest value, and sends it.
  public func send(_ input: Output) {
    outlets.send(input)
  }

  /// Sends the end to all subscribers, and to later ones.
  public func send(completion: Subscribers.Completion<Failure>) {
    outlets.send(completion: completion)
  }

  /// Takes a subscription, and asks it for all values.
  public func send(subscription: any Subscription) {
    outlets.send(subscription: subscription)
  }
}
