import Foundation
import Linux

/// Records the present operation of each thread of a stress test, so that a hang has a name.
final class OperationWatch: Sendable {
  private struct State {
    /// By thread.
    var current: [String: String] = [:]
    var begun = 0
    var ended: Set<String> = []
  }

  private let state = Monitor(State())

  /// The number of begun operations.
  var begun: Int { state.withLock { $0.begun } }

  /// Notes that `thread` begins something.
  func begin(_ operation: String, on thread: String) {
    state.withLock { state in
      state.current[thread] = operation
      state.begun += 1
    }
  }

  /// Notes that `thread` has come to its end.
  func end(_ thread: String) {
    state.withLock { state in
      state.current[thread] = nil
      state.ended.insert(thread)
    }
  }

  /// Runs `body` on a thread of its own.
  func start(_ thread: String, _ body: @escaping @Sendable () -> Void) {
    Thread.detachNewThread { [self] in
      body()
      end(thread)
    }
  }

  /// Waits until so many threads have ended.
  ///
  /// - Returns: What the threads hang in, when none of them has begun anything for half a minute; `nil` when all have ended.
  func waitForAll(_ count: Int) -> String? {
    while true {
      let before = begun
      let deadline = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
      if state.wait(until: deadline, for: { $0.ended.count >= count }, then: { _ in true }) == true {
        return nil
      }
      if begun == before {
        let hanging = state.withLock { $0.current }
        return hanging.sorted { $0.key < $1.key }.map { "\($0.key) hangs in \($0.value)" }
          .joined(separator: "; ")
      }
    }
  }
}
