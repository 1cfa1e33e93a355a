internal import Linux

/// The owner of inputs, outputs and connections, as they know it: a session.
protocol ConnectionOwner: DeviceObserver {
  var isRunning: Bool { get }
  var isInterrupted: Bool { get }
  /// The plan of the structure that calls see now, whether it runs or not; `nil` when there is none.
  var presentPlan: CapturePlan? { get }
  /// The outputs.
  var outputs: [AVCaptureOutput] { get }
  /// Connects an output that takes other media than before to what it takes now, and no more to what it does not; plans anew.
  func connectAnew(_ output: AVCaptureOutput)
  /// Whether several cameras may run at once.
  var takesSeveralCameras: Bool { get }
  /// Whether the start of the sink of this number is deferred, and has not been run yet.
  func holdsBack(_ sink: NodeID) -> Bool
  /// Whether a capture of the sink waits for its deferred start, or behind captures that have waited.
  func holdsUp(_ sink: NodeID) -> Bool
  /// Calls `body` when the sink has been started, on the calling thread where that has been; else has the deferred start run now.
  ///
  /// Also when the session has stopped before; then nothing streams. Calls it under no lock.
  func whenStarted(_ sink: NodeID, _ body: @escaping @Sendable () -> Void)
  /// Whether a device is among those that deliver nothing for now.
  func withholds(_ device: AVCaptureDevice) -> Bool
}

/// The session that an input or output belongs to, if any, without keeping it.
///
/// Thread-safe.
final class Membership: Sendable {
  private struct State {
    weak var owner: (any ConnectionOwner)?
  }

  private let state = Locked(State())

  var owner: (any ConnectionOwner)? { state.withLock { $0.owner } }

  /// Joins `owner`, or leaves with `nil`.
  ///
  /// - Returns: The other owner that has it, and keeps it. The caller lets it go under no lock.
  func join(_ owner: (any ConnectionOwner)?) -> (any ConnectionOwner)? {
    let (present, isJoined) = state.withLock { state -> ((any ConnectionOwner)?, Bool) in
      let present = state.owner
      if let owner, let present, present !== owner { return (present, false) }
      state.owner = owner
      return (present, true)
    }
    return isJoined ? nil : present
  }
}
