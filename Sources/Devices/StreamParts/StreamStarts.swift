internal import Linux

/// The current run of a stream: start, stop and the end of a stream agree on it while a start waits for a driver.
///
/// Thread-safe.
package final class StreamStarts<Belongings: Sendable>: Sendable {
  /// The reason why a stream cannot be started.
  package enum Refusal: Error {
    /// It streams.
    case running
    /// The run before has not ended: its driver hangs, or this is called inside one of its events.
    case ending
    /// Another thread starts it.
    case starting
  }

  private enum Phase {
    case stopped
    /// The driver is asked to start; a stop that comes meanwhile is remembered.
    case starting(isCancelled: Bool)
    case running(StreamRun)
  }

  private struct State {
    var phase = Phase.stopped
    var latest: Belongings?
  }

  private let state = Locked(State())

  /// A stream that has not been started.
  package init() {}

  /// The belongings of the latest run, also when that is over; `nil` before the first.
  package var latest: Belongings? { state.withLock { $0.latest } }

  /// The belongings of the run that streams; `nil` when none does.
  package var running: Belongings? {
    state.withLock { state in
      if case .running = state.phase { state.latest } else { nil }
    }
  }

  /// The latest run, unless nothing of it is under way any more.
  package var unfinished: StreamRun? { run.flatMap { $0.isOver ? nil : $0 } }

  private var run: StreamRun? {
    state.withLock { state in
      if case .running(let run) = state.phase { run } else { nil }
    }
  }

  /// Notes that a start is under way, after the end of the run before; ``begin(_:_:)`` or ``giveUp()`` follows.
  package func claim() throws(Refusal) {
    if let run {
      guard run.isStopping else { throw .running }
      guard !run.isDeliveringHere, run.stop() else { throw .ending }
    }
    let (isClaimed, former) = state.withLock { state -> (Bool, Phase) in
      let former = state.phase
      switch former {
      case .running(let run) where !run.isOver: return (false, former)
      case .starting: return (false, former)
      case .stopped, .running: break
      }
      state.phase = .starting(isCancelled: false)
      return (true, former)
    }
    withExtendedLifetime(former) {}
    if !isClaimed { throw .starting }
  }

  /// Notes that the start has failed.
  package func giveUp() {
    let former = state.withLock { state in
      defer { state.phase = .stopped }
      return state.phase
    }
    withExtendedLifetime(former) {}
  }

  /// Notes that the driver has started, with what belongs to the run; cancels it when a stop has come meanwhile.
  package func begin(_ run: StreamRun, _ belongings: Belongings) {
    let former = state.withLock { state in
      defer { state = State(phase: .running(run), latest: belongings) }
      return state
    }
    if case .starting(isCancelled: true) = former.phase { run.cancel() }
  }

  /// Stops the stream; false when its driver hangs.
  package func stop() -> Bool {
    let run = state.withLock { state -> StreamRun? in
      switch state.phase {
      case .stopped: return nil
      case .starting:
        state.phase = .starting(isCancelled: true)
        return nil
      case .running(let run): return run
      }
    }
    return run?.stop() ?? true
  }
}
