import CoreMedia
import Dispatch
import Foundation
import FoundationExtras
import Linux
import Testing

/// A clock that a test moves.
private final class Hand: Sendable {
  let clock: CMClock
  private let nanoseconds: Locked<Int64>

  init() {
    let nanoseconds = Locked<Int64>(0)
    self.nanoseconds = nanoseconds
    clock = CMClock(name: "hand", movesByHand: true) {
      MonotonicInstant(nanoseconds: nanoseconds.withLock { $0 })
    }
  }

  func move(seconds: Double) {
    nanoseconds.withLock { $0 += Int64(seconds * 1e9) }
    clock.timeHasJumped()
  }
}

private func seconds(_ value: Double) -> CMTime { CMTime(seconds: value, preferredTimescale: 1_000_000_000) }

@Suite struct `Clocks` {
  @Test func `the host clock is the monotonic clock`() {
    let before = MonotonicInstant.now.nanoseconds
    let time = CMClockGetTime(CMClockGetHostTimeClock())
    let after = MonotonicInstant.now.nanoseconds
    #expect(time.timescale == CMTimeScale(NSEC_PER_SEC))
    #expect((before...after).contains(time.value))
    #expect(CMClockConvertHostTimeToSystemUnits(time) == UInt64(time.value))
    #expect(CMClock.convertSystemUnitsToHostTime(5_000).seconds == 5e-6)
  }

  @Test func `clocks drift unless they are one`() throws {
    let hand = Hand()
    #expect(hand.clock.mightDrift(relativeTo: .hostTimeClock))
    #expect(!CMClock.hostTimeClock.mightDrift(relativeTo: CMClock.hostTimeClock))
    hand.move(seconds: 3)
    #expect(try hand.clock.anchorTime().anchorTime == seconds(3))
    hand.clock.invalidate()
    #expect(throws: CMClock.Error.invalidParameter) { try hand.clock.anchorTime() }
    #expect(hand.clock.time == seconds(3))
  }
}

@Suite struct `Timebases` {
  @Test func `a timebase stands until it is given a rate, and keeps its time when that changes`() throws {
    let hand = Hand()
    let timebase = try CMTimebase(sourceClock: hand.clock)
    hand.move(seconds: 2)
    #expect(timebase.time == .zero)
    try timebase.setRate(1)
    hand.move(seconds: 3)
    #expect(timebase.time == seconds(3))
    try timebase.setRate(0.5)
    hand.move(seconds: 4)
    #expect(timebase.time == seconds(5))
    try timebase.setRate(-2)
    hand.move(seconds: 1)
    #expect(timebase.time == seconds(3))
    try timebase.setTime(seconds(100))
    hand.move(seconds: 1)
    #expect(timebase.time == seconds(98))
    #expect(throws: CMTimebase.Error.invalidParameter) { try timebase.setRate(.nan) }
    #expect(throws: CMTimebase.Error.invalidParameter) { try timebase.setTime(.indefinite) }
  }

  @Test func `anchors fix a moment of the source`() throws {
    let hand = Hand()
    let timebase = try CMTimebase(sourceClock: hand.clock)
    try timebase.setRateAndAnchorTime(rate: 2, anchorTime: seconds(10), referenceTime: seconds(5))
    #expect(timebase.time == .zero)
    hand.move(seconds: 5)
    #expect(timebase.time == seconds(10))
    try timebase.setAnchorTime(seconds(0), referenceTime: seconds(5))
    #expect(timebase.timeAndRate.time == .zero)
    #expect(timebase.timeAndRate.rate == 2)
  }

  @Test func `timebases stack`() throws {
    let hand = Hand()
    let lower = try CMTimebase(sourceClock: hand.clock)
    let upper = try CMTimebase(sourceTimebase: lower)
    try lower.setRate(2)
    try upper.setRate(3)
    #expect(upper.effectiveRate == 6)
    #expect(upper.ultimateSourceClock === hand.clock)
    #expect(upper.sourceTimebase === lower)
    #expect(upper.sourceClock == nil)
    hand.move(seconds: 1)
    #expect(lower.time == seconds(2))
    #expect(upper.time == seconds(6))
    #expect(CMTimebaseSetSourceTimebase(lower, newSourceTimebase: upper) == kCMTimebaseError_InvalidParameter)
    #expect(CMTimebaseSetSourceClock(upper, newSourceClock: hand.clock) == noErr)
    #expect(upper.time == seconds(6))
    hand.move(seconds: 1)
    #expect(upper.time == seconds(9))
  }

  @Test func `times convert both ways, along what is shared`() throws {
    let hand = Hand()
    hand.move(seconds: 1000)
    let lower = try CMTimebase(sourceClock: hand.clock)
    let one = try CMTimebase(sourceTimebase: lower)
    let other = try CMTimebase(sourceTimebase: lower)
    try lower.setRate(1)
    try one.setRateAndAnchorTime(rate: 2, anchorTime: seconds(10), referenceTime: .zero)
    try other.setRateAndAnchorTime(rate: 4, anchorTime: seconds(0), referenceTime: seconds(1))
    #expect(one.convertTime(seconds(16), to: other) == seconds(8))
    #expect(other.convertTime(seconds(8), to: one) == seconds(16))
    #expect(one.convertTime(seconds(16), to: hand.clock) == seconds(1003))
    #expect(one.rate(relativeTo: other) == 0.5)
    let anchor = try one.rateAndAnchorTime(relativeTo: other)
    #expect(other.convertTime(anchor.referenceTime, to: one) == anchor.anchorTime)
    #expect(!one.mightDrift(relativeTo: other))
    #expect(one.mightDrift(relativeTo: CMClock.hostTimeClock))
    #expect(!CMSyncConvertTime(.zero, from: one, to: Counter()).isValid)
    try other.setRate(0)
    #expect(!other.convertTime(.zero, to: one).isValid)
    #expect(throws: CMSync.Error.rateMustBeNonZero) { try one.rateAndAnchorTime(relativeTo: other) }
  }

  @Test func `changes are announced, with their time`() throws {
    let hand = Hand()
    let timebase = try CMTimebase(sourceClock: hand.clock)
    let (rates, jumps) = (Counter(), Counter())
    let center = NotificationCenter.default
    let observers = [
      center.addObserver(forName: CMTimebase.effectiveRateChanged, object: timebase, queue: nil) { note in
        let time = note.userInfo?[CMTimebase.NotificationKey.eventTime.rawValue] as? CFDictionary
        if CMTimeMakeFromDictionary(time).isValid { rates.increment() }
      },
      center.addObserver(forName: CMTimebase.timeJumped, object: timebase, queue: nil) { _ in
        jumps.increment()
      },
    ]
    defer { observers.forEach(center.removeObserver) }
    try timebase.setRate(1)
    try timebase.setRate(1)
    #expect(rates.value == 1)
    #expect(jumps.value == 0)
    try timebase.setTime(seconds(9))
    #expect(jumps.value == 1)
  }

  @Test func `timers fire by the timebase's time, once for each time set`() async throws {
    let hand = Hand()
    let timebase = try CMTimebase(sourceClock: hand.clock)
    try timebase.setRate(2)
    let queue = DispatchQueue(label: "timer")
    let timer = DispatchSource.makeTimerSource(queue: queue)
    let fired = Counter()
    let semaphore = DispatchSemaphore(value: 0)
    timer.setEventHandler {
      fired.increment()
      semaphore.signal()
    }
    try timebase.addTimer(timer)
    timer.resume()
    try timebase.setTimerNextFireTime(timer, fireTime: seconds(4))
    hand.move(seconds: 1)
    queue.sync {}
    #expect(fired.value == 0)
    hand.move(seconds: 1)
    #expect(semaphore.wait(timeout: .now() + 60) == .success)
    hand.move(seconds: 5)
    queue.sync {}
    #expect(fired.value == 1)
    try timebase.setTimerToFireImmediately(timer)
    #expect(semaphore.wait(timeout: .now() + 60) == .success)
    try timebase.removeTimer(timer)
    #expect(throws: CMTimebase.Error.invalidParameter) {
      try timebase.setTimerNextFireTime(timer, fireTime: .zero)
    }
    timer.cancel()
  }

  @Test func `timers on the host clock wait for it`() throws {
    let timebase = try CMTimebase(sourceClock: .hostTimeClock)
    let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "timer"))
    let semaphore = DispatchSemaphore(value: 0)
    timer.setEventHandler { semaphore.signal() }
    try timebase.addTimer(timer)
    timer.resume()
    try timebase.setTimerNextFireTime(timer, fireTime: seconds(0.02))
    #expect(semaphore.wait(timeout: .now() + 0.05) == .timedOut, "it stands")
    try timebase.setRate(1)
    #expect(semaphore.wait(timeout: .now() + 60) == .success)
    #expect(timebase.time >= seconds(0.02))
    timer.cancel()
  }
}

@Suite struct `Simple queues` {
  @Test func `elements come out in order and no more go in than fit`() throws {
    let queue = try CMSimpleQueue(capacity: 2)
    let elements = try (1...3).map { try #require(UnsafeRawPointer(bitPattern: $0 * 16)) }
    try queue.enqueue(elements[0])
    try queue.enqueue(elements[1])
    #expect(throws: CMSimpleQueue.Error.queueIsFull) { try queue.enqueue(elements[2]) }
    #expect(queue.fullness == 1)
    #expect(queue.head == elements[0])
    #expect(queue.dequeue() == elements[0])
    try queue.enqueue(elements[2])
    #expect([queue.dequeue(), queue.dequeue(), queue.dequeue()] == [elements[1], elements[2], nil])
    #expect(throws: CMSimpleQueue.Error.parameterOutOfRange) { try CMSimpleQueue(capacity: 0) }
  }
}

@Suite struct `Boxed times` {
  @Test func `NSValue gives back what it was given`() {
    let time = CMTimeMakeWithEpoch(value: 1001, timescale: 30000, epoch: 3)
    #expect(NSValue(time: time).timeValue == time)
    #expect(NSValue(time: time).timeValue.epoch == 3)
    let range = CMTimeRange(start: .zero, duration: CMTime(value: 5, timescale: 2))
    #expect(NSValue(timeRange: range).timeRangeValue == range)
    let mapping = CMTimeMapping(source: range, target: .zero)
    #expect(NSValue(timeMapping: mapping).timeMappingValue == mapping)
    #expect(!NSValue(timeRange: range).timeValue.isValid)
    #expect(NSValue(time: time) == NSValue(time: time))
  }
}
