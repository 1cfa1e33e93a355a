/// The state of a session.
///
/// Printed with every event in `Documentation/States.md`.
package enum SessionState: String, Sendable, Hashable, CaseIterable {
  /// No device is open.
  case stopped
  /// A thread is opening the devices for the first frames.
  case starting
  /// Devices stream.
  case running
  /// Devices stream, and a thread changes what a new plan wants changed.
  case reconfiguring
  /// Started, but a device delivers nothing without an error; goes on by itself.
  case interrupted
  /// A thread is still opening devices; they are closed as soon as it is done.
  case cancelling
  /// A thread is closing the devices.
  case stopping

  /// Whether no thread works on the devices.
  package var isSettled: Bool {
    switch self {
    case .stopped, .running, .interrupted: true
    case .starting, .reconfiguring, .cancelling, .stopping: false
    }
  }
}

/// An event in the life of a session.
package enum SessionEvent: String, Sendable, Hashable, CaseIterable {
  /// A client calls `startRunning()`.
  case start
  /// A client calls `stopRunning()`, or the session goes away.
  case stop
  /// A transaction ends, or something changes outside of one.
  case commit
  /// The thread that works on the devices is done: all of them stream.
  case settled
  /// The thread that works on the devices is done: one of them is withheld for now.
  case settledWithoutDevice
  /// The thread that works on the devices could not get what the plan wants.
  case failed
  /// The thread that closes the devices is done.
  case closed
  /// A stream ended with an error.
  case streamFailed
  /// A stream is silent without an error.
  case streamInterrupted
  /// A silent stream goes on.
  case streamResumed
  /// A device that the session has lost is plugged in again; the session is one that goes on then, and no client has stopped it
  /// meanwhile.
  case deviceReturned
}

/// The work that an event needs, done by the thread that brought it.
package enum SessionWork: String, Sendable, Hashable, CaseIterable {
  /// Nothing.
  case nothing
  /// Bring the devices in line with the plan: open, change, close what differs; then `settled` or `failed`.
  case apply
  /// Close all devices; then `closed`.
  case close
  /// Wait until no thread works on the devices, then bring the event again.
  case wait
  /// Wait until the devices are closed, but no longer than a second.
  case waitForStop
}

/// The response of a session's state to an event.
package struct SessionResponse: Sendable, Hashable {
  /// The state from now on.
  package var next: SessionState
  /// The work for the thread of the event.
  package var work: SessionWork
  /// Whether the pair cannot come about; it then changes nothing.
  package var isImpossible = false
}

extension SessionState {
  /// The whole machine: what an event leads to in a state.
  ///
  /// Pure. Reports to clients follow from the state before and after; see ``SessionStatus``.
  package func response(to event: SessionEvent) -> SessionResponse {
    func go(_ next: SessionState, _ work: SessionWork = .nothing) -> SessionResponse {
      SessionResponse(next: next, work: work)
    }
    let stay = SessionResponse(next: self, work: .nothing)
    let impossible = SessionResponse(next: self, work: .nothing, isImpossible: true)

    switch (self, event) {
    case (.stopped, .start): return go(.starting, .apply)
    case (.stopped, .stop), (.stopped, .commit): return stay
    // Late news of a stream that was closed meanwhile.
    case (.stopped, .streamFailed), (.stopped, .streamInterrupted), (.stopped, .streamResumed): return stay
    case (.stopped, .deviceReturned): return go(.starting, .apply)
    case (.stopped, .settled), (.stopped, .settledWithoutDevice), (.stopped, .failed), (.stopped, .closed):
      return impossible

    case (.starting, .start), (.starting, .commit): return go(.starting, .wait)
    case (.starting, .stop): return go(.cancelling, .waitForStop)
    case (.starting, .settled): return go(.running)
    case (.starting, .settledWithoutDevice): return go(.interrupted)
    case (.starting, .failed): return go(.stopping, .close)
    case (.starting, .streamFailed): return go(.cancelling)
    // Noted with the device; `settledWithoutDevice` follows.
    case (.starting, .streamInterrupted), (.starting, .streamResumed): return stay
    // The start may have come too early for it.
    case (.starting, .deviceReturned): return go(.starting, .wait)
    case (.starting, .closed): return impossible

    case (.running, .start): return stay
    case (.running, .stop): return go(.stopping, .close)
    case (.running, .commit): return go(.reconfiguring, .apply)
    case (.running, .streamFailed): return go(.stopping, .close)
    case (.running, .streamInterrupted): return go(.interrupted)
    case (.running, .streamResumed), (.running, .deviceReturned): return stay
    case (.running, .settled), (.running, .settledWithoutDevice), (.running, .failed), (.running, .closed):
      return impossible

    case (.reconfiguring, .start): return stay
    case (.reconfiguring, .stop): return go(.cancelling, .waitForStop)
    case (.reconfiguring, .commit): return go(.reconfiguring, .wait)
    case (.reconfiguring, .settled): return go(.running)
    case (.reconfiguring, .settledWithoutDevice): return go(.interrupted)
    case (.reconfiguring, .failed): return go(.stopping, .close)
    case (.reconfiguring, .streamFailed): return go(.cancelling)
    case (.reconfiguring, .streamInterrupted), (.reconfiguring, .streamResumed): return stay
    case (.reconfiguring, .deviceReturned): return stay
    case (.reconfiguring, .closed): return impossible

    // A start tries again what was withheld.
    case (.interrupted, .start), (.interrupted, .commit): return go(.reconfiguring, .apply)
    case (.interrupted, .stop): return go(.stopping, .close)
    case (.interrupted, .streamFailed): return go(.stopping, .close)
    case (.interrupted, .streamInterrupted), (.interrupted, .deviceReturned): return stay
    case (.interrupted, .streamResumed): return go(.running)
    case (.interrupted, .settled), (.interrupted, .settledWithoutDevice), (.interrupted, .failed),
      (.interrupted, .closed):
      return impossible

    case (.cancelling, .start): return go(.cancelling, .wait)
    case (.cancelling, .deviceReturned): return go(.cancelling, .wait)
    case (.cancelling, .stop): return go(.cancelling, .waitForStop)
    // The next start plans with what was committed.
    case (.cancelling, .commit): return stay
    case (.cancelling, .settled), (.cancelling, .settledWithoutDevice), (.cancelling, .failed):
      return go(.stopping, .close)
    case (.cancelling, .streamFailed), (.cancelling, .streamInterrupted), (.cancelling, .streamResumed):
      return stay
    case (.cancelling, .closed): return impossible

    case (.stopping, .start): return go(.stopping, .wait)
    case (.stopping, .deviceReturned): return go(.stopping, .wait)
    case (.stopping, .stop): return go(.stopping, .waitForStop)
    case (.stopping, .commit): return stay
    case (.stopping, .closed): return go(.stopped)
    case (.stopping, .streamFailed), (.stopping, .streamInterrupted), (.stopping, .streamResumed): return stay
    case (.stopping, .settled), (.stopping, .settledWithoutDevice), (.stopping, .failed): return impossible
    }
  }
}

/// The face of a session's state: the part that clients see.
package struct SessionStatus: Sendable, Hashable {
  /// Whether media flows.
  package var isRunning = false
  /// Whether the session waits for an interruption's end.
  package var isInterrupted = false

  /// The face of a state; `isWithheld` says whether some device is withheld at the moment.
  package init(_ state: SessionState, isWithheld: Bool) {
    switch state {
    case .running: isRunning = true
    case .interrupted: isInterrupted = true
    // Changing the plan does not stop what goes on.
    case .reconfiguring:
      isRunning = !isWithheld
      isInterrupted = isWithheld
    case .stopped, .starting, .cancelling, .stopping: break
    }
  }

  /// Nothing runs.
  package init() {}
}
