internal import Linux

/// Wakes those who follow an export when its status changes.
final class ExportNews: Sendable {
  private struct State {
    var count = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Locked(State())

  /// How much news there was so far.
  var count: Int { state.withLock { $0.count } }

  /// Says that there is news.
  func note() {
    let waiting = state.withLock { state in
      state.count += 1
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until there is more than the `count` that the caller has seen, or its task is cancelled.
  func wait(after count: Int) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isNew = state.withLock { state in
          if state.count == count { state.waiting.append(continuation) }
          return state.count != count
        }
        if isNew { continuation.resume() }
      }
    } onCancel: {
      note()
    }
  }
}
