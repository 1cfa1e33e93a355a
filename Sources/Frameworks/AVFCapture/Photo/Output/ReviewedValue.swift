internal import Linux

/// A value that follows from the state of several objects, and what observers know of it.
///
/// After each change of that state some thread reviews the value. The look at the state takes locks and makes weak references
/// strong, so it runs under no lock; reviews are numbered instead, and a late one does not undo a newer. Thread-safe.
struct ReviewedValue<Value: Equatable & Sendable>: Sendable {
  private struct State {
    var reported: Value
    /// The numbers of the newest review that has begun, and that was noted.
    var begun = 0
    var noted = 0
  }

  private let state: Locked<State>

  /// A value of which observers know `reported`.
  init(_ reported: Value) {
    state = Locked(State(reported: reported))
  }

  /// Looks how the value stands, and hands a change to `notify`, which must only enqueue, in the order of the changes.
  func review(_ look: () -> Value, notify: (_ old: Value, _ new: Value) -> Void) {
    let number = state.withLock { state in
      state.begun += 1
      return state.begun
    }
    let new = look()
    state.withLock { state in
      // A change that this look has seen and a later one has not has a review of its own, which is later still.
      guard number > state.noted else { return }
      state.noted = number
      let old = state.reported
      guard old != new else { return }
      state.reported = new
      notify(old, new)
    }
  }
}
