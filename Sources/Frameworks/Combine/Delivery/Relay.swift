internal import Linux

/// A subscriber that makes of each value at most one for its own subscriber, which asks the publisher itself for values.
final class Relay<Input, Failure: Error, Downstream: Subscriber>: Subscriber, Subscription {
  /// The fate of a value.
  enum Step {
    /// It becomes this one.
    case value(Downstream.Input)
    /// It is left out, and another one is asked for.
    case skip
    /// It becomes this one, and no other follows.
    case last(Downstream.Input)
    /// It ends the values.
    case end(Subscribers.Completion<Downstream.Failure>)
  }

  private let change: (Input) -> Step
  private let completed: (Subscribers.Completion<Failure>) -> Subscribers.Completion<Downstream.Failure>
  private let lock = Lock()
  private var downstream: Downstream?
  private var upstream: (any Subscription)?

  /// Is called before the subscriber gets its subscription; this and the others are set before there is one.
  var whenSubscribed: ((any Subscription) -> Void)?
  /// Is called when the subscriber cancels before the end.
  var whenCancelled: (() -> Void)?
  /// Is called with each demand.
  var whenAsked: ((Subscribers.Demand) -> Void)?

  /// - Parameters:
  ///   - change: Is called for one value after the other, in their order.
  ///   - completed: Makes the end of the publisher's.
  init(
    _ downstream: Downstream, change: @escaping (Input) -> Step,
    completed: @escaping (Subscribers.Completion<Failure>) -> Subscribers.Completion<Downstream.Failure>
  ) {
    self.downstream = downstream
    self.change = change
    self.completed = completed
  }

  func receive(subscription: any Subscription) {
    let downstream = lock.withLock { () -> Downstream? in
      guard upstream == nil, let downstream = self.downstream else { return nil }
      upstream = subscription
      return downstream
    }
    guard let downstream else { return subscription.cancel() }
    whenSubscribed?(subscription)
    downstream.receive(subscription: self)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    guard let downstream = lock.withLock({ upstream == nil ? nil : downstream }) else { return .none }
    switch change(input) {
    case .value(let value):
      let more = downstream.receive(value)
      if more > 0 { whenAsked?(more) }
      return more
    case .skip: return .max(1)
    case .last(let value):
      takeUpstream()?.cancel()
      _ = downstream.receive(value)
      takeDownstream()?.receive(completion: .finished)
    case .end(let completion):
      takeUpstream()?.cancel()
      takeDownstream()?.receive(completion: completion)
    }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    guard takeUpstream() != nil else { return }
    takeDownstream()?.receive(completion: completed(completion))
  }

  func request(_ demand: Subscribers.Demand) {
    guard let upstream = lock.withLock({ upstream }) else { return }
    whenAsked?(demand)
    upstream.request(demand)
  }

  func cancel() {
    let downstream = takeDownstream()
    if let upstream = takeUpstream() {
      whenCancelled?()
      upstream.cancel()
    }
    withExtendedLifetime(downstream) {}
  }

  private func takeUpstream() -> (any Subscription)? {
    lock.withLock {
      let last = upstream
      upstream = nil
      return last
    }
  }

  private func takeDownstream() -> Downstream? {
    lock.withLock {
      let last = downstream
      downstream = nil
      return last
    }
  }
}

extension Relay where Failure == Downstream.Failure {
  /// A relay that leaves the end as it is.
  convenience init(_ downstream: Downstream, change: @escaping (Input) -> Step) {
    self.init(downstream, change: change) { $0 }
  }
}

extension Relay where Downstream.Failure == any Error {
  /// A relay whose change may fail, which ends the values.
  convenience init(_ downstream: Downstream, tryChange: @escaping (Input) throws -> Step) {
    self.init(
      downstream,
      change: { input in
        do {
          return try tryChange(input)
        } catch {
          return .end(.failure(error))
        }
      },
      completed: { $0.mapError { $0 } })
  }
}
