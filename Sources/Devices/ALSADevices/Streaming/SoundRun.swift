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
  }

  let wake: WakeUp
  let state = Monitor(State())
  private let receiver: @Sendable (StreamEvent) -> Void

  init(wake: WakeUp, receiver: @escaping @Sendable (StreamEvent) -> Void) {
    self.wake = wake
    self.receiver = receiver
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
    let mayTell = state.withLock { state in
      if state.isStopping { return false }
      state.deliveringThread = Self.currentThread
      return true
    }
    guard mayTell else { return false }
    receiver(event)
    state.withLock { $0.deliveringThread = 0 }
    return true
  }

  /// Ends the run from inside, with its last event.
  func fail(_ error: CaptureDeviceError) {
    let mayTell = state.withLock { state in
      if state.isStopping { return false }
      state.isStopping = true
      state.deliveringThread = Self.currentThread
      return true
    }
    if mayTell {
      receiver(.failed(error))
      state.withLock { $0.deliveringThread = 0 }
    }
  }

  /// Marks the end: the reader thread touches nothing any more.
  func finish() {
    state.withLock { $0.isOver = true }
  }
}
