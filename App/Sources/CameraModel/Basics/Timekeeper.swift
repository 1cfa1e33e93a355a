import Dispatch
import Foundation

/// Tells the time, and calls the model back after a delay, by the machine's clock or by one that a test moves.
package protocol Timekeeper: Sendable {
  /// The time, which files are named and dated by; from any thread.
  var date: Date { get }
  /// Calls `body` on the main actor after so many seconds.
  @MainActor func after(_ seconds: Double, _ body: @escaping @MainActor () -> Void)
}

/// The machine's clock.
package struct MachineTime: Timekeeper {
  /// The machine's clock.
  package init() {}

  package var date: Date { Date() }

  package func after(_ seconds: Double, _ body: @escaping @MainActor () -> Void) {
    DispatchQueue.main.asyncAfter(deadline: .now() + seconds) { MainActor.assumeIsolated(body) }
  }
}

/// A clock that stands until a test moves it.
@MainActor
package final class ManualTime: Timekeeper {
  // The first morning of 2026.
  private nonisolated static let beginning = Date(timeIntervalSince1970: 1_767_258_000)

  private nonisolated let now = Guarded(0.0)
  private var waiting: [(at: Double, body: @MainActor () -> Void)] = []

  /// A clock at zero.
  package init() {}

  package nonisolated var date: Date { Self.beginning.addingTimeInterval(now.change { $0 }) }

  package func after(_ seconds: Double, _ body: @escaping @MainActor () -> Void) {
    waiting.append((now.change { $0 } + seconds, body))
  }

  /// Moves on, and calls what is due in the order of its times.
  package func advance(by seconds: Double) {
    let end = now.change { $0 } + seconds
    while let next = waiting.indices.min(by: { waiting[$0].at < waiting[$1].at }), waiting[next].at <= end {
      let due = waiting.remove(at: next)
      now.change { $0 = due.at }
      due.body()
    }
    now.change { $0 = end }
  }
}
