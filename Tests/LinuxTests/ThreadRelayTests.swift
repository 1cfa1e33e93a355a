import Foundation
import Glibc
import Linux
import Testing

@Suite("ThreadRelay")
struct ThreadRelayTests {
  /// What the steps of a relay saw.
  private struct Log {
    var threads: [pthread_t] = []
    /// Steps that began while another was under way.
    var overlaps = 0
    var isStepping = false
    var lent = 0
    var worked = 0
    var refused = 0
  }

  /// A relay that takes `count` steps a millisecond apart and asks in each to be lent.
  private static func relay(
    _ count: Int, log: Monitor<Log>, interval: Int64 = 1_000_000, work: @escaping @Sendable () -> Void = {}
  ) throws -> ThreadRelay {
    let first = MonotonicInstant.now.advanced(byNanoseconds: interval)
    return try ThreadRelay(name: "relay-test", first: first) {
      let steps = log.withLock { log in
        if log.isStepping { log.overlaps += 1 }
        log.isStepping = true
        log.threads.append(pthread_self())
        return log.threads.count
      }
      let isLent = ThreadRelay.lendThread {
        work()
        log.withLock { $0.worked += 1 }
      } orElse: {
        log.withLock { $0.refused += 1 }
      }
      log.withLock { log in
        if isLent { log.lent += 1 }
        log.isStepping = false
      }
      return steps < count ? first.advanced(byNanoseconds: Int64(steps) * interval) : nil
    }
  }

  private static func waitForSteps(_ count: Int, _ log: Monitor<Log>) -> Bool {
    let soon = MonotonicInstant.now.advanced(byNanoseconds: 20_000_000_000)
    return log.wait(until: soon) {
      $0.threads.count >= count
    } then: { _ in
      true
    } ?? false
  }

  @Test
  func `two threads take turns, and every loan is worked off or refused once`() throws {
    let log = Monitor(Log())
    let relay = try Self.relay(200, log: log)
    #expect(Self.waitForSteps(200, log))
    let soon = MonotonicInstant.now.advanced(byNanoseconds: 20_000_000_000)
    let balance: Bool? = log.wait(until: soon) {
      $0.worked + $0.refused == $0.lent
    } then: { _ in
      true
    }
    #expect(balance == true)
    let end = log.withLock { $0 }
    #expect(Set(end.threads).count == 2)
    #expect(end.overlaps == 0)
    #expect(end.worked > 0)
    relay.cancel()
  }

  @Test
  func `a borrower that does not come back does not hold up the steps`() throws {
    let log = Monitor(Log())
    let gate = Monitor(false)
    let relay = try Self.relay(100, log: log) {
      _ = gate.wait(for: { $0 }, then: { _ in })
    }
    #expect(Self.waitForSteps(100, log))
    // One thread is away, and the other takes all the steps and is not lent.
    #expect(log.withLock { $0.worked } == 0)
    #expect(log.withLock { $0.lent - $0.refused } == 1)
    gate.withLock { $0 = true }
    relay.cancel()
  }

  @Test
  func `steps that become quicker are on time although the reserve sleeps too long`() throws {
    let moments = Monitor<[MonotonicInstant]>([])
    let start = MonotonicInstant.now.advanced(byNanoseconds: 1_000_000)
    let relay = try ThreadRelay(name: "relay-test", first: start) {
      let count = moments.withLock { moments in
        moments.append(.now)
        return moments.count
      }
      _ = ThreadRelay.lendThread(to: {}, orElse: {})
      let pause: Int64 = count < 3 ? 100_000_000 : 1_000_000
      return count < 23 ? MonotonicInstant.now.advanced(byNanoseconds: pause) : nil
    }
    let soon = MonotonicInstant.now.advanced(byNanoseconds: 20_000_000_000)
    let all: [MonotonicInstant]? = moments.wait(until: soon) {
      $0.count == 23
    } then: {
      $0
    }
    let quick = try #require(all).dropFirst(3)
    // Twenty steps a millisecond apart, whoever takes them; one pause of the reserve would be a hundred.
    let gaps = zip(quick, quick.dropFirst()).map { $1.nanoseconds - $0.nanoseconds }.sorted()
    #expect(gaps[gaps.count / 2] < 50_000_000)
    relay.cancel()
  }

  @Test
  func `a thread of no relay is not lent`() {
    let isLent = ThreadRelay.lendThread(to: {}, orElse: {})
    #expect(!isLent)
  }

  @Test
  func `no step begins after the end, however far off it was`() throws {
    let log = Monitor(Log())
    let relay = try Self.relay(3, log: log, interval: 3_600_000_000_000)
    relay.cancel()
    usleep(20_000)
    #expect(log.withLock { $0.threads.isEmpty })
  }

  @Test
  func `a loan that is asked for in the last step is worked off`() throws {
    let done = Monitor(0)
    let start = MonotonicInstant.now
    let steps = Locked(0)
    let relay = try ThreadRelay(name: "relay-test", first: start) {
      let count = steps.withLock { steps in
        steps += 1
        return steps
      }
      // The second thread is there from the second step on or somewhat later.
      let isLent = ThreadRelay.lendThread(
        to: { done.withLock { $0 += 1 } }, orElse: { done.withLock { $0 += 100 } })
      if isLent, count > 20 { return nil }
      return MonotonicInstant.now.advanced(byNanoseconds: 1_000_000)
    }
    let soon = MonotonicInstant.now.advanced(byNanoseconds: 20_000_000_000)
    let before = done.withLock { $0 }
    let isDone: Bool? = done.wait(until: soon) {
      $0 > before
    } then: { _ in
      true
    }
    #expect(isDone == true)
    relay.cancel()
  }

  @Test
  func `the thread in reserve sleeps while a step takes longer than its interval`() throws {
    let steps = Monitor(0)
    let start = MonotonicInstant.now
    let relay = try ThreadRelay(name: "relay-slow", first: start) {
      let count = steps.withLock { steps in
        steps += 1
        return steps
      }
      _ = ThreadRelay.lendThread(to: {}, orElse: {})
      usleep(400_000)
      return count < 2 ? start.advanced(byNanoseconds: 1_000_000) : nil
    }
    let soon = MonotonicInstant.now.advanced(byNanoseconds: 20_000_000_000)
    let begun: Bool? = steps.wait(until: soon) {
      $0 == 2
    } then: { _ in
      true
    }
    #expect(begun == true)
    // 400 ms have passed in the first step, which sleeps; who looked again and again would have used most of them.
    #expect(try Self.processorNanoseconds(ofThreads: "relay-slow") < 100_000_000)
    relay.cancel()
  }

  /// The processor time of this process's living threads of the given name; Linux: `/proc/self/task/*/schedstat`.
  private static func processorNanoseconds(ofThreads name: String) throws -> Int64 {
    let tasks = "/proc/self/task"
    return try FileManager.default.contentsOfDirectory(atPath: tasks).reduce(0) { sum, task in
      // Other threads of the tests end at any moment.
      guard let comm = try? String(contentsOfFile: "\(tasks)/\(task)/comm", encoding: .utf8),
        comm.hasPrefix(name),
        let times = try? String(contentsOfFile: "\(tasks)/\(task)/schedstat", encoding: .utf8)
      else { return sum }
      return sum + (times.split(separator: " ").first.flatMap { Int64($0) } ?? 0)
    }
  }
}

/// Borrows by two closures.
private final class Borrower: ThreadBorrower {
  private let whenLent: @Sendable () -> Void
  private let whenRefused: @Sendable () -> Void

  init(_ whenLent: @escaping @Sendable () -> Void, _ whenRefused: @escaping @Sendable () -> Void) {
    self.whenLent = whenLent
    self.whenRefused = whenRefused
  }

  func work() { whenLent() }

  func refuse() { whenRefused() }

  func addFootprint(to footprint: inout Footprint) { footprint.add(self) }
}

extension ThreadRelay {
  fileprivate static func lendThread(
    to work: @escaping @Sendable () -> Void, orElse refuse: @escaping @Sendable () -> Void
  ) -> Bool {
    borrowThread(for: Borrower(work, refuse))
  }
}
