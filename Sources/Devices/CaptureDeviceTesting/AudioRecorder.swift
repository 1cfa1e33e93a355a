internal import CaptureDevice
internal import Linux

/// A receiver that writes down what a microphone tells it and, when asked, keeps the audio.
final class AudioRecorder: Sendable {
  struct Log: Sendable {
    /// Without their tokens: a manual clock may go on.
    var stretches: [CapturedAudio] = []
    var drops: [DroppedFrame] = []
    var order: [UInt32] = []
    var failure: CaptureDeviceError?
    var isClosed = false
    var eventsAfterClose = 0
    var concurrent = 0
    var wasConcurrent = false
  }

  private let log = Monitor(Log())
  private let reaction: @Sendable (StreamEvent) -> Void

  /// - Parameter reaction: What to do inside the receiver, without any lock held.
  init(reaction: @escaping @Sendable (StreamEvent) -> Void = { _ in }) {
    self.reaction = reaction
  }

  /// What has been written down so far.
  var now: Log { log.withLock { $0 } }

  /// The receiver.
  func receive(_ event: StreamEvent) {
    log.withLock { log in
      log.concurrent += 1
      if log.concurrent > 1 { log.wasConcurrent = true }
      if log.isClosed { log.eventsAfterClose += 1 }
      switch event {
      case .audio(var audio):
        audio.inFlight = nil
        log.order.append(audio.sequence)
        log.stretches.append(audio)
      case .dropped(var drop):
        drop.inFlight = nil
        log.order.append(drop.sequence)
        log.drops.append(drop)
      case .failed(let error): log.failure = error
      case .frame, .depth, .depthDropped, .interrupted, .resumed: break
      }
    }
    reaction(event)
    log.withLock { $0.concurrent -= 1 }
  }

  /// From now on every event is one too many.
  func close() {
    log.withLock { $0.isClosed = true }
  }

  /// Waits in real time until the log satisfies `condition`; `false` when it did not in time.
  func wait(until deadline: MonotonicInstant, _ condition: (Log) -> Bool) -> Bool {
    log.wait(until: deadline, for: condition, then: { _ in true }) ?? false
  }
}
