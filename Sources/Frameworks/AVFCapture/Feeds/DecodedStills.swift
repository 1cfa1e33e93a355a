internal import CaptureDevice
internal import Linux

/// Photos of a coded stream: each is the first decoded picture that was exposed after it was asked for.
///
/// Thread-safe; completions are called under no lock.
final class DecodedStills: Sendable {
  typealias Completion = @Sendable (Result<CapturedFrame, CaptureDeviceError>) -> Void

  private let waiting = Locked<[(since: MonotonicInstant, completion: Completion)]>([])

  var areAwaited: Bool { waiting.withLock { !$0.isEmpty } }

  /// Waits for a picture that is exposed at `since` or later.
  func wait(since: MonotonicInstant, _ completion: @escaping Completion) {
    waiting.withLock { $0.append((since, completion)) }
  }

  /// Gives the picture to all that it is late enough for.
  func take(_ frame: CapturedFrame) {
    let served = waiting.withLock { waiting in
      let served = waiting.filter { $0.since <= frame.timestamp }
      waiting.removeAll { $0.since <= frame.timestamp }
      return served
    }
    for still in served { still.completion(.success(frame)) }
  }

  /// Ends every wait.
  func fail(_ error: CaptureDeviceError) {
    let failed = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for still in failed { still.completion(.failure(error)) }
  }
}
