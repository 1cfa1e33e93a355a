internal import Linux

/// Publishers one after the other, of which one is made.
final class Chain<Downstream: Subscriber> {
  private let outlet: Outlet<Downstream>
  private let lock = Lock()
  private var current: (cancel: () -> Void, outletWasAsked: (Subscribers.Demand) -> Void)?
  private var downstream: Downstream?

  init(_ downstream: Downstream) {
    outlet = Outlet(downstream, keeping: .all)
    self.downstream = downstream
    outlet.whenCancelled = { self.replace(nil)?.cancel() }
    outlet.whenAsked = { demand in self.lock.withLock { self.current }?.outletWasAsked(demand) }
  }

  /// Hands the values of a publisher on, and calls the closure at its end.
  func follow<P: Publisher>(
    _ publisher: P, completed: @escaping (Subscribers.Completion<P.Failure>) -> Void
  ) where P.Output == Downstream.Input {
    let inlet = Inlet<P.Failure, Downstream>(outlet) { _, completion in completed(completion) }
    _ = replace((inlet.cancel, inlet.outletWasAsked))
    let downstream = lock.withLock {
      let first = self.downstream
      self.downstream = nil
      return first
    }
    downstream?.receive(subscription: outlet)
    guard outlet.isOpen else { return }
    publisher.subscribe(inlet)
  }

  func finish(_ completion: Subscribers.Completion<Downstream.Failure>) {
    let last = replace(nil)
    outlet.finish(completion)
    withExtendedLifetime(last) {}
  }

  private func replace(
    _ new: (cancel: () -> Void, outletWasAsked: (Subscribers.Demand) -> Void)?
  ) -> (cancel: () -> Void, outletWasAsked: (Subscribers.Demand) -> Void)? {
    lock.withLock {
      let last = current
      current = new
      return last
    }
  }
}
