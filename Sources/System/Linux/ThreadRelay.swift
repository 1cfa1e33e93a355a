internal import Glibc

/// Who can use the thread of a ``ThreadRelay`` between two steps.
package protocol ThreadBorrower: AnyObject, Sendable {
  /// Called on the thread after the step, however long it takes.
  func work()
  /// Called after the step instead, when there is nobody to go on duty in time.
  func refuse()
  /// Adds what ``work()`` touches.
  func addFootprint(to footprint: inout Footprint)
}

/// Asks the calling thread to do the borrower's work after the step of a ``ThreadRelay`` that it takes now, however long that
/// is.
///
/// The first call in a relay starts its second thread.
///
/// - Returns: Whether one of the borrower's two functions will be called; `false` on a thread that takes no step of a
///   relay, when the other is away, and when somebody has asked in this step.
@section("frame_path")
package func borrowThread(for borrower: any ThreadBorrower) -> Bool {
  guard let relay = ThreadRelay.current else { return false }
  return relay.lend(to: borrower)
}

/// Lets the thread that takes the steps of a ``ThreadRelay`` fetch what `owner` touches in each, from the next step on.
///
/// Called in a step, when something is new about that; on other threads it does nothing. An owner's footprint replaces the one
/// before.
package func expectTouching(_ footprint: Footprint, by owner: AnyObject) {
  ThreadRelay.current?.expectTouching(footprint, by: owner)
}

/// Takes one step after the other at the moments that the steps name themselves, on a thread that others may borrow in
/// between.
///
/// To wake a second thread for what the first has just found costs as much as the work of a frame, and so does a timer that
/// guards a thread which is away. So two threads take turns: while one is on duty and sleeps until the next step, the other
/// is free to work for a borrower, and then sleeps until the step after that one. At the end of a step the duty passes to
/// the other if it sleeps and wakes in time; if not, for it is still away or the steps have become quicker, it stays where
/// it is and the thread is not lent. A step never waits for a borrower and never overlaps another.
///
/// A thread that has just woken first fetches the ``Footprint`` of the step and of the borrower.
///
/// Thread-safe. One system call for each step. Cf. Schmidt et al., "Leader/Followers" (2000).
package final class ThreadRelay: Sendable {
  private struct State {
    var isOver = false
    /// When the next step is due, and how long after the one before.
    var next: MonotonicInstant
    var interval: Int64 = 0
    /// The thread that is not on duty, and until when it sleeps; `nil` while it is away.
    var reserve: Reserve?
    /// Whether nobody is on duty, and the first thread that wakes shall be.
    var isVacant = false
    /// Who has asked for the thread on duty after its step.
    var borrower: (any ThreadBorrower)?
    /// Whether a second thread was asked for.
    var hasSecond = false
  }

  private struct Reserve {
    var thread: Int
    var moment: MonotonicInstant
  }

  /// Whoever wakes so early does not sleep again: moments are rounded to nanoseconds, and intervals from them.
  private static let toleranceNanoseconds: Int64 = 2_000
  /// How long the thread in reserve sleeps at least, while no interval is known.
  private static let leastRestNanoseconds: Int64 = 1_000_000
  /// Shorter waits are slept through: nobody waits for the end of a relay, and a sleep that can be ended costs more than
  /// one that cannot.
  private static let sleepNanoseconds: Int64 = 500_000_000

  private let name: String
  private let step: @Sendable () -> MonotonicInstant?
  private let state: Monitor<State>
  private let footprints: FootprintList

  /// Begins at once.
  ///
  /// - Parameters:
  ///   - name: What the threads are called in `ps -L`; at most 15 bytes.
  ///   - first: When to take the first step.
  ///   - footprint: What each step touches.
  ///   - step: Returns when it wants to be called again, or `nil` for never. Moments are absolute: a late step does not push
  ///     the later ones.
  /// - Throws: ``SystemError`` when the process may not have another thread.
  package init(
    name: String, first: MonotonicInstant, footprint: Footprint = Footprint(),
    step: @escaping @Sendable () -> MonotonicInstant?
  ) throws(SystemError) {
    self.name = name
    self.step = step
    state = Monitor(State(next: first))
    var whole = Footprint.framePath
    whole.add(state)
    whole.add(footprint)
    footprints = FootprintList(whole)
    try startThread(0)
  }

  /// Ends the relay: no step begins after this; one that is under way, and a loan, go on.
  package func cancel() {
    state.withLock { $0.isOver = true }
  }

  /// Nanoseconds since the step that is due, or under way, was to begin; below zero while none is due.
  package var lateness: Int64 {
    let next = state.withLock { $0.isOver ? nil : $0.next }
    return next.map { MonotonicInstant.now.nanoseconds - $0.nanoseconds } ?? 0
  }

  // MARK: Lending

  @inline(__always)
  fileprivate func lend(to borrower: any ThreadBorrower) -> Bool {
    let (isLent, isFirst) = state.withLock { state in
      defer { state.hasSecond = true }
      guard state.reserve != nil, state.borrower == nil else { return (false, !state.hasSecond) }
      state.borrower = borrower
      return (true, false)
    }
    // Without it, because the process has all the threads that it may have, nobody is ever lent.
    if isFirst { try? startThread(1) }
    if isLent, !footprints.isLastBorrower(borrower) { noteFootprint(of: borrower) }
    return isLent
  }

  @inline(never)
  private func noteFootprint(of borrower: any ThreadBorrower) {
    footprints.lastBorrower = ObjectIdentifier(borrower)
    var footprint = Footprint()
    borrower.addFootprint(to: &footprint)
    expectTouching(footprint, by: borrower)
  }

  fileprivate func expectTouching(_ footprint: Footprint, by owner: AnyObject) {
    footprints.set(footprint, of: owner)
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  /// The relay whose step the calling thread takes.
  @inline(__always)
  fileprivate static var current: ThreadRelay? {
    guard let pointer = pthread_getspecific(key) else { return nil }
    return Unmanaged<ThreadRelay>.fromOpaque(pointer).takeUnretainedValue()
  }

  // MARK: Threads

  /// - Parameter number: 0 for the one that begins on duty, 1 for the other.
  private func startThread(_ number: Int) throws(SystemError) {
    // Borrowers may need as large a stack as on a queue; only what is used of it becomes real.
    _ = try ReaderThread(name: name, stackByteCount: 8 << 20) { [self] in run(number) }
  }

  @section("frame_path")
  private func run(_ number: Int) {
    var isOnDuty = number == 0
    while true {
      if !isOnDuty {
        guard let isCalled = standInReserve(number) else { return }
        isOnDuty = isCalled
      } else {
        guard waitForDuty() else { return }
        footprints.fetch()
        pthread_setspecific(Self.key, Unmanaged.passUnretained(self).toOpaque())
        let next = step()
        pthread_setspecific(Self.key, nil)
        isOnDuty = !handOver(next)
      }
    }
  }

  /// Sleeps until the next step is due; `false` at the end.
  @inline(__always)
  private func waitForDuty() -> Bool {
    let next = state.withLock { $0.isOver ? nil : $0.next }
    return next.map(wait) ?? false
  }

  /// Sleeps until the step after the next will be due; whether to be on duty then, or `nil` at the end.
  @inline(__always)
  private func standInReserve(_ number: Int) -> Bool? {
    let moment = state.withLock { state -> MonotonicInstant? in
      guard !state.isOver else { return nil }
      // A step that takes longer than its interval has passed that moment too: then there is nothing to be in time for.
      let rest = max(state.interval, Self.leastRestNanoseconds)
      let moment = max(
        state.next.advanced(byNanoseconds: state.interval), MonotonicInstant.now.advanced(byNanoseconds: rest)
      )
      state.reserve = Reserve(thread: number, moment: moment)
      return moment
    }
    guard let moment, wait(until: moment) else { return nil }
    return state.withLock { state in
      if state.reserve?.thread == number { state.reserve = nil }
      defer { state.isVacant = false }
      return state.isVacant
    }
  }

  /// `false` when the relay has ended.
  @section("frame_path")
  private func wait(until moment: MonotonicInstant) -> Bool {
    let rest = moment.nanoseconds - MonotonicInstant.now.nanoseconds
    if rest >= Self.sleepNanoseconds {
      return state.wait(until: moment, for: { $0.isOver }, then: { _ in true }) != true
    }
    if rest > Self.toleranceNanoseconds { moment.sleepUntil() }
    return !state.withLock { $0.isOver }
  }

  /// Ends a step, and does what the thread was asked to; whether the duty has passed to the other.
  @inline(__always)
  private func handOver(_ next: MonotonicInstant?) -> Bool {
    let (borrower, isFree) = state.withLock { state -> ((any ThreadBorrower)?, Bool) in
      defer { state.borrower = nil }
      guard let next else {
        state.isOver = true
        return (state.borrower, true)
      }
      state.interval = next.nanoseconds - state.next.nanoseconds
      state.next = next
      let latest = next.advanced(byNanoseconds: Self.toleranceNanoseconds)
      guard let reserve = state.reserve, reserve.moment <= latest else { return (state.borrower, false) }
      state.reserve = nil
      state.isVacant = true
      return (state.borrower, true)
    }
    if isFree { borrower?.work() } else { borrower?.refuse() }
    return isFree
  }
}
