import Combine
import Foundation

/// Numbers that are noted in the thread of a run loop.
final class Notes {
  private(set) var values: [Int] = []

  func append(_ value: Int) {
    values.append(value)
  }
}

/// Runs the loop of a thread of its own until what is noted there suffices, and returns that.
func inRunLoop(
  _ begin: @escaping @Sendable (RunLoop, Notes) -> any Cancellable,
  until isEnough: @escaping @Sendable ([Int]) -> Bool
) async -> [Int] {
  await withCheckedContinuation { continuation in
    let thread = Thread {
      let (loop, notes) = (RunLoop.current, Notes())
      let kept = begin(loop, notes)
      // A repeated timer never ends a run by itself.
      while !isEnough(notes.values) { _ = loop.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01)) }
      kept.cancel()
      continuation.resume(returning: notes.values)
    }
    thread.start()
  }
}
