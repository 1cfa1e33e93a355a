internal import Linux

/// Two publishers of whose values one is made.
final class Pair<Left, Right, Downstream: Subscriber> {
  /// The value that comes of another one, if any, and the one that is displaced, to be released outside the lock.
  typealias Taken = (made: Downstream.Input?, displaced: Any?)

  private let outlet: Outlet<Downstream>
  private let downstream: Downstream
  private let takeLeft: (Left) -> Taken
  private let takeRight: (Right) -> Taken
  private let isOver: (Bool, Bool) -> Bool
  private let asksAgain: Bool
  private let lock = Lock()
  private var ended = (left: false, right: false)
  private var cancelAll: () -> Void = {}

  /// - Parameters:
  ///   - left: Takes a value of the first publisher, and returns what comes of it; `right` is the same for the second. Both are called under
  ///     one lock.
  ///   - isOver: Whether nothing can come, given which publishers have ended; called under the same lock.
  ///   - asksAgain: Whether another value is asked for in place of one of which nothing came.
  init(
    _ downstream: Downstream, keeping backlog: Outlet<Downstream>.Backlog,
    left: @escaping (Left) -> Taken, right: @escaping (Right) -> Taken,
    isOver: @escaping (Bool, Bool) -> Bool, asksAgain: Bool
  ) {
    outlet = Outlet(downstream, keeping: backlog)
    self.downstream = downstream
    takeLeft = left
    takeRight = right
    self.isOver = isOver
    self.asksAgain = asksAgain
  }

  func begin<A: Publisher, B: Publisher>(_ a: A, _ b: B)
  where
    A.Output == Left, B.Output == Right, A.Failure == Downstream.Failure, B.Failure == Downstream.Failure
  {
    let left = Port<Left, A.Failure>(
      received: { value in self.send { self.takeLeft(value) } },
      completed: { completion in self.end(completion) { $0.left = true } })
    let right = Port<Right, B.Failure>(
      received: { value in self.send { self.takeRight(value) } },
      completed: { completion in self.end(completion) { $0.right = true } })
    cancelAll = { [weak left, weak right] in
      left?.cancel()
      right?.cancel()
    }
    outlet.whenAsked = { demand in
      left.request(demand)
      right.request(demand)
    }
    outlet.whenCancelled = { self.cancelAll() }
    downstream.receive(subscription: outlet)
    a.subscribe(left)
    if outlet.isOpen { b.subscribe(right) }
  }

  private func send(_ take: () -> Taken) -> Subscribers.Demand {
    var taken: Taken
    taken = (nil, nil)
    outlet.send {
      taken = take()
      return taken.made
    }
    finishIfOver()
    return asksAgain && taken.made == nil ? .max(1) : .none
  }

  private func end(
    _ completion: Subscribers.Completion<Downstream.Failure>, note: (inout (left: Bool, right: Bool)) -> Void
  ) {
    lock.withLock { note(&ended) }
    guard case .finished = completion else {
      cancelAll()
      return outlet.finish(completion)
    }
    finishIfOver()
  }

  private func finishIfOver() {
    let ended = lock.withLock { self.ended }
    guard ended.left || ended.right, outlet.withLock({ isOver(ended.left, ended.right) }) else { return }
    cancelAll()
    outlet.finish()
  }
}
