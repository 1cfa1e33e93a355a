internal import Dispatch
internal import FoundationExtras
internal import Linux

/// Calls a handler in the rhythm of a display, on a thread of its own: what draws by hand makes its next picture then.
///
/// No window system is asked for its screens: every link has the rhythm of a display of 60 pictures a second. Under a simulated clock that is
/// its time, and a move of the clock waits for the handler. Ticks that come while the handler still works are left out, as a display shows
/// its old picture again; none is made up for. Apple: `CVDisplayLink`. Thread-safe.
public final class CVDisplayLink: Sendable {
  private struct State {
    var handler: Handler?
    /// The moment of tick 0; `nil` while the link does not run.
    var start: MonotonicInstant?
    var tick: Int64 = 0
    /// The present run; what another one planned does not count.
    var run: Run?
  }

  /// From one start to the next stop.
  private final class Run: Sendable {
    let timer = Locked<WorldTimer?>(nil)
  }

  /// Carries a client's handler to the link's thread.
  private struct Handler: @unchecked Sendable {  // Safe because it is called on one serial queue only.
    let call: CVDisplayLinkOutputHandler
  }

  static let rate: Int64 = 60
  /// Units of ``CVTimeStamp/videoTime`` in a second.
  static let timeScale: Int32 = 240_000
  static let refreshPeriod = Int64(timeScale) / rate

  private let queue = DispatchQueue(label: "obscura.display-link", qos: .userInteractive)
  private let state = Locked(State())

  init() {}

  var isRunning: Bool { state.withLock { $0.start != nil } }

  func setHandler(_ handler: @escaping CVDisplayLinkOutputHandler) {
    let old = state.withLock { state in
      defer { state.handler = Handler(call: handler) }
      return state.handler
    }
    withExtendedLifetime(old) {}
  }

  func start() -> CVReturn {
    let now = WorldTime.current.now
    let run = Run()
    run.timer.withLock {
      $0 = WorldTimer(on: queue) { [weak self, weak run] in if let run { self?.tick(run) } }
    }
    let result = state.withLock { state -> CVReturn in
      guard state.handler != nil else { return kCVReturnDisplayLinkCallbacksNotSet }
      guard state.start == nil else { return kCVReturnDisplayLinkAlreadyRunning }
      (state.start, state.tick, state.run) = (now, 0, run)
      return kCVReturnSuccess
    }
    if result == kCVReturnSuccess { planNext(run) }
    return result
  }

  func stop() -> CVReturn {
    let (wasRunning, run) = state.withLock { state -> (Bool, Run?) in
      defer { (state.start, state.run) = (nil, nil) }
      return (state.start != nil, state.run)
    }
    guard wasRunning else { return kCVReturnDisplayLinkNotRunning }
    run?.timer.withLock { $0 }?.cancel()
    return kCVReturnSuccess
  }

  /// The present moment, as the display counts; `nil` while the link does not run.
  var present: CVTimeStamp? {
    let now = WorldTime.current.now
    return state.withLock { $0.start }.map { Self.stamp(of: now, since: $0) }
  }

  /// Has the timer go off with the first tick that is still to come.
  private func planNext(_ run: Run) {
    let now = WorldTime.current.now
    let delay = state.withLock { state -> Int64? in
      guard state.run === run, var start = state.start else { return nil }
      // Another clock is in force since.
      if now < start { (state.start, state.tick, start) = (now, 0, now) }
      let passed = now.nanoseconds - start.nanoseconds
      state.tick = max(state.tick, Self.ticks(in: passed)) + 1
      return Self.nanoseconds(of: state.tick) - passed
    }
    if let delay { run.timer.withLock { $0 }?.set(afterNanoseconds: delay) }
  }

  private func tick(_ run: Run) {
    let now = WorldTime.current.now
    let (handler, start, tick) = state.withLock { state -> (Handler?, MonotonicInstant?, Int64) in
      guard state.run === run else { return (nil, nil, 0) }
      return (state.handler, state.start, state.tick)
    }
    guard let handler, let start else { return }
    // A call that comes late draws for the tick that is next by now.
    let next = max(tick, Self.ticks(in: now.nanoseconds - start.nanoseconds)) + 1
    var (present, shown) = (Self.stamp(of: now, since: start), Self.stamp(ofTick: next, since: start))
    var flags: CVOptionFlags = 0
    _ = handler.call(self, &present, &shown, 0, &flags)
    planNext(run)
  }

  private static func ticks(in nanoseconds: Int64) -> Int64 {
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return seconds * rate + rest * rate / 1_000_000_000
  }

  private static func nanoseconds(of tick: Int64) -> Int64 {
    let (seconds, rest) = tick.quotientAndRemainder(dividingBy: rate)
    // Upwards, so that the tick has come when its moment is there.
    return seconds * 1_000_000_000 + (rest * 1_000_000_000 + rate - 1) / rate
  }

  private static func stamp(ofTick tick: Int64, since start: MonotonicInstant) -> CVTimeStamp {
    CVTimeStamp(
      videoTime: tick * refreshPeriod, hostTime: start.advanced(byNanoseconds: nanoseconds(of: tick)))
  }

  private static func stamp(of moment: MonotonicInstant, since start: MonotonicInstant) -> CVTimeStamp {
    let (seconds, rest) = (moment.nanoseconds - start.nanoseconds).quotientAndRemainder(
      dividingBy: 1_000_000_000)
    let scale = Int64(timeScale)
    return CVTimeStamp(videoTime: seconds * scale + rest * scale / 1_000_000_000, hostTime: moment)
  }
}
