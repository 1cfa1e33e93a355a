internal import CaptureDevice
internal import Linux
internal import StreamParts

/// The run of a simulated stream, and the ticker that makes its events.
///
/// Thread-safe.
final class TickedRun: Sendable {
  private struct State {
    var run: StreamRun?
    var ticker: Ticker?
  }

  private let state = Locked(State())

  /// The run that is under way.
  var current: StreamRun? {
    state.withLock { $0.run }.flatMap { $0.isStopping ? nil : $0 }
  }

  /// Begins a run; `name` is the device's.
  func begin(_ name: String, _ receiver: @escaping StreamRun.Receiver) throws(CaptureDeviceError) -> StreamRun
  {
    let run = StreamRun(receiver: receiver)
    let (isFree, former) = state.withLock { state -> (Bool, StreamRun?) in
      let former = state.run
      if former?.isStopping == false { return (false, nil) }
      state.run = run
      return (true, former)
    }
    withExtendedLifetime(former) {}
    guard isFree else {
      throw CaptureDeviceError(.deviceBusy, "\(name) streams already; stop the stream first.")
    }
    return run
  }

  /// Begins the ticks of a run, which ends where that fails; the arguments are those of ``Ticker``.
  func tick(
    _ run: StreamRun, name: String, clock: SimulatedClock, first: MonotonicInstant,
    _ tick: @escaping @Sendable () -> MonotonicInstant?
  ) throws(CaptureDeviceError) {
    do throws(CaptureDeviceError) {
      let ticker = try Ticker(name: name, clock: clock, first: first, tick: tick)
      let isOver = state.withLock { state in
        let isOver = run.isStopping
        if !isOver { state.ticker = ticker }
        return isOver
      }
      if isOver { ticker.cancel() }
    } catch {
      run.stop()
      throw error
    }
  }

  /// Ends the run, as ``CaptureStream/stop()`` promises; false when none was under way.
  func stop() -> Bool {
    guard let run = state.withLock({ $0.run }) else { return false }
    let wasRunning = run.cancel()
    run.stop()
    if wasRunning { cancelTicker() }
    return wasRunning
  }

  /// Ends the run with its last event; false when none was under way.
  func fail(_ error: CaptureDeviceError) -> Bool {
    guard let run = state.withLock({ $0.run }), run.fail(error) else { return false }
    cancelTicker()
    return true
  }

  /// Whether a frame or chunk is due that the machine gave it no time to make.
  var isBehind: Bool { state.withLock { $0.ticker }?.isBehind ?? false }

  private func cancelTicker() {
    let ticker = state.withLock { state in
      defer { state.ticker = nil }
      return state.ticker
    }
    ticker?.cancel()
  }
}
