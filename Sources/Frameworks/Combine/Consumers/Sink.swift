internal import Linux

extension Subscribers {
  /// A subscriber that asks for all values and calls closures.
  ///
  /// Apple: `Subscribers.Sink`.
  public final class Sink<Input, Failure: Error>: Subscriber, Cancellable {
    private let lock = Lock()
    private var closures: (value: (Input) -> Void, completion: (Subscribers.Completion<Failure>) -> Void)?
    private var subscription: (any Subscription)?

    /// Calls these closures.
    public init(
      receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
      receiveValue: @escaping (Input) -> Void
    ) {
      closures = (receiveValue, receiveCompletion)
    }

    /// Is called with each value; does nothing after the end.
    public var receiveValue: (Input) -> Void {
      lock.withLock { closures }?.value ?? { _ in }
    }

    /// Is called at the end; does nothing after it.
    public var receiveCompletion: (Subscribers.Completion<Failure>) -> Void {
      lock.withLock { closures }?.completion ?? { _ in }
    }

    /// Asks for all values.
    public func receive(subscription: any Subscription) {
      let isWanted = lock.withLock {
        guard self.subscription == nil, closures != nil else { return false }
        self.subscription = subscription
        return true
      }
      guard isWanted else { return subscription.cancel() }
      subscription.request(.unlimited)
    }

    /// Calls the closure.
    public func receive(_ value: Input) -> Subscribers.Demand {
      lock.withLock { closures }?.value(value)
      return .none
    }

    /// Calls the closure, and forgets both.
    public func receive(completion: Subscribers.Completion<Failure>) {
      end().closures?.completion(completion)
    }

    /// Ends the subscription, and forgets both closures.
    public func cancel() {
      let last = end()
      last.subscription?.cancel()
    }

    private func end() -> (
      closures: (value: (Input) -> Void, completion: (Subscribers.Completion<Failure>) -> Void)?,
      subscription: (any Subscription)?
    ) {
      lock.withLock {
        let last = (closures, subscription)
        (closures, subscription) = (nil, nil)
        return last
      }
    }
  }
}

extension Publisher {
  /// Calls closures with all values and the end.
  ///
  /// Apple: `Publisher.sink(receiveCompletion:receiveValue:)`.
  ///
  /// - Returns: What ends it when it is cancelled or goes away.
  public func sink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable {
    let sink = Subscribers.Sink(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
    subscribe(sink)
    return AnyCancellable(sink)
  }
}

extension Publisher where Failure == Never {
  /// Calls a closure with all values.
  ///
  /// Apple: `Publisher.sink(receiveValue:)`.
  ///
  /// - Returns: What ends it when it is cancelled or goes away.
  public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
    sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
  }
}
