internal import Linux

/// A publisher of one value, or an error, that comes later and is kept for later subscribers.
///
/// Apple: `Future`.
public final class Future<Output, Failure: Error>: Publisher {
  /// A closure to call with the value or the error; the first call counts.
  public typealias Promise = (Result<Output, Failure>) -> Void

  private let lock = Lock()
  private var result: Result<Output, Failure>?
  private var waiting: [any ListedOutlet<Output, Failure>] = []

  /// Calls the closure at once, with what it calls when the value is there.
  public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {
    attemptToFulfill { self.fulfill($0) }
  }

  /// Hands the subscriber its subscription.
  public func receive<S>(subscriber: S) where Output == S.Input, Failure == S.Failure, S: Subscriber {
    let outlet = Outlet(subscriber, keeping: .all)
    outlet.whenCancelled = { [weak self, weak outlet] in
      if let outlet { self?.remove(outlet) }
    }
    let result = lock.withLock {
      if self.result == nil { waiting.append(outlet) }
      return self.result
    }
    if case .success(let value) = result { outlet.send(value) }
    subscriber.receive(subscription: outlet)
    switch result {
    case .success: outlet.finish()
    case .failure(let error): outlet.finish(.failure(error))
    case nil: break
    }
  }

  private func fulfill(_ result: Result<Output, Failure>) {
    let waiting = lock.withLock { () -> [any ListedOutlet<Output, Failure>] in
      guard self.result == nil else { return [] }
      self.result = result
      let last = self.waiting
      self.waiting = []
      return last
    }
    for outlet in waiting {
      switch result {
      case .success(let value):
        outlet.deliver(value, number: nil)
        outlet.finish(.finished)
      case .failure(let error):
        outlet.finish(.failure(error))
      }
    }
  }

  private func remove(_ outlet: AnyObject) {
    let removed = lock.withLock {
      waiting.firstIndex { $0 === outlet }.map { waiting.remove(at: $0) }
    }
    withExtendedLifetime(removed) {}
  }
}
