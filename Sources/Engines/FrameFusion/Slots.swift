/// Memory for values that are each written once, by any thread, and read after that.
final class Slots<Value: BitwiseCopyable>: @unchecked Sendable {  // Safe: each slot has one writer.
  let base: UnsafeMutablePointer<Value>
  let count: Int

  init(count: Int) {
    base = .allocate(capacity: max(1, count))
    self.count = count
  }

  deinit { base.deallocate() }

  /// All values; each must have been written.
  var array: [Value] { Array(UnsafeBufferPointer(start: base, count: count)) }
}
