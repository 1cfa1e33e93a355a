import Dispatch
import Testing
import os
import os.lock

@Suite("Locks with a state")
struct AllocatedUnfairLockTests {
  @Test func `the state is changed by one thread at a time`() {
    let lock = OSAllocatedUnfairLock(initialState: 0)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<1000 { lock.withLock { $0 += 1 } }
    }
    #expect(lock.withLock { $0 } == 8000)
  }

  @Test func `a lock that is held is not available, and its owner is known`() {
    let lock = OSAllocatedUnfairLock()
    lock.lock()
    lock.precondition(.owner)
    let isFree = DispatchQueue.concurrentResult { lock.lockIfAvailable() }
    #expect(!isFree)
    DispatchQueue.concurrentResult { lock.precondition(.notOwner) }
    lock.unlock()
    lock.precondition(.notOwner)
    #expect(lock.withLockIfAvailable { 5 } == 5)
  }

  @Test func `copies are the same lock, and errors pass through`() {
    struct Failure: Error {}
    let lock = OSAllocatedUnfairLock(uncheckedState: [1])
    let copy = lock
    copy.withLock { $0.append(2) }
    #expect(lock.withLockUnchecked { $0 } == [1, 2])
    #expect(throws: Failure.self) { try lock.withLock { _ in throw Failure() } }
    #expect(lock.withLockIfAvailable { $0.count } == 2)
  }

  @Test func `a thread that takes it twice stops the program`() async {
    await #expect(processExitsWith: .failure) {
      let lock = OSAllocatedUnfairLock()
      lock.withLock { lock.withLock {} }
    }
  }

  @Test func `a thread that gives back what it does not hold stops the program`() async {
    await #expect(processExitsWith: .failure) {
      func giveBack() { OSAllocatedUnfairLock().unlock() }
      giveBack()
    }
  }
}

extension DispatchQueue {
  /// What a closure returns on another thread.
  @discardableResult
  fileprivate static func concurrentResult<Value: Sendable>(_ body: @escaping @Sendable () -> Value) -> Value
  {
    let (result, done) = (OSAllocatedUnfairLock<Value?>(initialState: nil), DispatchSemaphore(value: 0))
    DispatchQueue.global().async {
      let value = body()
      result.withLock { $0 = value }
      done.signal()
    }
    done.wait()
    guard let value = result.withLock({ $0 }) else { preconditionFailure("The closure returned.") }
    return value
  }
}
