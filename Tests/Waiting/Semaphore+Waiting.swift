package import Dispatch

extension DispatchSemaphore {
  /// Blocks until it was signalled so many times; false when it was not within half a minute.
  package func comes(_ count: Int = 1) -> Bool {
    let limit = DispatchTime.now() + 30
    return (0..<count).allSatisfy { _ in wait(timeout: limit) == .success }
  }
}
