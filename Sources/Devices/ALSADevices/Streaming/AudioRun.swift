internal import CaptureDevice
internal import Linux

/// One run of a stream, from start to stop: its reader thread and whom it tells.
final class AudioRun: Sendable {
  struct State {
    var diagnosis = AudioDiagnosis()
    /// Let go of at the end: it may hold its own stream, which would then never be closed.
    var receiver: (@Sendable (StreamEvent) -> Void)?
  }

  private let end: RunEnd
  let state = Locked(State())

  init(wake: WakeUp, receiver: @escaping @Sendable (StreamEvent) -> Void) {
    end = RunEnd(wake: wake)
    state.withLock { $0.receiver = receiver }
  }

  /// Wakes the reader thread.
  var wake: WakeUp { end.wake }

  /// Whether no event may come any more.
  var isStopping: Bool { end.isStopping }

  /// Whether the reader thread has ended.
  var isOver: Bool { end.isOver }

  /// Whether the calling thread is inside the receiver.
  var isDeliveringHere: Bool { end.isDeliveringHere }

  /// Ends the run, and waits until the driver has stopped or the timeout has passed; false when it hangs.
  ///
  /// From inside the receiver it only says so: the end comes when the receiver has returned.
  @discardableResult
  func stop() -> Bool { end.stop() }

  /// Waits for the reader thread, however long its driver hangs.
  func waitUntilOver() { end.waitUntilOver() }

  /// Tells an event unless the run is being stopped; false then.
  @discardableResult
  func tell(_ event: StreamEvent) -> Bool {
    end.deliver { receiver?(event) }
  }

  /// Ends the run from inside, with its last event.
  func fail(_ error: CaptureDeviceError) {
    end.deliverLast { receiver?(.failed(error)) }
  }

  private var receiver: (@Sendable (StreamEvent) -> Void)? { state.withLock { $0.receiver } }

  /// Marks the end: the reader thread touches nothing any more.
  func finish() {
    // What goes with the receiver goes after the lock is left, and when nobody waits for the end any more.
    let receiver = state.withLock { state in
      defer { state.receiver = nil }
      return state.receiver
    }
    end.finish()
    withExtendedLifetime(receiver) {}
  }
}
