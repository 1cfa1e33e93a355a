/// A subject that keeps no value: who has not asked when one is sent never gets it.
///
/// Thread-safe: a value that is sent while another thread's is being delivered to a subscriber comes after that. Apple: `PassthroughSubject`.
public final class PassthroughSubject<Output, Failure: Error>: Subject {
  private let outlets = OutletList<Output, Failure>()

  /// A subject without subscribers.
  public init() {}

  deinit {
    outlets.cancelUpstreams()
  }

  /// Hands the subscriber its subscription.
  public func receive<S>(subscriber: S) where Output == S.Input, Failure == S.Failure, S: Subscriber {
    outlets.add(subscriber)
  }

  /// Sends a value to the subscribers that have asked for one.
  public func send(_ input: Output) {
    outlets.send(input)
  }

  /// Sends the end to all subscribers, and to later ones.
  public func send(completion: Subscribers.Completion<Failure>) {
    outlets.send(completion: completion)
  }

  /// Takes a subscription, and asks it for all values once a subscriber asks for some.
  public func send(subscription: any Subscription) {
    outlets.send(subscription: subscription)
  }
}
