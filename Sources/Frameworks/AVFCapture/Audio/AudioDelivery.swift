internal import CaptureDevice
internal import Dispatch
internal import Linux

/// The way of audio from a device's reader thread to a delegate's queue: bounded, in order, every loss counted.
///
/// One stretch is handed over in each turn of the client's queue, so that a queue that pictures share stays fair. Whoever
/// is too slow loses the oldest audio: what is later than ``timeoutNanoseconds`` is dropped, as on Apple, and the
/// stretch after it is marked as following a gap.
///
/// Thread-safe. ``offer(_:over:)`` never blocks and never calls out: one lock, one hop.
final class AudioDelivery: Sendable {
  /// A stretch on its way.
  struct Chunk: Sendable {
    var audio: CapturedAudio
    let route: AudioRoute
    /// Whether audio was lost between the stretch before and this one.
    var followsGap = false
  }

  /// Who gets the audio; called on `queue`, one call at a time.
  struct Client: Sendable {
    var queue: DispatchQueue
    var deliver: @Sendable (Chunk) -> Fate
  }

  /// What became of a stretch that was handed over.
  enum Fate: Sendable {
    case taken
    /// Nobody was there to take it.
    case unwanted
    /// Its data could not be read.
    case broken
  }

  fileprivate struct State {
    var client: Client?
    var statistics = DeliveryStatistics()
    /// Oldest first.
    var waiting: [Chunk] = []
    /// How much audio waits.
    var waitingNanoseconds: Int64 = 0
    /// Audio was lost, and no stretch says so yet.
    var isGapDue = false
    var isScheduled = false
    /// Grows when everything that waits has lost its meaning.
    var generation = 0
  }

  /// How much audio may wait for a client that is busy.
  ///
  /// Less would lose audio while a client opens a file; more is later than anybody who listens or writes can use.
  static let timeoutNanoseconds: Int64 = 2_000_000_000

  private let state = Locked(State())

  /// What became of every stretch until now.
  var statistics: DeliveryStatistics { state.withLock { $0.statistics } }

  /// Replaces the client.
  ///
  /// No call to the old one begins after this returns; one may be under way.
  func setClient(_ client: Client?) {
    // What is discarded dies outside the lock: a device's buffer goes back to its driver then.
    // The old client, and what waits, go after the lock is left.
    let old = state.withLock { state in
      let old = state.client
      state.client = client
      return (old, state.discardAll())
    }
    withExtendedLifetime(old) {}
  }

  /// Throws away what waits: the stream has ended.
  func flush() {
    _ = state.withLock { $0.discardAll() }
  }

  /// Takes a stretch of the device; on its reader thread.
  func offer(_ audio: CapturedAudio, over route: AudioRoute) {
    let (client, generation, dropped) = state.withLock { state -> (Client?, Int, [Chunk]) in
      state.statistics.captured += 1
      guard let client = state.client else {
        state.statistics.unwanted += 1
        return (nil, 0, [])
      }
      state.statistics.pending += 1
      state.waiting.append(Chunk(audio: audio, route: route, followsGap: state.isGapDue))
      state.isGapDue = false
      state.waitingNanoseconds += audio.durationNanoseconds
      let dropped = state.dropLate()
      guard !state.isScheduled else { return (nil, 0, dropped) }
      state.isScheduled = true
      return (client, state.generation, dropped)
    }
    withExtendedLifetime(dropped) {}
    if let client { schedule(client, generation) }
  }

  /// Takes the news that the device lost a stretch; on its reader thread.
  func offer(_ drop: DroppedFrame) {
    state.withLock { state in
      state.statistics.captured += 1
      state.statistics.pending += 1
      state.statistics.settle(LostFrame(drop).reason)
      state.isGapDue = true
    }
  }

  private func schedule(_ client: Client, _ generation: Int) {
    client.queue.async { [self] in call(client, generation) }
  }

  private func call(_ client: Client, _ generation: Int) {
    let next = state.withLock { state -> Chunk? in
      guard state.generation == generation, !state.waiting.isEmpty else { return nil }
      let next = state.waiting.removeFirst()
      state.waitingNanoseconds -= next.audio.durationNanoseconds
      return next
    }
    guard let next else { return }
    let fate = client.deliver(next)
    let goesOn = state.withLock { state in
      switch fate {
      case .taken: state.statistics.settle(wasTaken: true)
      case .unwanted: state.statistics.settle(wasTaken: false)
      case .broken:
        state.statistics.settle(.discontinuity)
        state.isGapDue = true
      }
      guard state.generation == generation else { return false }
      state.isScheduled = !state.waiting.isEmpty
      return state.isScheduled
    }
    if goesOn { schedule(client, generation) }
    // The stretch's token ends after everything is settled: a manual clock moves on at once.
    withExtendedLifetime(next) {}
  }
}

extension AudioDelivery.State {
  /// Takes away what has waited too long and marks what comes after it.
  fileprivate mutating func dropLate() -> [AudioDelivery.Chunk] {
    var dropped: [AudioDelivery.Chunk] = []
    while waitingNanoseconds > AudioDelivery.timeoutNanoseconds, waiting.count > 1 {
      let oldest = waiting.removeFirst()
      waitingNanoseconds -= oldest.audio.durationNanoseconds
      statistics.settle(.late)
      waiting[0].followsGap = true
      dropped.append(oldest)
    }
    return dropped
  }

  /// Forgets everything that waits and starts a new generation.
  fileprivate mutating func discardAll() -> [AudioDelivery.Chunk] {
    let discarded = waiting
    statistics.pending -= discarded.count
    statistics.unwanted += discarded.count
    waiting = []
    waitingNanoseconds = 0
    isGapDue = false
    isScheduled = false
    generation += 1
    return discarded
  }
}

extension CapturedAudio {
  /// How long the stretch sounds.
  var durationNanoseconds: Int64 {
    Int64((Double(frameCount) * 1e9 / sampleRate).rounded())
  }
}
