import Linux
import SimulatedDevices
package import Testing

/// Fails a test of a suite while which another one of it runs, whichever modules they are in; and ends the time of its world with it, for the suites
/// that run beside and after it.
package struct OneAtATime: SuiteTrait, TestTrait, TestScoping {
  private static let running = Locked<[Test.ID]>([])

  /// The trait of a suite and of all in it.
  package init() {}

  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
  ) async throws {
    let other = Self.running.withLock { running in
      defer { running.append(test.id) }
      return running.last
    }
    defer {
      if testCase != nil { SimulatedDevices.returnToMachineTime() }
      Self.running.withLock { running in
        if let place = running.lastIndex(of: test.id) { running.remove(at: place) }
      }
    }
    if let other { Issue.record("\(other) runs beside this test, and both install the process's devices.") }
    try await body()
  }
}
