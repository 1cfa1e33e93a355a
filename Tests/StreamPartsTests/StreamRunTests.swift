import CaptureDevice
import Dispatch
import Foundation
import Glibc
import Linux
import StreamParts
import Testing

@Suite("Stream parts: the end of a run")
struct StreamRunTests {
  private static let error = CaptureDeviceError(.disconnected, "It was unplugged; plug it in again.")

  /// Counts events, and whether the last one was a failure.
  private struct Log {
    var events = 0
    var failures = 0
  }

  private func log(_ event: StreamEvent, in log: Monitor<Log>) {
    log.withLock { log in
      log.events += 1
      if case .failed = event { log.failures += 1 }
    }
  }

  @Test func `after a stop nothing is delivered, performed or failed`() {
    let seen = Monitor(Log())
    let run = StreamRun { log($0, in: seen) }
    #expect(run.deliver(.resumed))
    #expect(run.stop())
    #expect(run.isStopping && run.isOver)
    #expect(!run.deliver(.resumed))
    #expect(!run.perform { Issue.record("A completion came after the stop.") })
    #expect(!run.fail(Self.error))
    #expect(seen.withLock { $0.events } == 1)
  }

  @Test func `a failure is the last event and comes once`() {
    let seen = Monitor(Log())
    let run = StreamRun { log($0, in: seen) }
    #expect(run.fail(Self.error))
    #expect(!run.fail(Self.error))
    #expect(!run.deliver(.resumed))
    #expect(!run.cancel(), "the failure ended the run")
    #expect(seen.withLock { $0.events } == 1 && seen.withLock { $0.failures } == 1)
  }

  @Test func `a stop waits for an event on another thread`() {
    let inside = Monitor((entered: false, mayLeave: false, left: false))
    let run = StreamRun { _ in
      inside.withLock { $0.entered = true }
      _ = inside.wait(for: { $0.mayLeave }, then: { $0.left = true })
    }
    Thread.detachNewThread { run.deliver(.resumed) }
    _ = inside.wait(for: { $0.entered }, then: { _ in })
    Thread.detachNewThread {
      // The stop has begun, and waits.
      while !run.isStopping { sched_yield() }
      inside.withLock { $0.mayLeave = true }
    }
    #expect(run.stop())
    #expect(inside.withLock { $0.left })
  }

  @Test func `inside an event a stop returns at once, and the run is over when the event is`() {
    let box = Locked<StreamRun?>(nil)
    let run = StreamRun { _ in
      let run = box.withLock { $0 }
      #expect(run?.stop() == true)
      #expect(run?.isDeliveringHere == true && run?.isOver == false)
    }
    box.withLock { $0 = run }
    #expect(run.deliver(.resumed))
    #expect(run.isOver && !run.isDeliveringHere)
    let kept = box.withLock { box in
      defer { box = nil }
      return box
    }
    withExtendedLifetime(kept) {}
  }

  @Test func `an event may bring about another one`() {
    let depth = Locked(0)
    let box = Locked<StreamRun?>(nil)
    let run = StreamRun { _ in
      let count = depth.withLock { depth in
        depth += 1
        return depth
      }
      if count < 3 { box.withLock { $0 }?.deliver(.resumed) }
    }
    box.withLock { $0 = run }
    #expect(run.deliver(.resumed))
    #expect(depth.withLock { $0 } == 3)
    #expect(run.stop())
    let kept = box.withLock { box in
      defer { box = nil }
      return box
    }
    withExtendedLifetime(kept) {}
  }

  @Test func `two threads deliver one event after the other`() {
    let inside = Locked((now: 0, most: 0, all: 0))
    let run = StreamRun { _ in
      inside.withLock { inside in
        inside.now += 1
        inside.most = max(inside.most, inside.now)
        inside.all += 1
      }
      sched_yield()
      inside.withLock { $0.now -= 1 }
    }
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<500 { run.deliver(.resumed) }
    }
    #expect(inside.withLock { $0.most } == 1 && inside.withLock { $0.all } == 2000)
  }

  @Test func `a run with a reader thread is over when that thread has finished`() throws {
    let run = StreamRun(wake: try WakeUp()) { _ in }
    #expect(run.cancel())
    #expect(!run.isOver)
    Thread.detachNewThread { run.finish() }
    #expect(run.stop())
    #expect(run.isOver)
  }

  @Test func `a reader thread that hangs does not hold the stop for ever`() throws {
    let run = StreamRun(wake: try WakeUp()) { _ in }
    #expect(!run.stop())
    #expect(!run.deliver(.resumed))
    run.finish()
    #expect(run.isOver)
  }

  @Test func `the receiver is released when the run is over and not before`() throws {
    final class Owner: Sendable {}
    var owner: Owner? = Owner()
    weak let released = owner
    let run = StreamRun(wake: try WakeUp()) { [owner] _ in withExtendedLifetime(owner) {} }
    owner = nil
    run.cancel()
    #expect(released != nil)
    run.finish()
    #expect(released == nil)
  }
}

@Suite("Stream parts: the starts of a stream")
struct StreamStartsTests {
  private let starts = StreamStarts<Int>()

  @Test func `a stream starts once, and again when its run is over`() throws {
    try starts.claim()
    let run = StreamRun { _ in }
    starts.begin(run, 1)
    #expect(throws: StreamStarts<Int>.Refusal.running) { try starts.claim() }
    #expect(starts.running == 1 && starts.unfinished === run)
    #expect(starts.stop())
    #expect(starts.unfinished == nil)
    try starts.claim()
    starts.begin(StreamRun { _ in }, 2)
    #expect(starts.latest == 2)
  }

  @Test func `a second start while one is under way is refused, and a failed one leaves nothing`() throws {
    try starts.claim()
    #expect(throws: StreamStarts<Int>.Refusal.starting) { try starts.claim() }
    starts.giveUp()
    #expect(starts.running == nil)
    try starts.claim()
  }

  @Test func `a stop that comes while the driver starts ends the run`() throws {
    try starts.claim()
    #expect(starts.stop())
    let run = StreamRun { _ in }
    starts.begin(run, 1)
    #expect(run.isStopping)
  }

  @Test func `inside an event of the stopped run a start is refused`() throws {
    try starts.claim()
    let refusals = Locked<[StreamStarts<Int>.Refusal]>([])
    let starts = starts
    let run = StreamRun { _ in
      _ = starts.stop()
      do throws(StreamStarts<Int>.Refusal) {
        try starts.claim()
      } catch {
        refusals.withLock { $0.append(error) }
      }
    }
    starts.begin(run, 1)
    run.deliver(.resumed)
    #expect(refusals.withLock { $0 } == [.ending])
    try starts.claim()
  }
}
