internal import Linux

/// Several publishers at once, of which one is made; it ends with the last of them, or with the first error.
final class Junction<Downstream: Subscriber> {
  private typealias Source = (cancel: () -> Void, outletWasAsked: (Subscribers.Demand) -> Void)

  private let outlet: Outlet<Downstream>
  private let lock = Lock()
  private var sources: [ObjectIdentifier: Source] = [:]
  private var expected: Int

  /// - Parameter expected: How many publishers are known to come.
  init(_ downstream: Downstream, expecting expected: Int) {
    outlet = Outlet(downstream, keeping: .all)
    self.expected = expected
    outlet.whenCancelled = { self.cancelAll() }
    outlet.whenAsked = { demand in
      for source in self.lock.withLock({ Array(self.sources.values) }) { source.outletWasAsked(demand) }
    }
  }

  /// What the subscriber asks for values with.
  var subscription: any Subscription { outlet }

  /// Waits for one more publisher to end.
  func expect() {
    lock.withLock { expected += 1 }
  }

  /// Hands the values of an expected publisher on.
  ///
  /// - Parameter completed: Is called when it has ended without an error.
  /// - Returns: What ``drop(_:)`` takes.
  @discardableResult
  func add<P: Publisher>(_ publisher: P, completed: @escaping () -> Void = {}) -> AnyObject
  where P.Output == Downstream.Input, P.Failure == Downstream.Failure {
    let inlet = Inlet<P.Failure, Downstream>(outlet) { inlet, completion in
      self.forget(inlet)
      self.sourceEnded(completion)
      if case .finished = completion { completed() }
    }
    add(inlet, cancel: { inlet.cancel() }, outletWasAsked: { inlet.outletWasAsked(for: $0) })
    if outlet.isOpen { publisher.subscribe(inlet) }
    return inlet
  }

  /// Has something cancelled with the rest.
  func add(
    _ object: AnyObject, cancel: @escaping () -> Void,
    outletWasAsked: @escaping (Subscribers.Demand) -> Void = { _ in }
  ) {
    lock.withLock { sources[ObjectIdentifier(object)] = (cancel, outletWasAsked) }
  }

  /// Cancels one publisher, and forgets what it had sent.
  func drop(_ source: AnyObject) {
    guard let dropped = forget(source) else { return }
    dropped.cancel()
    outlet.forgetWaiting()
    sourceEnded(.finished)
  }

  /// Notes that one of the expected publishers has ended.
  func sourceEnded(_ completion: Subscribers.Completion<Downstream.Failure>) {
    switch completion {
    case .failure:
      cancelAll()
      outlet.finish(completion)
    case .finished:
      let isLast = lock.withLock {
        expected -= 1
        return expected == 0
      }
      guard isLast else { return }
      cancelAll()
      outlet.finish()
    }
  }

  @discardableResult
  private func forget(_ source: AnyObject) -> Source? {
    lock.withLock { sources.removeValue(forKey: ObjectIdentifier(source)) }
  }

  private func cancelAll() {
    let last = lock.withLock {
      let last = sources
      sources = [:]
      return last
    }
    for source in last.values { source.cancel() }
  }
}
