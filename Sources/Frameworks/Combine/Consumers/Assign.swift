internal import Linux

extension Subscribers {
  /// A subscriber that asks for all values and assigns each to a property of an object, which it keeps until the end.
  ///
  /// Apple: `Subscribers.Assign`.
  public final class Assign<Root, Input>: Subscriber, Cancellable {
    /// Nothing can fail.
    public typealias Failure = Never

    /// The property.
    public let keyPath: ReferenceWritableKeyPath<Root, Input>
    private let lock = Lock()
    private var root: Root?
    private var subscription: (any Subscription)?

    /// Assigns to a property of this object.
    public init(object: Root, keyPath: ReferenceWritableKeyPath<Root, Input>) {
      root = object
      self.keyPath = keyPath
    }

    /// The object; `nil` after the end.
    public var object: Root? {
      lock.withLock { root }
    }

    /// Asks for all values.
    public func receive(subscription: any Subscription) {
      let isWanted = lock.withLock {
        guard self.subscription == nil, root != nil else { return false }
        self.subscription = subscription
        return true
      }
      guard isWanted else { return subscription.cancel() }
      subscription.request(.unlimited)
    }

    /// Assigns the value.
    public func receive(_ value: Input) -> Subscribers.Demand {
      object?[keyPath: keyPath] = value
      return .none
    }

    /// Lets go of the object.
    public func receive(completion: Subscribers.Completion<Never>) {
      _ = end()
    }

    /// Ends the subscription, and lets go of the object.
    public func cancel() {
      end().subscription?.cancel()
    }

    private func end() -> (root: Root?, subscription: (any Subscription)?) {
      lock.withLock {
        let last = (root, subscription)
        (root, subscription) = (nil, nil)
        return last
      }
    }
  }
}

extension Publisher where Failure == Never {
  /// Assigns each value to a property of an object, which is kept until the end.
  ///
  /// Apple: `Publisher.assign(to:on:)`.
  ///
  /// - Returns: What ends it when it is cancelled or goes away.
  public func assign<Root>(to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root)
    -> AnyCancellable
  {
    let assign = Subscribers.Assign(object: object, keyPath: keyPath)
    subscribe(assign)
    return AnyCancellable(assign)
  }

  /// Assigns each value to a property with ``Published``, as long as that is there.
  ///
  /// Apple: `Publisher.assign(to:)`.
  public func assign(to published: inout Published<Output>.Publisher) {
    published.follow(self)
  }
}
