internal import Dispatch
internal import FoundationExtras
internal import Linux

extension SimulatedClock {
  /// Runs `body`, and moves a manual clock on whenever `body` waits: for tests of `async` code, which cannot both await a photo and
  /// advance the clock.
  ///
  /// ```swift
  /// let photo = try await clock.advancing { try await service.capturePhoto() }
  /// ```
  ///
  /// `body`, the tasks in it and the actors that they call run one after another on a thread of the clock's. When none of them can
  /// go on, the clock moves to the next event, a frame for instance, and runs it as ``advance(by:waitingForClients:)`` does. The
  /// clock stands still while they run, and when `body` has returned; so the same frames pass in each run, on any machine. The main
  /// actor takes part, and so do actors that run on a `DispatchSerialQueue`. A `Task` that the code makes
  /// outside of these actors does not: it starts and ends a frame earlier or later, as threads happen to run. While no event is due,
  /// because no session runs, the clock stands and `body` may wait for whatever else there is.
  ///
  /// On the real clock `body` just runs.
  ///
  /// - Parameters:
  ///   - limit: How far the clock may go; a minute, unless another is given. It stops there, and a programming mistake is reported
  ///     that says so, for `body` would wait for ever.
  ///   - body: What awaits; its session may run already, or be started in it.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  public func advancing<Result, Failure: Error>(
    atMost limit: Duration = .seconds(60), isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    guard isManual else { return try await body() }
    let run = AwaitingRun(self, limit: limit)
    return try await withTaskExecutorPreference(run) { () async throws(Failure) -> Result in
      run.begin()
      defer { run.end() }
      return try await body()
    }
  }
}

/// Runs what awaits and the clock by turns, on one queue.
private final class AwaitingRun: TaskExecutor, Sendable {
  private struct State {
    /// Parts of tasks that can run and have not.
    var ready = 0
    var hasEnded = false
  }

  private let clock: SimulatedClock
  private let limit: MonotonicInstant
  private let queue = DispatchQueue(label: "obscura.clock.awaiting", qos: .userInitiated)
  private let state = Locked(State())
  /// The pause before the next look while another queue works, or no event is due.
  private static let pauseNanoseconds = 100_000

  init(_ clock: SimulatedClock, limit: Duration) {
    self.clock = clock
    self.limit = clock.now.advanced(byNanoseconds: min(limit, .longestAdvance).wholeNanoseconds)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.ready += 1 }
    queue.async { [self] in
      job.runSynchronously(on: asUnownedTaskExecutor())
      state.withLock { $0.ready -= 1 }
    }
  }

  func begin() { queue.async { [self] in step() } }

  func end() { state.withLock { $0.hasEnded = true } }

  /// Moves the clock once when nothing else can run; on the queue, behind all that could.
  private func step() {
    // What the main actor does may hand it more to do.
    for _ in 0..<4 where isIdle && !MainQueueFlush.run() { break }
    let canMove = isIdle
    if state.withLock({ $0.hasEnded }) { return }
    guard !canMove || clock.now < limit else {
      return ProgrammingMistake.report(
        rule:
          "advancing(atMost:_:) went to its limit, and what was awaited had not come; await what comes, or allow more time."
      )
    }
    if canMove ? clock.advanceToNextEvent(until: limit) : ActorJobs.count == 0 {
      queue.async { [self] in step() }
    } else {
      queue.asyncAfter(deadline: .now() + .nanoseconds(Self.pauseNanoseconds)) { [self] in step() }
    }
  }

  /// Whether no part of a task can run, as far as that can be known: none here, and none on an actor's queue.
  private var isIdle: Bool { ActorJobs.count == 0 && state.withLock { $0.ready == 0 } }
}
