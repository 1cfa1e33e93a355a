internal import ALSADevices
internal import CoreMedia
internal import Dispatch
internal import FoundationExtras
internal import Linux

/// What pulls audio at the pace at which it is heard.
package protocol AudioOutput: AnyObject, Sendable {
  /// Begins to pull.
  ///
  /// - Parameter render: Makes so many moments of interleaved stereo at ``AudioOutputFormat/rate``, of which the first is heard at a
  ///   nanosecond of the machine's clock; called on one thread at a time, until ``stop()`` has been called.
  func start(_ render: @escaping @Sendable (_ frames: Int, _ heardAt: Int64) -> [Float])
  /// Ends at once.
  func stop()
}

/// The format in which an output pulls.
package enum AudioOutputFormat {
  /// Moments in a second.
  package static let rate = 48_000
  /// Moments of one pull: 10 ms.
  package static let chunk = 480
}

extension AudioOutputFormat {
  /// The output of the machine: its sound card where there is one; on a simulated machine, whose clock moves by hand, and without a
  /// card, audio passes in silence at its pace.
  static func output() -> any AudioOutput {
    let clock = MachineClock.current
    return clock.movesByHand ? PacedOutput(clock) : CardOutput()
  }
}

/// The default sound card, or silence at the pace of the host's clock.
private final class CardOutput: AudioOutput {
  private struct State {
    var playback: AudioPlayback?
    var paced: PacedOutput?
  }

  private let state = Locked(State())

  func start(_ render: @escaping @Sendable (_ frames: Int, _ heardAt: Int64) -> [Float]) {
    let playback = try? AudioPlayback { frames, heardAt in render(frames, heardAt.nanoseconds) }
    let paced = playback == nil ? PacedOutput(.hostTimeClock) : nil
    paced?.start(render)
    replace(State(playback: playback, paced: paced))
  }

  func stop() { replace(State()) }

  private func replace(_ new: State) {
    let old = state.withLock { state in
      defer { state = new }
      return state
    }
    old.playback?.stop()
    old.paced?.stop()
  }
}

/// Silence at a clock's pace: on one that moves by hand exactly, on the host's every 10 ms.
final class PacedOutput: AudioOutput {
  private struct State {
    var render: (@Sendable (_ frames: Int, _ heardAt: Int64) -> [Float])?
    var next: Int64 = 0
    var planned: (any AnyObject & Sendable)?
    var timer: WorldTimer?
  }

  private static let chunkNanoseconds =
    Int64(AudioOutputFormat.chunk) * 1_000_000_000 / Int64(AudioOutputFormat.rate)
  private let clock: CMClock
  private let state = Locked(State())
  private let queue = DispatchQueue(label: "obscura.audio-pace", qos: .userInteractive)

  init(_ clock: CMClock) {
    self.clock = clock
  }

  func start(_ render: @escaping @Sendable (_ frames: Int, _ heardAt: Int64) -> [Float]) {
    let now = CMTimeConvertScale(clock.time, timescale: 1_000_000_000, method: .default).value
    state.withLock { state in
      state.render = render
      state.next = now + Self.chunkNanoseconds
    }
    if clock.movesByHand { return plan() }
    let timer = WorldTimer(on: queue, time: clock.worldTime, leeway: .milliseconds(2)) { [weak self] in
      self?.catchUp()
    }
    state.withLock { $0.timer = timer }
    timer.set(afterNanoseconds: 0)
  }

  func stop() {
    let old = state.withLock { state in
      defer { state = State() }
      return state
    }
    old.timer?.cancel()
  }

  private func plan() {
    let next = state.withLock { $0.next }
    let planned = clock.plan(at: MonotonicInstant(nanoseconds: next)) { [weak self] in
      guard let self else { return }
      step()
      if state.withLock({ $0.render != nil }) { plan() }
    }
    let old = state.withLock { state in
      defer { if state.render != nil { state.planned = planned } }
      return state.planned
    }
    withExtendedLifetime(old) {}
  }

  /// What is due by now; after a long stop of the machine no more than a second of it.
  private func catchUp() {
    let now = clock.worldTime.now.nanoseconds
    // Set first, so that pulling does not delay the next one.
    state.withLock { $0.timer }?.set(afterNanoseconds: Self.chunkNanoseconds)
    state.withLock { state in
      if now - state.next > 1_000_000_000 { state.next = now }
    }
    while state.withLock({ $0.render != nil && $0.next <= now }) { step() }
  }

  /// Pulls what is heard from the end of the last pull on.
  private func step() {
    let (render, start) = state.withLock { state in
      defer { state.next += Self.chunkNanoseconds }
      return (state.render, state.next - Self.chunkNanoseconds)
    }
    _ = render?(AudioOutputFormat.chunk, start)
  }
}
