public import CoreMedia
internal import FoundationExtras
public import Linux

/// The time in which simulated devices live: the machine's, or one that a test moves by hand.
///
/// On a manual clock nothing happens until ``advance(by:waitingForClients:)`` is called; then every due event runs in
/// the order of time on the caller's thread, and ten minutes of recording take seconds. Thread-safe.
public final class SimulatedClock: Sendable {
  /// The machine's `CLOCK_MONOTONIC`; each stream has a thread of its own that sleeps until its next deadline.
  public static let real = SimulatedClock(manual: false, start: MonotonicInstant(nanoseconds: 0))

  /// The timeout of one event's clients, in real time, after which a manual clock goes on without them.
  ///
  /// Long enough for a full-size photo in a debug build under a sanitizer; a client that never returns must not hang
  /// the test for ever.
  static let timeoutNanoseconds: Int64 = 45_000_000_000

  /// How often what the main queue did may begin something more that ``settle()`` waits for.
  private static let settlingRounds = 8

  static let advanceRule =
    "Only a manual SimulatedClock can be advanced, and only forward, by a year at most; time stayed as it was."

  /// The time after the end of an advance within which an event still counts as due.
  ///
  /// A third of a second is no whole number of nanoseconds: without this, three advances by 1/30 s would stop one
  /// nanosecond short of the third frame.
  static let toleranceNanoseconds: Int64 = 1_000

  private struct Event {
    var time: MonotonicInstant
    /// The place among events of the same time.
    var rank: UInt64
    var order: UInt64
    var action: @Sendable () -> Void
  }

  private struct State {
    let seed: UInt64
    var now: MonotonicInstant
    var target: MonotonicInstant
    var events: [Event] = []
    var nextOrder: UInt64 = 0
    var isMoving = false
    var tokens = ClockTokens()
    /// So many calls wait for what is under way while the clock stands.
    var settling = 0

    /// Adds an event, after those of the same time, or where the seed puts it among them; returns its number.
    mutating func schedule(at time: MonotonicInstant, _ action: @escaping @Sendable () -> Void) -> UInt64 {
      defer { nextOrder += 1 }
      let rank = seed == 0 ? nextOrder : Chance(seed, "order of events", nextOrder).bits
      // A handful of devices have one event each: a sorted array beats a heap.
      let index = events.lastIndex { ($0.time, $0.rank) <= (time, rank) }.map { $0 + 1 } ?? 0
      events.insert(Event(time: time, rank: rank, order: nextOrder, action: action), at: index)
      return nextOrder
    }
  }

  /// Keeps an event planned as long as it lives.
  private final class PlannedEvent: Sendable {
    private let state: Monitor<State>
    private let order: UInt64

    init(on state: Monitor<State>, order: UInt64) {
      self.state = state
      self.order = order
    }

    deinit {
      // Released after the lock is left, with what its action holds.
      let event = state.withLock { state in
        state.events.firstIndex { $0.order == order }.map { state.events.remove(at: $0) }
      }
      withExtendedLifetime(event) {}
    }
  }

  /// Whether the clock stands still unless moved.
  public let isManual: Bool
  /// The same clock for Core Media: what sessions and devices on it show as theirs.
  public let mediaClock: CMClock
  private let state: Monitor<State>

  /// The seed of the order in which things of the same time happen; 0 for the order in which they were planned.
  ///
  /// Frames of two cameras, a frame and a timer: which comes first is chance on a real machine. With a seed it is chance that repeats: a
  /// test that fails with one fails with it each time.
  public let seed: UInt64

  /// Makes a clock that moves only by ``advance(by:waitingForClients:)``.
  ///
  /// - Parameters:
  ///   - start: What it shows at first; 1000 s by default, so that moments before the start exist.
  ///   - seed: The seed of the order of equal things; by default the environment's `OBSCURA_SEED`, or 0 without it.
  public convenience init(
    startingAt start: MonotonicInstant = MonotonicInstant(nanoseconds: 1_000_000_000_000),
    seed: UInt64 = SimulatedClock.environmentSeed
  ) {
    self.init(manual: true, start: start, seed: seed)
  }

  private init(manual: Bool, start: MonotonicInstant, seed: UInt64 = 0) {
    isManual = manual
    self.seed = seed
    let state = Monitor(State(seed: seed, now: start, target: start))
    self.state = state
    mediaClock =
      manual
      ? CMClock(
        name: "simulated", movesByHand: true,
        planner: { time, action in
          PlannedEvent(on: state, order: state.withLock { $0.schedule(at: time, action) })
        }, now: { state.withLock { $0.now } }) : CMClock.hostTimeClock
  }

  /// The moment that the clock shows.
  public var now: MonotonicInstant {
    isManual ? state.withLock { $0.now } : .now
  }

  /// Moves a manual clock and runs what falls due, in the order of time, on this thread.
  ///
  /// An event up to a microsecond after the end counts as due and takes the clock with it, so that thirty advances
  /// by 1/30 s run thirty frames. When it returns, what follows from the events has been seen by clients: callbacks have returned,
  /// notifications are posted, observers are called, whatever their queues, and what they gave the main queue to do is done, see
  /// ``settle()``. Called while the clock is already moving (from a client's callback, or on another
  /// thread), it only lengthens the way of the call that moves it and returns at once. A photo's callback, a change block or a handler of
  /// the photo library, or one of a writer, an image generator or a display link, that runs while the clock stands must not wait for itself: it
  /// passes `waitingForClients: false`.
  ///
  /// - Parameters:
  ///   - duration: How far; not below zero, and a year at most. On the real clock the call is a programming mistake
  ///     without effect.
  ///   - waitingForClients: Whether to wait after each event until the clients' callbacks for its frame have returned, and
  ///     before the first one for those of photos that were pressed while the clock stood.
  ///     Without waiting, clients see frames come as fast as the machine renders them, and may be late.
  public func advance(by duration: Duration, waitingForClients: Bool = true) {
    guard isManual, duration >= .zero, duration <= .longestAdvance else {
      ProgrammingMistake.report(
        rule: Self.advanceRule)
      return
    }
    let nanoseconds = duration.wholeNanoseconds
    let isMine = state.withLock { state in
      state.target = state.target.advanced(byNanoseconds: nanoseconds)
      if state.isMoving { return false }
      state.isMoving = true
      return true
    }
    guard isMine else { return }
    InFlight.letGo()
    // How far what was begun meanwhile is by the next event, a photo for instance, must not depend on the machine.
    if waitingForClients { waitForClients { $0.areDoneOfStep } }
    while let action = takeDueEvent() {
      noteJump()
      InFlight.run(under: makeToken().map(InFlight.Hold.init), action)
      if waitingForClients { waitForClients { $0.areDone } }
    }
    noteJump()
    if waitingForClients { settle() }
  }

  /// Has what waits for a time of the media clock go off; it is waited for as what else is due is.
  private func noteJump() {
    InFlight.run(under: makeToken().map(InFlight.Hold.init)) { mediaClock.timeHasJumped() }
  }

  /// Waits, without moving, until what is under way has been seen: a test calls it after an act of its own, such as a plug that it
  /// pulled, and then looks at what became of it.
  ///
  /// ``advance(by:waitingForClients:)`` ends with it. What the main queue was given to do is waited for too, unless the call comes on the main queue while
  /// another thread than the main one serves it, as in a program whose `main` is asynchronous. Work that a client gave a queue or task of its own is not known
  /// of; ``inFlight(_:)`` has it waited for. On the real clock the call does nothing.
  public func settle() {
    guard isManual else { return }
    if !state.withLock({ $0.isMoving }) { InFlight.letGo() }
    let first = state.withLock { state in
      state.settling += 1
      return state.tokens.step
    }
    defer {
      state.withLock { state in
        state.settling -= 1
        // What was begun in the last round is waited for before the next event.
        state.tokens.beginStep()
      }
    }
    var quietRounds = 0
    for _ in 0..<Self.settlingRounds {
      // What clients begin meanwhile is the next round's, lest one that always does something hold this up.
      state.withLock { $0.tokens.beginStep() }
      waitForClients { $0.areDone(since: first) }
      guard MainQueueFlush.run() else { return }
      // What the main queue did may have begun more, here or there.
      let isQuiet = state.withLock { $0.tokens.areDone(since: first, isWhole: true) }
      quietRounds = isQuiet ? quietRounds + 1 : 0
      if quietRounds == 2 { return }
    }
  }

  /// As ``settle()``, and waits for what a move that did not wait for clients left under way, too.
  package func settleAll() {
    guard isManual else { return }
    waitForClients { $0.areDone }
    settle()
  }

  /// Runs `body`, and has a manual clock wait for it, on whichever queue or thread it is: for work that a client hands from a callback to a queue
  /// of its own, which the clock cannot know of.
  ///
  /// ```swift
  /// let work = clock.inFlight { self.state.update() }
  /// queue.async(execute: work)
  /// ```
  ///
  /// - Returns: What to run, once; the clock waits until it was run, or let go of.
  public func inFlight(_ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let hold = InFlight.hold() ?? makeToken(isOfClient: true).map(InFlight.Hold.init)
    return InFlight.carried(hold, body)
  }

  /// Moves a manual clock to the next thing that is due, but not beyond `limit`, and runs that and what is due with it; `false` when
  /// nothing is.
  func advanceToNextEvent(until limit: MonotonicInstant) -> Bool {
    let pause = state.withLock { state in
      state.events.first.map { max(0, min($0.time, limit).nanoseconds - state.now.nanoseconds) }
    }
    guard let pause else { return false }
    advance(by: .nanoseconds(pause))
    return true
  }

  /// Moves a manual clock without running what falls due on the way.
  func jump(byNanoseconds nanoseconds: Int64) -> Bool {
    state.withLock { state in
      guard !state.isMoving else { return false }
      state.now = state.now.advanced(byNanoseconds: nanoseconds)
      state.target = state.now
      return true
    }
  }

  /// The moment of the next event, and whether anything is under way now.
  var outlook: (next: MonotonicInstant?, isBusy: Bool) {
    state.withLock { ($0.events.first?.time, !$0.tokens.areDone) }
  }

  /// The next event's action, or `nil` when the clock has reached its target; then it has stopped moving.
  private func takeDueEvent() -> (@Sendable () -> Void)? {
    state.withLock { state in
      let limit = state.target.advanced(byNanoseconds: Self.toleranceNanoseconds)
      guard let first = state.events.first, first.time <= limit else {
        state.now = max(state.now, state.target)
        state.target = state.now
        state.isMoving = false
        state.tokens.beginStep()
        return nil
      }
      state.tokens.beginStep()
      state.now = max(state.now, first.time)
      state.target = max(state.target, state.now)
      return state.events.removeFirst().action
    }
  }

  private func waitForClients(until areDone: @Sendable (ClockTokens) -> Bool) {
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: Self.timeoutNanoseconds)
    if MainQueueFlush.isNeeded {
      // What is waited for may want the main thread, which is this one.
      while MonotonicInstant.now < deadline {
        if state.withLock({ areDone($0.tokens) }) { return }
        MainQueueFlush.serve()
      }
    } else if state.wait(until: deadline, for: { areDone($0.tokens) }, then: { _ in true }) == true {
      return
    }
    state.withLock { $0.tokens.giveUp() }
    ProgrammingMistake.report(
      rule:
        "A client that keeps a frame must let its inFlight token go; the manual clock moved on after 45 seconds."
    )
  }

  /// Runs `action` when a manual clock reaches `time`; among events of the same time, the one scheduled first.
  func schedule(at time: MonotonicInstant, _ action: @escaping @Sendable () -> Void) {
    _ = state.withLock { $0.schedule(at: time, action) }
  }

  /// A token that a manual clock waits for, or `nil` on the real clock.
  ///
  /// - Parameter isOfClient: Whether a client's call begins what it is for: while the clock moves or settles, that is waited for with the next
  ///   event or round, lest clients that always do something hold it up for ever.
  func makeToken(isOfClient: Bool = false) -> FrameToken? {
    guard isManual else { return nil }
    return state.withLock { state in
      let isBusy = state.isMoving || state.settling > 0
      return FrameToken(clock: self, state.tokens.make(isLater: isOfClient && isBusy))
    }
  }

  /// A token for what a device does that lives in this clock's time without being simulated: ``settle()`` waits until it is let go of.
  ///
  /// - Parameter isOfClient: Whether a client's call begins what it is for.
  package func token(isOfClient: Bool = false) -> (any AnyObject & Sendable)? {
    makeToken(isOfClient: isOfClient)
  }

  fileprivate func end(_ token: ClockTokens.Token) {
    state.withLock { $0.tokens.end(token) }
  }
}

/// Lives as long as a client's callback for one frame is not done.
final class FrameToken: Sendable {
  private let clock: SimulatedClock
  private let token: ClockTokens.Token

  fileprivate init(clock: SimulatedClock, _ token: ClockTokens.Token) {
    self.clock = clock
    self.token = token
  }

  deinit {
    clock.end(token)
  }
}

extension Duration {
  /// Beyond this a step is a mistake, and some hundred of them overflow the clock.
  static let longestAdvance = Duration.seconds(366 * 86_400)

  /// The duration in nanoseconds, rounded towards zero; at most some 292 years.
  var wholeNanoseconds: Int64 {
    components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }
}
