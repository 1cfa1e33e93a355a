internal import Linux

/// The requests that are over and that the reader has not seen: the library's thread only puts them here.
///
/// Thread-safe.
final class CompletionInbox: Sendable {
  private let state = Locked<(completions: [RequestCompletion], wake: WakeUp?)>(([], nil))

  /// Begins a run, whose reader `wake` wakes; what is left of the one before is forgotten.
  func begin(_ wake: WakeUp?) { state.withLock { $0 = ([], wake) } }

  func put(_ completion: RequestCompletion) {
    let wake = state.withLock { state in
      state.completions.append(completion)
      return state.wake
    }
    wake?.signal()
  }

  func takeAll() -> [RequestCompletion] {
    state.withLock { state in
      defer { state.completions = [] }
      return state.completions
    }
  }
}
