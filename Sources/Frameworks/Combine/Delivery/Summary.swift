internal import Linux

/// A subscriber that asks for all values, and makes of them one, which comes at the end, or as soon as it is known.
final class Summary<Input, Failure: Error, Downstream: Subscriber>: Subscriber
where Downstream.Failure == Failure {
  private let outlet: Outlet<Downstream>
  private let note: (Input) -> Bool
  private let result: () -> Downstream.Input?
  private let lock = Lock()
  private var upstream: (any Subscription)?
  private var downstream: Downstream?

  /// - Parameters:
  ///   - note: Takes a value, and says whether the result is known.
  ///   - result: The one value; `nil` for none.
  init(
    _ downstream: Downstream, note: @escaping (Input) -> Bool, result: @escaping () -> Downstream.Input?
  ) {
    outlet = Outlet(downstream, keeping: .all)
    self.downstream = downstream
    self.note = note
    self.result = result
    outlet.whenCancelled = { [weak self] in self?.take()?.cancel() }
  }

  func receive(subscription: any Subscription) {
    let downstream = lock.withLock { () -> Downstream? in
      let downstream = self.downstream
      self.downstream = nil
      if downstream != nil { upstream = subscription }
      return downstream
    }
    guard let downstream else { return subscription.cancel() }
    downstream.receive(subscription: outlet)
    lock.withLock { upstream }?.request(.unlimited)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    guard lock.withLock({ upstream != nil }) else { return .none }
    if note(input) {
      take()?.cancel()
      deliver()
    }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    guard take() != nil else { return }
    switch completion {
    case .finished: deliver()
    case .failure: outlet.finish(completion)
    }
  }

  private func deliver() {
    if let value = result() { outlet.send(value) }
    outlet.finish()
  }

  private func take() -> (any Subscription)? {
    lock.withLock {
      let last = upstream
      upstream = nil
      return last
    }
  }
}
