import Linux
import Testing

@Suite("Locks and sleep")
struct LockTests {
  @Test func `a sleep ends at its moment, or at once when that has passed`() {
    let moment = MonotonicInstant.now.advanced(byNanoseconds: 2_000_000)
    moment.sleepUntil()
    #expect(MonotonicInstant.now >= moment)
    MonotonicInstant(nanoseconds: 0).sleepUntil()
  }

  @Test func `copies of a locked value are one value`() {
    let first = Locked(1)
    let second = first
    second.withLock { $0 = 2 }
    #expect(first.withLock { $0 } == 2)
  }

  @Test func `a locked value goes with its last copy`() {
    final class Thing: Sendable {}
    weak var thing: Thing?
    do {
      let locked = Locked(Thing())
      let monitor = Monitor(locked.withLock { $0 })
      thing = monitor.withLock { $0 }
      #expect(thing != nil)
    }
    #expect(thing == nil)
  }

  @Test func `many threads count together`() throws {
    let count = Monitor(0)
    let threads = try (0..<4).map { _ in
      try ReaderThread(name: "counter") {
        for _ in 0..<1000 { count.withLock { $0 += 1 } }
      }
    }
    #expect(count.wait(for: { $0 == 4000 }, then: { $0 }) == 4000)
    for thread in threads { thread.join() }
  }

  @Test func `a locked value adds up from several threads`() throws {
    let sum = Locked(0)
    let threads = try (0..<4).map { _ in
      try ReaderThread(name: "adder") { for _ in 0..<1000 { sum.withLock { $0 += 1 } } }
    }
    for thread in threads { thread.join() }
    #expect(sum.withLock { $0 } == 4000)
  }

  @Test func `a lock is given back when its body throws`() {
    struct Failure: Error {}
    let value = Locked(1)
    #expect(throws: Failure.self) { try value.withLock { _ throws(Failure) in throw Failure() } }
    #expect(value.withLock { $0 } == 1)
  }

  @Test func `a monitor's wait ends at its deadline`() {
    let monitor = Monitor(0)
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: 10_000_000)
    #expect(monitor.wait(until: deadline, for: { $0 > 0 }, then: { $0 }) == nil)
    #expect(MonotonicInstant.now >= deadline)
  }

  @Test func `a monitor's wait ends when the value is as wished`() throws {
    let monitor = Monitor(0)
    let thread = try ReaderThread(name: "counter") { for _ in 0..<10 { monitor.withLock { $0 += 1 } } }
    #expect(monitor.wait(for: { $0 == 10 }, then: { $0 }) == 10)
    thread.join()
  }
}
