/// A publisher through which a program sends values.
///
/// Apple: `Subject`.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
  /// Sends a value to the subscribers.
  func send(_ value: Output)

  /// Sends the end to the subscribers.
  func send(completion: Subscribers.Completion<Failure>)

  /// Takes a subscription to what is to be sent through it.
  func send(subscription: any Subscription)
}

extension Subject where Output == Void {
  /// Sends a value without content.
  public func send() {
    send(())
  }
}

extension Publisher {
  /// Sends all values and the end through a subject, until what is returned is cancelled or goes away.
  ///
  /// Apple: `Publisher.subscribe(_:)`.
  public func subscribe<S>(_ subject: S) -> AnyCancellable
  where S: Subject, Failure == S.Failure, Output == S.Output {
    let sender = SubjectSender(subject)
    subscribe(sender)
    return AnyCancellable(sender)
  }
}
