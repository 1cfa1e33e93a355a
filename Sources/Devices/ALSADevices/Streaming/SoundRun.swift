internal import CaptureDevice
internal import Glibc
internal import Linux

/// One run of a stream, from start to stop: its reader thread and whom it tells.
///
/// All calls that may hang in a driver are made on the reader thread. Whoever stops waits for the thread for a while and
/// then leaves it behind: it finds the run over and tells nobody anything any more.
final class SoundRun: Sendable {
  /// How long a stop waits for the driver.
  static let patienceNanoseconds: Int64 = 800_000_000

  struct State {
    var isStopping = false
    var isOver = false
    var deliveringThread: UInt = 0
    var diagnosis = SoundDiagnosis()
    /// Let go of at the end: it may hold its own stream, which would then never be closed.
    var receiver: (@Sendable (StreamEvent) -> Void)?
  }

  let wake: WakeUp
  let state = Monitor(State())

  init(wake: WakeUp, receiver: @escaping @Sendable (StreamEvent) -> Void) {
    self.wake = wake
    state.withLock { $0.receiver = receiver }
  }

  /// A number for the calling thread, unlike that of every other living thread.
  private static var currentThread: UInt { UInt(pthread_self()) }

  /// Whether no event may come any more.
  var isStopping: Bool { state.withLock { $0.isStopping } }

  /// Whether the reader thread has ended.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// Whether the calling thread is inside the receiver.
  var isDeliveringHere: Bool { state.withLock { $0.deliveringThread == Self.currentThread } }

  /// Ends the run, and waits until the driver has stopped or patience is over; false when it hangs.
  ///
  /// From inside the receiver it only says so: the end comes when the receiver has returned.
  @discardableResult
  func stop() -> Bool {
    let mustWait = state.withLock { state in
      state.isStopping = true
      return state.deliveringThread != Self.currentThread
    }
    wake.signal()
    guard mustWait else { return true }
    let ended: Void? = state.wait(until: .now.advanced(byNanoseconds: Self.patienceNanoseconds)) {
      $0.isOver
    } then: { _ in
    }
    return ended != nil
  }

  /// Tells an event unless the run is being stopped; false then.
  @discardableResult
  func tell(_ event: StreamEvent) -> Bool {
    let receiver = state.withLock { state -> (@Sendable (StreamEvent) -> Void)? in
      if state.isStopping { return nil }
      state.deliveringThread = Self.currentThread
      return state.receiver
    }
    guard let receiver else { return false }
    receiver(event)
    state.withLock { $0.deliveringThread = 0 }
    return true
  }

  /// Ends the run from inside, with its last event.
  func fail(_ error: CaptureDeviceError) {
    let receiver = state.withLock { state -> (@Sendable (StreamEvent) -> Void)? in
      if state.isStopping { return nil }
      state.isStopping = true
      state.deliveringThread = Self.currentThread
      return state.receiver
    }
    if let receiver {
      receiver(.failed(error))
      state.withLock { $0.deliveringThread = 0 }
    }
  }

  /// Marks the end: the reader thread touches nothing any more.
  func finish() {
    // What goes with the receiver goes after the lock is left.
    let receiver = state.withLock { state in
      state.isOver = true
      defer { state.receiver = nil }
      return state.receiver
    }
    withExtendedLifetime(receiver) {}
  }
}
