internal import Linux

/// A value that follows from the state of several objects, and what observers were told of it last.
///
/// After each change of that state some thread reviews the value. The look at the state takes locks and makes weak references
/// strong, so it runs under no lock; reviews are numbered instead, and a late one does not undo a newer. Thread-safe.
struct ReviewedValue<Value: Equatable & Sendable>: Sendable {
  private struct State {
    var told: Value
    /// The numbers of the newest review that has begun, and that was noted.
    var begun = 0
    var noted = 0
  }

  private let state: Locked<State>

  /// A value of which observers know `told`.
  init(_ told: Value) {
    state = Locked(State(told: told))
  }

  /// Looks how the value stands, and hands a change to `tell`, which must only enqueue, in the order of the changes.
  func review(_ look: () -> Value, tell: (_ old: Value, _ new: Value) -> Void) {
    let number = state.withLock { state in
      state.begun += 1
      return state.begun
    }
    let new = look()
    state.withLock { state in
      // A change that this look has seen and a later one has not has a review of its own, which is later still.
      guard number > state.noted else { return }
      state.noted = number
      let old = state.told
      guard old != new else { return }
      state.told = new
      tell(old, new)
    }
  }
}
