import Foundation

/// A value under a lock.
final class Guarded<Value>: @unchecked Sendable {  // Safe because the value is used under the lock alone.
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) {
    self.value = value
  }

  @discardableResult
  func change<Result>(_ body: (inout Value) -> Result) -> Result {
    lock.withLock { body(&value) }
  }
}
