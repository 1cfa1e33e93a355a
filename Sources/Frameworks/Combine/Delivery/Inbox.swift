internal import Linux

/// A subscription whose values are awaited one by one; it ends with the object.
final class Inbox<Output, Failure: Error>: @unchecked Sendable {  // Safe: touched under the lock.
  private struct Answer: @unchecked Sendable {  // Safe: a value goes to the one that awaits it.
    let result: Result<Output?, Failure>

    init(_ result: Result<Output?, Failure>) {
      self.result = result
    }
  }

  private enum End {
    case finished
    case failure(Failure)
  }

  private let lock = Lock()
  private var subscription: (any Subscription)?
  private var early = Subscribers.Demand.none
  private var awaiting: [CheckedContinuation<Answer, Never>] = []
  private var end: End?

  init<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
    publisher.subscribe(
      AnySubscriber(
        receiveSubscription: { [weak self] in self?.take($0) ?? $0.cancel() },
        receiveValue: { [weak self] in
          self?.take($0)
          return .none
        }, receiveCompletion: { [weak self] in self?.take($0) }))
  }

  deinit {
    subscription?.cancel()
  }

  /// The next value, `nil` after the end, or the error, once.
  func next() async -> Result<Output?, Failure> {
    await nextAnswer().result
  }

  private func nextAnswer() async -> Answer {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (answer, subscription) = lock.withLock {
          () -> (Answer?, (any Subscription)?) in
          switch end {
          case .failure(let error):
            end = .finished
            return (Answer(.failure(error)), nil)
          case .finished: return (Answer(.success(nil)), nil)
          case nil:
            awaiting.append(continuation)
            if self.subscription == nil { early += 1 }
            return (nil, self.subscription)
          }
        }
        if let answer { continuation.resume(returning: answer) }
        subscription?.request(.max(1))
      }
    } onCancel: {
      cancel()
    }
  }

  private func cancel() {
    let (waiting, subscription) = lock.withLock {
      let last = (awaiting, self.subscription)
      (awaiting, self.subscription, end) = ([], nil, .finished)
      return last
    }
    subscription?.cancel()
    for continuation in waiting { continuation.resume(returning: Answer(.success(nil))) }
  }

  private func take(_ subscription: any Subscription) {
    let demand = lock.withLock { () -> Subscribers.Demand? in
      guard end == nil, self.subscription == nil else { return nil }
      self.subscription = subscription
      return early
    }
    guard let demand else { return subscription.cancel() }
    if demand > 0 { subscription.request(demand) }
  }

  private func take(_ value: Output) {
    lock.withLock { awaiting.isEmpty ? nil : awaiting.removeFirst() }?.resume(
      returning: Answer(.success(value)))
  }

  private func take(_ completion: Subscribers.Completion<Failure>) {
    let (waiting, subscription) = lock.withLock {
      let last = (awaiting, self.subscription)
      (awaiting, self.subscription) = ([], nil)
      if case .failure(let error) = completion, last.0.isEmpty {
        end = .failure(error)
      } else {
        end = .finished
      }
      return last
    }
    withExtendedLifetime(subscription) {}
    for (index, continuation) in waiting.enumerated() {
      if case .failure(let error) = completion, index == 0 {
        continuation.resume(returning: Answer(.failure(error)))
      } else {
        continuation.resume(returning: Answer(.success(nil)))
      }
    }
  }
}
