/// An object that announces its changes before they happen.
///
/// The default ``ObservableObject/objectWillChange`` announces the changes of properties with ``Published``, from when it is first asked
/// for. Apple: `ObservableObject`.
public protocol ObservableObject: AnyObject {
  /// What announces the changes.
  associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
  where ObjectWillChangePublisher.Failure == Never

  /// Publishes before the object changes.
  var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
  /// Publishes before a property with ``Published`` changes, and whenever the object calls its `send()`.
  public var objectWillChange: ObservableObjectPublisher {
    ObservableObjectPublishers.publisher(of: self)
  }
}

/// The publisher of an object's changes.
///
/// Apple: `ObservableObjectPublisher`.
public final class ObservableObjectPublisher: Publisher {
  /// A change.
  public typealias Output = Void
  /// It never fails.
  public typealias Failure = Never

  private let subject = PassthroughSubject<Void, Never>()

  /// A publisher without subscribers.
  public init() {}

  /// Hands the subscriber its subscription.
  public func receive<S>(subscriber: S) where S: Subscriber, S.Failure == Never, S.Input == Void {
    subject.receive(subscriber: subscriber)
  }

  /// Announces a change.
  public func send() {
    subject.send()
  }
}
