import Dispatch
import Foundation

/// Calls the model back after a delay, by the machine's clock or by one that a test moves.
package protocol Timekeeper: Sendable {
  /// Calls `body` on the main actor after so many seconds.
  @MainActor func after(_ seconds: Double, _ body: @escaping @MainActor () -> Void)
}

/// The machine's clock.
package struct MachineTime: Timekeeper {
  /// The machine's clock.
  package init() {}

  package func after(_ seconds: Double, _ body: @escaping @MainActor () -> Void) {
    DispatchQueue.main.asyncAfter(deadline: .now() + seconds) { MainActor.assumeIsolated(body) }
  }
}

/// A clock that stands until a test moves it.
@MainActor
package final class ManualTime: Timekeeper {
  private var now = 0.0
  private var waiting: [(at: Double, body: @MainActor () -> Void)] = []

  /// A clock at zero.
  package init() {}

  package func after(_ seconds: Double, _ body: @escaping @MainActor () -> Void) {
    waiting.append((now + seconds, body))
  }

  /// Moves on, and calls what is due in the order of its times.
  package func advance(by seconds: Double) {
    let end = now + seconds
    while let next = waiting.indices.min(by: { waiting[$0].at < waiting[$1].at }), waiting[next].at <= end {
      let due = waiting.remove(at: next)
      now = due.at
      due.body()
    }
    now = end
  }
}
