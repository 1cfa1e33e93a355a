/// A publisher whose kind is hidden.
///
/// Apple: `AnyPublisher`.
@frozen public struct AnyPublisher<Output, Failure: Error>: Publisher, CustomStringConvertible {
  let box: PublisherBox<Output, Failure>

  /// Hides a publisher's kind.
  public init<P>(_ publisher: P) where P: Publisher, Output == P.Output, Failure == P.Failure {
    box = (publisher as? AnyPublisher<Output, Failure>)?.box ?? PublisherBoxOf(publisher)
  }

  /// `AnyPublisher`.
  public var description: String { "AnyPublisher" }

  /// Hands the subscriber its subscription.
  public func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input {
    box.receive(subscriber: subscriber)
  }
}

extension Publisher {
  /// The same publisher, its kind hidden.
  ///
  /// Apple: `Publisher.eraseToAnyPublisher()`.
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> {
    AnyPublisher(self)
  }
}

/// A publisher of some kind.
@usableFromInline
class PublisherBox<Output, Failure: Error> {
  func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input {
    preconditionFailure("A box is made of a publisher.")
  }
}

private final class PublisherBoxOf<P: Publisher>: PublisherBox<P.Output, P.Failure> {
  private let publisher: P

  init(_ publisher: P) {
    self.publisher = publisher
  }

  override func receive<S>(subscriber: S) where S: Subscriber, P.Failure == S.Failure, P.Output == S.Input {
    publisher.receive(subscriber: subscriber)
  }
}
