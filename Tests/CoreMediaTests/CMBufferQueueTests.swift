import CoreMedia
import Foundation
import FoundationExtras
import Linux
import Testing

@Suite("CMBufferQueue")
struct CMBufferQueueTests {
  private final class Packet {
    let start: Int64
    let length: Int64
    var isReady = true

    init(_ start: Int64, _ length: Int64 = 2) { (self.start, self.length) = (start, length) }
  }

  private static var byTime: CMBufferQueue.Handlers {
    CMBufferQueue.Handlers { builder in
      builder.getPresentationTimeStamp { CMTime(value: ($0 as? Packet)?.start ?? 0, timescale: 1) }
      builder.getDecodeTimeStamp { CMTime(value: (($0 as? Packet)?.start ?? 0) - 1, timescale: 1) }
      builder.getDuration { CMTime(value: ($0 as? Packet)?.length ?? 0, timescale: 1) }
      builder.isDataReady { ($0 as? Packet)?.isReady ?? false }
      builder.getSize { Int(($0 as? Packet)?.length ?? 0) * 10 }
      builder.compare { first, second in
        let order = ((first as? Packet)?.start ?? 0) - ((second as? Packet)?.start ?? 0)
        return order < 0 ? .compareLessThan : order > 0 ? .compareGreaterThan : .compareEqualTo
      }
    }
  }

  private func starts(_ queue: CMBufferQueue) -> [Int64] {
    queue.buffers.compactMap { ($0 as? Packet)?.start }
  }

  @Test("Buffers stand in the order of their times, equal ones as they came")
  func order() throws {
    let queue = try CMBufferQueue(capacity: 0, handlers: Self.byTime)
    let first = Packet(5, 1)
    let second = Packet(5, 9)
    for packet in [Packet(7), first, Packet(1), second] { try queue.enqueue(packet) }
    #expect(starts(queue) == [1, 5, 5, 7])
    #expect(queue.dequeue() as? Packet !== first)
    #expect(queue.head === first)
    #expect(queue.dequeue() === first)
    #expect(queue.dequeue() === second)
  }

  @Test("A queue without an order keeps that in which buffers came")
  func unsorted() throws {
    let handlers = Self.byTime
    let queue = try CMBufferQueue(
      capacity: 0,
      handlers: CMBufferQueue.Handlers { builder in
        builder.getDuration(handlers.getDuration)
      })
    for start in [3, 1, 2] { try queue.enqueue(Packet(Int64(start))) }
    #expect(starts(queue) == [3, 1, 2])
    #expect(!queue.minPresentationTimeStamp.isValid)
    #expect(queue.totalSize == 0)
  }

  @Test("Times, duration and size are those of all buffers")
  func sums() throws {
    let queue = try CMBufferQueue(capacity: 8, handlers: Self.byTime)
    #expect(queue.isEmpty)
    #expect(!queue.firstPresentationTimeStamp.isValid)
    for start in [10, 14, 12] { try queue.enqueue(Packet(Int64(start), start == 12 ? 9 : 2)) }
    #expect(queue.bufferCount == 3)
    #expect(queue.duration == CMTime(value: 13, timescale: 1))
    #expect(queue.minPresentationTimeStamp.value == 10)
    #expect(queue.firstDecodeTimeStamp.value == 9)
    #expect(queue.minDecodeTimeStamp.value == 9)
    #expect(queue.maxPresentationTimeStamp.value == 14)
    #expect(queue.endPresentationTimeStamp.value == 21)
    #expect(queue.totalSize == 130)
  }

  @Test("A full queue, one with an end, and a refused buffer say so and change nothing")
  func refusals() throws {
    let queue = try CMBufferQueue(capacity: 1, handlers: Self.byTime)
    try queue.enqueue(Packet(1))
    #expect(throws: CMBufferQueue.Error.queueIsFull) { try queue.enqueue(Packet(2)) }
    _ = queue.dequeue()
    queue.setValidationHandler { _, buffer in
      if (buffer as? Packet)?.start == 13 { throw CMBufferQueue.Error.invalidBuffer }
    }
    #expect(throws: CMBufferQueue.Error.invalidBuffer) { try queue.enqueue(Packet(13)) }
    try queue.markEndOfData()
    #expect(queue.isAtEndOfData)
    #expect(throws: CMBufferQueue.Error.enqueueAfterEndOfData) { try queue.enqueue(Packet(2)) }
    try queue.reset()
    #expect(!queue.containsEndOfData)
    try queue.enqueue(Packet(2))
    #expect(queue.bufferCount == 1)
  }

  @Test("A reset gives back every buffer in order")
  func reset() throws {
    let queue = try CMBufferQueue(capacity: 0, handlers: Self.byTime)
    for start in [2, 1] { try queue.enqueue(Packet(Int64(start))) }
    var given: [Int64] = []
    try queue.reset { given.append(($0 as? Packet)?.start ?? 0) }
    #expect(given == [1, 2])
    #expect(queue.isEmpty)
  }

  @Test("Only a buffer whose data is there is taken where that is asked for")
  func readiness() throws {
    let queue = try CMBufferQueue(capacity: 0, handlers: Self.byTime)
    let packet = Packet(1)
    packet.isReady = false
    try queue.enqueue(packet)
    #expect(queue.dequeueIfDataReady() == nil)
    packet.isReady = true
    #expect(queue.dequeueIfDataReady() === packet)
  }

  @Test("A trigger fires when its condition becomes true, not while it stays so, and not once it is removed")
  func triggers() throws {
    let queue = try CMBufferQueue(capacity: 0, handlers: Self.byTime)
    let calls = Locked<[String]>([])
    func note(_ what: String) -> CMBufferQueueTriggerHandler { { _ in calls.withLock { $0.append(what) } } }
    let long = try queue.installTrigger(
      condition: .whenDurationBecomesGreaterThanOrEqualTo(CMTime(value: 4, timescale: 1)), note("long"))
    _ = try queue.installTrigger(condition: .whenBufferCountBecomesLessThan(2), note("few"))
    _ = try queue.installTrigger(condition: .whenMaxPresentationTimeStampChanges, note("latest"))
    _ = try queue.installTrigger(condition: .whenEndOfDataReached, note("end"))
    _ = try queue.installTrigger(condition: .whenReset, note("reset"))
    try queue.enqueue(Packet(1))
    try queue.enqueue(Packet(2))
    #expect(queue.testTrigger(long))
    try queue.enqueue(Packet(0))
    #expect(calls.withLock { $0 } == ["latest", "long", "latest"])
    calls.withLock { $0 = [] }
    try queue.removeTrigger(long)
    #expect(throws: CMBufferQueue.Error.invalidTriggerToken) { try queue.removeTrigger(long) }
    _ = queue.dequeue()
    _ = queue.dequeue()
    try queue.markEndOfData()
    _ = queue.dequeue()
    try queue.reset()
    #expect(calls.withLock { $0 } == ["few", "latest", "end", "reset"])
    #expect(throws: CMBufferQueue.Error.badTriggerDuration) {
      try queue.installTrigger(condition: .whenDurationBecomesLessThan(.invalid))
    }
  }

  @Test("A trigger may change its queue")
  func reentry() throws {
    let queue = try CMBufferQueue(capacity: 0, handlers: Self.byTime)
    _ = try queue.installTrigger(condition: .whenBufferCountBecomesGreaterThan(1)) { _ in
      _ = queue.dequeue()
    }
    for start in 1...5 { try queue.enqueue(Packet(Int64(start))) }
    #expect(starts(queue) == [5])
  }

  @Test("Threads lose no buffer and get none twice")
  func threads() throws {
    let queue = try CMBufferQueue(capacity: 0, handlers: Self.byTime)
    DispatchQueue.concurrentPerform(iterations: 4) { lane in
      for index in 0..<250 { try? queue.enqueue(Packet(Int64(lane * 250 + index))) }
    }
    #expect(starts(queue) == Array(0..<1000))
    let taken = Locked<[Int64]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      while let packet = queue.dequeue() as? Packet { taken.withLock { $0.append(packet.start) } }
    }
    #expect(taken.withLock { $0.sorted() } == Array(0..<1000))
  }

  @Test("Sample buffers are known by themselves, and said to be ready when they become so")
  func samples() throws {
    let queue = try CMBufferQueue(capacity: 0, handlers: .outputPTSSortedSampleBuffers)
    func sample(_ time: Int64, ready: Bool) throws -> CMSampleBuffer {
      try CMSampleBuffer(
        dataBuffer: nil, dataReady: ready, formatDescription: nil, numSamples: 1,
        sampleTimings: [
          CMSampleTimingInfo(
            duration: CMTime(value: 1, timescale: 30),
            presentationTimeStamp: CMTime(value: time, timescale: 30), decodeTimeStamp: .invalid)
        ], sampleSizes: [0], makeDataReadyHandler: { _ in noErr })
    }
    let late = try sample(2, ready: true)
    let early = try sample(1, ready: false)
    let calls = Locked(0)
    _ = try queue.installTrigger(condition: .whenDataBecomesReady) { _ in calls.withLock { $0 += 1 } }
    try queue.enqueue(early)
    try queue.enqueue(late)
    #expect(queue.duration == CMTime(value: 2, timescale: 30))
    #expect(queue.head === early)
    #expect(calls.withLock { $0 } == 0)
    #expect(CMSampleBufferSetDataReady(early) == noErr)
    #expect(calls.withLock { $0 } == 1)
  }
}
