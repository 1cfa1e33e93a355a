internal import Linux

/// A subscriber made of closures, which can be asked for more and cancelled at any time, also before it has its subscription.
final class Port<Input, Failure: Error>: Subscriber {
  private let received: (Input) -> Subscribers.Demand
  private let completed: (Subscribers.Completion<Failure>) -> Void
  private let lock = Lock()
  private var upstream: (any Subscription)?
  private var early = Subscribers.Demand.none
  private var isEnded = false

  init(
    received: @escaping (Input) -> Subscribers.Demand,
    completed: @escaping (Subscribers.Completion<Failure>) -> Void
  ) {
    self.received = received
    self.completed = completed
  }

  func receive(subscription: any Subscription) {
    let demand = lock.withLock { () -> Subscribers.Demand? in
      guard !isEnded, upstream == nil else { return nil }
      upstream = subscription
      return early
    }
    guard let demand else { return subscription.cancel() }
    if demand > 0 { subscription.request(demand) }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    lock.withLock { isEnded } ? .none : received(input)
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    if end().isFirst { completed(completion) }
  }

  func request(_ demand: Subscribers.Demand) {
    let upstream = lock.withLock {
      if self.upstream == nil { early += demand }
      return self.upstream
    }
    upstream?.request(demand)
  }

  func cancel() {
    end().upstream?.cancel()
  }

  private func end() -> (isFirst: Bool, upstream: (any Subscription)?) {
    lock.withLock {
      let last = (!isEnded, upstream)
      isEnded = true
      upstream = nil
      return last
    }
  }
}
