package import Dispatch
internal import Linux

/// Calls a handler on a queue when a time has passed in the world of the program's devices.
///
/// Goes off once for each time it was set; a handler that wants to be called again sets it again. In a simulated world the handler has
/// returned before the clock's move does. One that is let go of never goes off. Thread-safe.
package final class WorldTimer: Sendable {
  private struct State {
    /// Grows with each setting, so that what was planned before does not count.
    var turn = 0
    /// When it goes off, on the clock of a simulated world, and that world; `nil` when it is not set there.
    var due: (moment: MonotonicInstant, world: WorldTime.Source)?
    var planned: (any AnyObject & Sendable)?
    var timer: (any DispatchSourceTimer)?
  }

  /// The timers that are set in a simulated world.
  private static let inWorlds = WeakObjects<WorldTimer>()

  private let queue: DispatchQueue
  private let time: WorldTime?
  private let leeway: DispatchTimeInterval
  private let handler: @Sendable () -> Void
  private let state = Locked(State())

  /// A timer that is not set.
  ///
  /// - Parameters:
  ///   - queue: Where the handler is called.
  ///   - time: Whose time counts; `nil` for the time in force whenever it is set.
  ///   - leeway: By how much it may be late on the machine's clock, so that the machine wakes less often.
  ///   - handler: Called on the queue.
  package init(
    on queue: DispatchQueue, time: WorldTime? = nil, leeway: DispatchTimeInterval = .nanoseconds(0),
    _ handler: @escaping @Sendable () -> Void
  ) {
    self.queue = queue
    self.time = time
    self.leeway = leeway
    self.handler = handler
  }

  deinit {
    state.withLock { $0.timer }?.cancel()
  }

  /// Has it go off after so many nanoseconds from now, instead of when it was set to before.
  package func set(afterNanoseconds nanoseconds: Int64) { set(nanoseconds, turn: begin()) }

  private func set(_ nanoseconds: Int64, turn: Int) {
    let time = time ?? .current
    guard let world = time.source else { return setOnMachine(nanoseconds, turn) }
    guard nanoseconds > 0 else { return isDue(turn) }
    Self.inWorlds.add(self)
    let due = time.now.advanced(byNanoseconds: nanoseconds)
    let planned = time.plan(afterNanoseconds: nanoseconds) { [weak self] in self?.isDue(turn) }
    let late = state.withLock { state -> (any AnyObject & Sendable)? in
      guard state.turn == turn else { return planned }
      state.due = (due, world)
      state.planned = planned
      return nil
    }
    withExtendedLifetime(late) {}
    // That world may have been left meanwhile, by a thread that could not see yet what is due.
    if self.time == nil, WorldTime.current.source !== world { leave(world) }
  }

  /// Has it not go off, until it is set again; a call of the handler that is under way goes on.
  package func cancel() { _ = begin() }

  /// Forgets what it was set to; the new turn.
  private func begin() -> Int {
    let (turn, planned, timer) = state.withLock { state in
      state.turn += 1
      state.due = nil
      return (state.turn, state.planned.take(), state.timer)
    }
    timer?.schedule(deadline: .distantFuture)
    withExtendedLifetime(planned) {}
    return turn
  }

  /// Goes on in the world that is in force, with what was left to wait; does nothing unless it is set in `world`.
  private func leave(_ world: WorldTime.Source) {
    let (due, turn, planned) = state.withLock {
      state -> (MonotonicInstant?, Int, (any AnyObject & Sendable)?) in
      guard let due = state.due, due.world === world else { return (nil, 0, nil) }
      state.turn += 1
      state.due = nil
      return (due.moment, state.turn, state.planned.take())
    }
    withExtendedLifetime(planned) {}
    guard let due else { return }
    set(due.nanoseconds - WorldTime(world).now.nanoseconds, turn: turn)
  }

  private func setOnMachine(_ nanoseconds: Int64, _ turn: Int) {
    let (timer, isNew) = state.withLock { state -> ((any DispatchSourceTimer)?, Bool) in
      guard state.turn == turn else { return (nil, false) }
      if let timer = state.timer { return (timer, false) }
      let timer = DispatchSource.makeTimerSource(queue: queue)
      state.timer = timer
      return (timer, true)
    }
    timer?.schedule(deadline: .now() + .nanoseconds(Int(max(nanoseconds, 0))), leeway: leeway)
    guard isNew, let timer else { return }
    timer.setEventHandler { [weak self] in self?.handler() }
    timer.resume()
  }

  /// Hands the call to the queue, on the thread that moves the clock.
  private func isDue(_ turn: Int) {
    queue.carry { [weak self] in
      guard let self else { return }
      let (isWanted, planned) = state.withLock { state -> (Bool, (any AnyObject & Sendable)?) in
        guard state.turn == turn else { return (false, nil) }
        state.turn += 1
        state.due = nil
        return (true, state.planned.take())
      }
      withExtendedLifetime(planned) {}
      if isWanted { handler() }
    }
  }

  /// Has the timers that are set in a world which is in force no more go on in the one that is, with what was left to wait.
  static func leave(_ world: WorldTime.Source) {
    for timer in inWorlds.present where timer.time == nil { timer.leave(world) }
  }
}

extension WorldTime {
  /// How a timer is given this time: one of the time in force goes on in the world that comes after.
  var asTimersTake: WorldTime? { wasInForce || source === Self.current.source ? nil : self }

  /// Runs `body` on `queue` when a time has passed, once.
  package func perform(
    afterNanoseconds nanoseconds: Int64, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void
  ) {
    guard isSimulated else {
      return queue.asyncAfter(deadline: .now() + .nanoseconds(Int(nanoseconds)), execute: body)
    }
    let kept = Locked<WorldTimer?>(nil)
    let timer = WorldTimer(on: queue, time: asTimersTake) {
      let timer = kept.withLock { $0.take() }
      withExtendedLifetime(timer) { body() }
    }
    // It keeps itself until it has gone off.
    kept.withLock { $0 = timer }
    timer.set(afterNanoseconds: nanoseconds)
  }
}
