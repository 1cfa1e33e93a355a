/// A publisher that is made anew for each subscriber.
///
/// Apple: `Deferred`.
public struct Deferred<DeferredPublisher: Publisher>: Publisher {
  /// The values of what is made.
  public typealias Output = DeferredPublisher.Output
  /// The errors of what is made.
  public typealias Failure = DeferredPublisher.Failure

  /// What makes the publisher.
  public let createPublisher: () -> DeferredPublisher

  /// Makes the publisher when a subscriber comes.
  public init(createPublisher: @escaping () -> DeferredPublisher) {
    self.createPublisher = createPublisher
  }

  /// Hands the subscriber its subscription.
  public func receive<S>(subscriber: S)
  where S: Subscriber, DeferredPublisher.Failure == S.Failure, DeferredPublisher.Output == S.Input {
    createPublisher().subscribe(subscriber)
  }
}
