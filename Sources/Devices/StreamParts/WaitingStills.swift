package import CaptureDevice
internal import Linux

/// Photos that wait for a stream's next frame.
///
/// Thread-safe.
package final class WaitingStills: Sendable {
  package typealias Completion = @Sendable (Result<CapturedFrame, CaptureDeviceError>) -> Void

  private struct Box {
    let call: Completion
  }

  private let waiting = Locked<[Box]>([])

  package init() {}

  package func add(_ completion: @escaping Completion) {
    waiting.withLock { $0.append(Box(call: completion)) }
  }

  /// Calls every completion that waits with `result`, on the calling thread.
  package func answer(_ result: Result<CapturedFrame, CaptureDeviceError>) {
    let all = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for box in all { box.call(result) }
  }

  package var isEmpty: Bool { waiting.withLock { $0.isEmpty } }
}
