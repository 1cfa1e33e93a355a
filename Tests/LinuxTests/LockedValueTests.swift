import Linux
import Testing

@Suite("Locked values and sleep")
struct LockedValueTests {
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
}
