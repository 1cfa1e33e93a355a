internal import Foundation
internal import Linux

/// The outcome of a frame that a client makes, which the frame waits for.
final class FrameOutcome<Frame: Sendable>: Sendable {
  private let result = Locked<Result<Frame, any Error>?>(nil)
  private let isThere = DispatchSemaphore(value: 0)

  /// Takes the first outcome; later ones change nothing.
  func settle(_ outcome: Result<Frame, any Error>) {
    let isFirst = result.withLock { result in
      if result != nil { return false }
      result = outcome
      return true
    }
    if isFirst { isThere.signal() }
  }

  /// The outcome, when it is there.
  func wait() throws -> Frame {
    isThere.wait()
    guard let result = result.withLock({ $0 }) else {
      throw AVError(.operationInterrupted, because: "A frame was not made.")
    }
    return try result.get()
  }
}
