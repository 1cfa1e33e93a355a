internal import Glibc
internal import Linux

/// The subscription that a subscriber holds, and the only way to it.
///
/// It counts what the subscriber asks for, calls it one call after the other, and nothing after the end or a cancellation. No lock is
/// held during a call. A value that comes from inside a call is delivered at once, inside it; one that another thread sends meanwhile waits
/// until the call has returned, and is delivered by the thread of the call.
final class Outlet<Downstream: Subscriber>: Subscription {
  typealias Value = Downstream.Input
  typealias Completion = Subscribers.Completion<Downstream.Failure>

  /// The fate of values that were not asked for.
  enum Backlog {
    /// They are lost.
    case none
    /// The newest is kept.
    case newest
    /// All are kept.
    case all
  }

  private struct Waiting {
    let value: Value
    let whenTaken: (() -> Void)?
  }

  private enum Call {
    case value(Downstream, Waiting)
    case completion(Downstream, Completion)
  }

  private let backlog: Backlog
  private let lock = Lock()
  private var downstream: Downstream?
  private var demand = Subscribers.Demand.none
  private var waiting: [Waiting] = []
  private var completion: Completion?
  private var depth = 0
  private var caller: pthread_t = 0

  private var newestNumber: UInt64 = 0

  /// Gets each demand that is new; set before the subscriber has the subscription.
  var whenAsked: ((Subscribers.Demand) -> Void)?
  /// Is called once when the subscriber cancels; set before the subscriber has the subscription.
  var whenCancelled: (() -> Void)?

  init(_ downstream: Downstream, keeping backlog: Backlog = .none) {
    self.downstream = downstream
    self.backlog = backlog
  }

  /// Whether values and the end still have a way to the subscriber.
  var isOpen: Bool {
    lock.withLock { downstream != nil && completion == nil }
  }

  /// Whether all values were asked for.
  var isUnlimited: Bool {
    lock.withLock { demand == .unlimited }
  }

  // MARK: What the publisher calls

  /// Delivers a value, keeps it, or loses it.
  ///
  /// - Parameters:
  ///   - number: Of values of which only the newest counts, a number that grows: what comes later with a smaller one is lost.
  ///   - whenTaken: Is called when a value that was kept has been delivered.
  /// - Returns: Whether it was delivered before this returned.
  @discardableResult
  func send(_ value: Value, number: UInt64? = nil, whenTaken: (() -> Void)? = nil) -> Bool {
    send(whenTaken: whenTaken) {
      guard let number else { return value }
      guard number > newestNumber else { return nil }
      newestNumber = number
      return value
    }
  }

  /// Sends the value that the closure makes, if any; under the lock, so that values are sent in the order in which they are made.
  @discardableResult
  func send(whenTaken: (() -> Void)? = nil, _ make: () -> Value?) -> Bool {
    let (call, displaced) = lock.withLock { () -> ((Downstream, Value)?, [Waiting]) in
      guard let downstream, completion == nil, let value = make() else { return (nil, []) }
      let isFree = depth == 0 || pthread_equal(caller, pthread_self()) != 0
      // What waits comes first, unless this is inside a call, which what waits must not interrupt.
      if isFree, demand > 0, waiting.isEmpty || (backlog == .none && depth > 0) {
        enter()
        return ((downstream, value), [])
      }
      let isLost = isFree && demand == 0 && backlog == .none
      return (nil, isLost ? [] : keep(Waiting(value: value, whenTaken: whenTaken)))
    }
    withExtendedLifetime(displaced) {}
    guard let (taker, value) = call else { return false }
    HeldLocks.assertNone(in: "a publisher of Combine")
    perform(leave(adding: taker.receive(value)))
    return true
  }

  /// Runs the closure under the lock under which values are made.
  func withLock<Result>(_ body: () -> Result) -> Result {
    lock.withLock(body)
  }

  /// Delivers the end, after the values that wait; again does nothing.
  func finish(_ end: Completion = .finished) {
    let call = lock.withLock { () -> Call? in
      guard downstream != nil, completion == nil else { return nil }
      completion = end
      // Inside a call of this thread nothing waits for it.
      return depth == 0 || (waiting.isEmpty && pthread_equal(caller, pthread_self()) != 0) ? next() : nil
    }
    perform(call)
  }

  /// Forgets the values that wait.
  func forgetWaiting() {
    let forgotten = lock.withLock {
      let forgotten = waiting
      waiting = []
      return forgotten
    }
    withExtendedLifetime(forgotten) {}
  }

  // MARK: What the subscriber calls

  func request(_ demand: Subscribers.Demand) {
    guard demand > 0 else { return }
    let (call, whenAsked) = lock.withLock { () -> (Call?, ((Subscribers.Demand) -> Void)?) in
      self.demand += demand
      return (depth == 0 ? next() : nil, self.whenAsked)
    }
    perform(call)
    whenAsked?(demand)
  }

  func cancel() {
    let last = lock.withLock {
      let last = (downstream, waiting, takeHooks())
      (downstream, waiting, completion) = (nil, [], nil)
      return last
    }
    last.2.whenCancelled?()
  }

  // MARK: Under the lock

  private func enter() {
    demand -= 1
    depth += 1
    caller = pthread_self()
  }

  private func keep(_ entry: Waiting) -> [Waiting] {
    if backlog == .newest {
      let displaced = waiting
      waiting = [entry]
      return displaced
    }
    waiting.append(entry)
    return []
  }

  /// The next call that is due.
  private func next() -> Call? {
    guard let downstream else { return nil }
    if let first = waiting.first, demand > 0 {
      waiting.removeFirst()
      enter()
      return .value(downstream, first)
    }
    guard let completion, waiting.isEmpty || backlog != .all else { return nil }
    self.downstream = nil
    return .completion(downstream, completion)
  }

  /// What is called no more, to be released outside the lock.
  private func takeHooks() -> (whenCancelled: (() -> Void)?, whenAsked: ((Subscribers.Demand) -> Void)?) {
    let last = (whenCancelled, whenAsked)
    (whenCancelled, whenAsked) = (nil, nil)
    return last
  }

  // MARK: Calls

  private func perform(_ first: Call?) {
    var due = first
    while let call = due {
      HeldLocks.assertNone(in: "a publisher of Combine")
      switch call {
      case .completion(let downstream, let completion):
        let last = lock.withLock { takeHooks() }
        downstream.receive(completion: completion)
        return withExtendedLifetime(last) {}
      case .value(let downstream, let entry):
        let more = downstream.receive(entry.value)
        entry.whenTaken?()
        due = leave(adding: more)
      }
    }
  }

  /// Ends a call; the next that is due comes after what the publisher makes of the new demand at once.
  private func leave(adding more: Subscribers.Demand) -> Call? {
    let whenAsked = lock.withLock {
      depth -= 1
      demand += more
      return self.whenAsked
    }
    if more > 0 { whenAsked?(more) }
    let (call, lost) = lock.withLock { () -> (Call?, [Waiting]) in
      guard depth == 0 else { return (nil, []) }
      let call = next()
      guard backlog == .none, demand == 0, call == nil else { return (call, []) }
      let lost = waiting
      waiting = []
      return (nil, lost)
    }
    withExtendedLifetime(lost) {}
    return call
  }
}
