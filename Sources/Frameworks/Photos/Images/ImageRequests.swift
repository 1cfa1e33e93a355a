internal import Foundation
internal import Linux

/// The requests that are under way, by their numbers.
///
/// Thread-safe.
final class ImageRequests: Sendable {
  private struct State {
    var last: PHImageRequestID = 0
    var active: Set<PHImageRequestID> = []
  }

  private let state = Locked(State())

  /// A number for a new request.
  func begin() -> PHImageRequestID {
    state.withLock { state in
      state.last = state.last == .max ? 1 : state.last + 1
      state.active.insert(state.last)
      return state.last
    }
  }

  /// Whether a request is still wanted.
  func isActive(_ id: PHImageRequestID) -> Bool { state.withLock { $0.active.contains(id) } }

  /// Ends a request; false when it was ended before.
  @discardableResult
  func end(_ id: PHImageRequestID) -> Bool { state.withLock { $0.active.remove(id) != nil } }
}

/// A client's function that is called on one queue only.
struct QueueHandler<Arguments>: @unchecked Sendable {  // Safe because it is called on one queue only.
  let call: (Arguments) -> Void

  init(_ call: @escaping (Arguments) -> Void) {
    self.call = call
  }
}
