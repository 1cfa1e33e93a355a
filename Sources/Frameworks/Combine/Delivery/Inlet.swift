internal import Linux

/// The subscriber of one of several publishers whose values go to one ``Outlet``.
///
/// Where the outlet's subscriber asks for a limited number, it asks for one value at a time, and for the next when that was taken.
final class Inlet<Failure: Error, Downstream: Subscriber>: Subscriber {
  typealias Input = Downstream.Input

  private let outlet: Outlet<Downstream>
  private let completed: (Inlet, Subscribers.Completion<Failure>) -> Void
  private let lock = Lock()
  private var upstream: (any Subscription)?
  private var isEnded = false
  private var isLimited = true

  init(_ outlet: Outlet<Downstream>, completed: @escaping (Inlet, Subscribers.Completion<Failure>) -> Void) {
    self.outlet = outlet
    self.completed = completed
  }

  func receive(subscription: any Subscription) {
    let isUnlimited = outlet.isUnlimited
    let isWanted = lock.withLock {
      guard !isEnded, upstream == nil else { return false }
      upstream = subscription
      isLimited = !isUnlimited
      return true
    }
    guard isWanted else { return subscription.cancel() }
    subscription.request(isUnlimited ? .unlimited : .max(1))
  }

  func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    let (isEnded, isLimited) = lock.withLock { (self.isEnded, self.isLimited) }
    guard !isEnded else { return .none }
    let isTaken = outlet.send(input, whenTaken: isLimited ? { self.askForOne() } : nil)
    return isLimited && isTaken ? .max(1) : .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    guard end() != nil else { return }
    completed(self, completion)
  }

  /// Asks for all, once the outlet's subscriber does.
  func outletWasAsked(for demand: Subscribers.Demand) {
    guard demand == .unlimited else { return }
    let (wasLimited, upstream) = lock.withLock {
      let last = (isLimited, self.upstream)
      if self.upstream != nil { isLimited = false }
      return last
    }
    guard wasLimited else { return }
    upstream?.request(.unlimited)
  }

  func cancel() {
    end()?.cancel()
  }

  private func askForOne() {
    lock.withLock { isLimited ? upstream : nil }?.request(.max(1))
  }

  /// The subscription, the first time that it ends.
  @discardableResult
  private func end() -> (any Subscription)? {
    lock.withLock {
      guard !isEnded else { return nil }
      isEnded = true
      let last = upstream
      upstream = nil
      return last ?? Subscriptions.empty
    }
  }
}
