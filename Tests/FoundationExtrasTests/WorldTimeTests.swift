import Dispatch
import Foundation
import FoundationExtras
import Linux
import Testing
import Waiting

@Suite("The time of a world")
struct WorldTimeTests {
  private let hand = HandMovedTime()
  private let queue = DispatchQueue(label: "world-time-tests")
  private let second: Int64 = 1_000_000_000

  /// A timer that counts how often it went off.
  private func timer() -> (timer: WorldTimer, calls: Locked<Int>) {
    let calls = Locked(0)
    return (WorldTimer(on: queue, time: hand.time) { calls.withLock { $0 += 1 } }, calls)
  }

  private func count(_ calls: Locked<Int>) -> Int {
    queue.sync {}
    return calls.withLock { $0 }
  }

  @Test func `days of a time that is moved by hand begin with 2001, Greenwich time`() {
    #expect(hand.time.date == Date(timeIntervalSinceReferenceDate: 1000))
    hand.advance(seconds: 5)
    #expect(hand.time.date.timeIntervalSinceReferenceDate == 1005)
    let earlier = MonotonicInstant(nanoseconds: 3 * second)
    #expect(hand.time.date(of: earlier).timeIntervalSinceReferenceDate == 3)
  }

  @Test func `the machine's days are the wall clock's`() {
    let time = WorldTime.machine
    #expect(!time.isSimulated && hand.time.isSimulated)
    let before = Date()
    let middle = time.date
    #expect(before <= middle && middle <= Date())
    let past = time.date(of: time.now.advanced(bySeconds: -3600))
    #expect(abs(past.timeIntervalSince(before) + 3600) < 600)
  }

  @Test func `a timer goes off when its time has passed, once for each setting`() {
    let (timer, calls) = timer()
    timer.set(afterNanoseconds: second)
    hand.advance(seconds: 0.999)
    #expect(count(calls) == 0)
    hand.advance(seconds: 0.001)
    #expect(count(calls) == 1)
    hand.advance(seconds: 10)
    #expect(count(calls) == 1)
    timer.set(afterNanoseconds: 2 * second)
    hand.advance(seconds: 2)
    #expect(count(calls) == 2)
  }

  @Test func `a timer that is set anew forgets what it was set to`() {
    let (timer, calls) = timer()
    timer.set(afterNanoseconds: second)
    timer.set(afterNanoseconds: 3 * second)
    #expect(hand.plannedCount == 1)
    hand.advance(seconds: 2)
    #expect(count(calls) == 0)
    hand.advance(seconds: 1)
    #expect(count(calls) == 1)
  }

  @Test func `a timer that is cancelled, or let go of, does not go off`() {
    let (timer, calls) = timer()
    timer.set(afterNanoseconds: second)
    timer.cancel()
    var other: (timer: WorldTimer, calls: Locked<Int>)? = self.timer()
    other?.timer.set(afterNanoseconds: second)
    #expect(hand.plannedCount == 1)
    let otherCalls = other?.calls
    other = nil
    #expect(hand.plannedCount == 0)
    hand.advance(seconds: 5)
    #expect(count(calls) == 0 && otherCalls.map(count) == 0)
  }

  @Test func `a timer may set itself again from its handler`() {
    let (calls, kept) = (Locked(0), Locked<WorldTimer?>(nil))
    let timer = WorldTimer(on: queue, time: hand.time) {
      calls.withLock { $0 += 1 }
      kept.withLock { $0 }?.set(afterNanoseconds: 1_000_000_000)
    }
    kept.withLock { $0 = timer }
    timer.set(afterNanoseconds: second)
    for round in 1...3 {
      hand.advance(seconds: 1)
      #expect(count(calls) == round)
    }
    kept.withLock { $0 = nil }
  }

  @Test func `what is performed later happens once, and needs no one who keeps it`() {
    let calls = Locked(0)
    hand.time.perform(afterNanoseconds: second, on: queue) { calls.withLock { $0 += 1 } }
    hand.advance(seconds: 0.5)
    #expect(count(calls) == 0)
    hand.advance(seconds: 5)
    #expect(count(calls) == 1 && hand.plannedCount == 0)
  }

  @Test func `on the machine's clock timers go off by themselves`() {
    let (calls, timers) = (Changes(), Locked<[WorldTimer]>([]))
    let reached = Locked(0)
    let timer = WorldTimer(on: queue, time: .machine) {
      reached.withLock { $0 += 1 }
      calls.note()
    }
    timers.withLock { $0.append(timer) }
    timer.set(afterNanoseconds: 1_000_000)
    #expect(calls.wait { reached.withLock { $0 == 1 } })
    timer.set(afterNanoseconds: 1_000_000)
    #expect(calls.wait { reached.withLock { $0 == 2 } })
    WorldTime.machine.perform(afterNanoseconds: 1_000_000, on: queue) {
      reached.withLock { $0 += 1 }
      calls.note()
    }
    #expect(calls.wait { reached.withLock { $0 == 3 } })
  }

  @Test func `a wait ends with its condition, or when the world's time has passed`() async {
    let monitor = Monitor(0)
    let deadline = hand.time.now.advanced(byNanoseconds: second)
    func wait(for value: Int) async -> Bool {
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async { [hand] in
          let isReached = monitor.wait(
            until: deadline, on: hand.time, for: { $0 >= value }, then: { _ in true })
          continuation.resume(returning: isReached ?? false)
        }
      }
    }
    async let first = wait(for: 1)
    monitor.withLock { $0 = 1 }
    #expect(await first)
    async let second = wait(for: 2)
    hand.advance(seconds: 1)
    #expect(await second == false)
    // It has passed already.
    #expect(monitor.wait(until: deadline, on: hand.time, for: { $0 == 2 }, then: { _ in true }) == nil)
    #expect(monitor.wait(until: deadline, on: hand.time, for: { $0 == 1 }, then: { _ in true }) == true)
  }
}
