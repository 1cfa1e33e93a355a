import Foundation
import Linux
package import SimulatedDevices
package import Waiting

/// Moves a manual clock on a thread of its own, ten milliseconds again and again, while other threads do what they like.
package final class ClockMover: Sendable {
  /// Told of each move of any.
  package static let moves = Changes()
  private let isOver = Monitor(false)

  /// Begins at once.
  ///
  /// - Parameter pause: The seconds between two moves, in which others have the processor.
  package init(_ clock: SimulatedClock, pause: Double = 0.001) {
    Thread.detachNewThread { [isOver] in
      repeat {
        clock.advance(by: .milliseconds(10))
        Self.moves.note()
      } while isOver.wait(
        until: .now.advanced(byNanoseconds: Int64(pause * 1e9)), for: { $0 }, then: { _ in }) == nil
    }
  }

  /// Moves no more but for a move under way.
  package func end() { isOver.withLock { $0 = true } }
}
