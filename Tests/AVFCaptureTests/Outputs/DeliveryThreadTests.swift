import AVFCapture
import CaptureDevice
import CaptureDeviceTesting
import CoreVideo
import Dispatch
import Foundation
import Linux
import Testing

/// A connection's stand-in.
private final class FakeRoute: DeliveryRoute {}

/// What one callback saw of where it runs.
private struct Place: Sendable {
  var sequence: UInt32
  var thread: String
  var isOnQueue: Bool
}

/// A client that notes where it is called; `then` runs inside each callback.
private final class NotingClient: Sendable {
  private static let key = DispatchSpecificKey<ObjectIdentifier>()

  let queue: DispatchQueue
  private let places = Monitor<[Place]>([])
  private let then: @Sendable (UInt32) -> Void

  init(_ queue: DispatchQueue, then: @escaping @Sendable (UInt32) -> Void = { _ in }) {
    self.queue = queue
    self.then = then
    queue.setSpecific(key: Self.key, value: ObjectIdentifier(queue))
  }

  var client: FrameDelivery.Client {
    FrameDelivery.Client(
      queue: queue,
      deliver: { [self] frame, _ in
        dispatchPrecondition(condition: .onQueue(queue))
        let isOnQueue = DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(queue)
        then(frame.sequence)
        let place = Place(sequence: frame.sequence, thread: threadName(), isOnQueue: isOnQueue)
        places.withLock { $0.append(place) }
        return true
      },
      lose: { _, _ in })
  }

  var calls: [Place] { places.withLock { $0 } }

  /// Waits for a callback for frame `sequence`; `false` when none comes within half a minute.
  func waitForFrame(_ sequence: UInt32) -> Bool {
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
    return places.wait(
      until: deadline, for: { $0.contains { $0.sequence == sequence } }, then: { _ in true }) == true
  }
}

private func threadName() -> String {
  (try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8))?
    .trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
}

private func frame(_ sequence: UInt32) throws -> CapturedFrame {
  CapturedFrame(
    picture: .pixels(
      try emptyPicture(width: 16, height: 16, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)),
    timestamp: MonotonicInstant(nanoseconds: Int64(sequence)), sequence: sequence)
}

@Suite("FrameDelivery: the thread that calls a client")
struct DeliveryThreadTests {
  private let delivery = FrameDelivery()
  private let route = FakeRoute()

  /// Offers `frames` one by one, each after the client has had the one before.
  private func deliver(_ frames: Range<UInt32>, to client: NotingClient) throws {
    for sequence in frames {
      delivery.offer(try frame(sequence), over: route, conversion: nil)
      try #require(client.waitForFrame(sequence))
      // The callback's own end is settled a moment later; a frame that comes before is late, as it should be.
      try #require(eventually { delivery.statistics.pending == 0 })
    }
  }

  @Test(arguments: [false, true])
  func `takes over once the queue has come around, and calls on the queue`(isConcurrent: Bool) throws {
    let client = NotingClient(
      DispatchQueue(label: "thread.here", attributes: isConcurrent ? .concurrent : []))
    delivery.setClient(client.client)
    try deliver(0..<20, to: client)
    #expect(client.calls.map(\.sequence) == Array(0..<20))
    #expect(!client.calls.map(\.isOnQueue).contains(false))
    #expect(client.calls[0].thread != "thread.here", "nobody knows yet whether the queue comes around")
    #expect(client.calls[19].thread == "thread.here")
    #expect(delivery.statistics.delivered == 20)
  }

  @Test func `waits its turn behind the client's own work on the queue`() throws {
    let client = NotingClient(DispatchQueue(label: "thread.turn"))
    delivery.setClient(client.client)
    try deliver(0..<8, to: client)
    let mayGo = Monitor(false)
    client.queue.async { mayGo.wait(for: { $0 }, then: { _ in }) }
    delivery.offer(try frame(8), over: route, conversion: nil)
    delivery.offer(try frame(9), over: route, conversion: nil)
    #expect(!client.calls.contains { $0.sequence >= 8 })
    mayGo.withLock { $0 = true }
    #expect(client.waitForFrame(9), "the newest of those that wait")
    #expect(delivery.statistics.late == 1)
  }

  @Test func `goes on after the client's queue targets another queue`() throws {
    let target = DispatchQueue(label: "target")
    let client = NotingClient(DispatchQueue(label: "thread.targets", target: target))
    delivery.setClient(client.client)
    try deliver(0..<10, to: client)
    #expect(!client.calls.map(\.isOnQueue).contains(false))
    #expect(client.calls[9].thread == "thread.targets")
  }

  @Test func `is not there for queues that end on the main queue`() throws {
    let client = NotingClient(DispatchQueue(label: "thread.main", target: .main))
    delivery.setClient(client.client)
    for sequence in UInt32(0)..<10 {
      delivery.offer(try frame(sequence), over: route, conversion: nil)
      // A main queue that nobody drains brings no calls; it must not bring a thread either.
      guard client.waitForFrame(sequence) else { break }
    }
    #expect(!client.calls.map(\.thread).contains("thread.main"))
    delivery.flush()
    #expect(delivery.statistics.pending == 0 || eventually { delivery.statistics.pending == 0 })
  }

  @Test
  func `waits with its call while the queue is suspended, without a frame, and ends when it is resumed`()
    throws
  {
    weak var released: NotingClient?
    let queue = DispatchQueue(label: "thread.stopped")
    do {
      let client = NotingClient(queue)
      released = client
      delivery.setClient(client.client)
      try deliver(0..<10, to: client)
      queue.suspend()
      for sequence in UInt32(10)..<20 { delivery.offer(try frame(sequence), over: route, conversion: nil) }
      #expect(client.calls.count == 10)
    }
    // As stopRunning and setSampleBufferDelegate(nil, queue: nil) do; neither may wait for the queue.
    delivery.flush()
    delivery.setClient(nil)
    let statistics = delivery.statistics
    #expect(statistics.captured == 20)
    #expect(statistics.captured == statistics.delivered + statistics.dropped)
    #expect(statistics.pending == 0)
    queue.resume()
    #expect(eventually { released == nil }, "the thread let go of the client")
    #expect(delivery.statistics == statistics)
  }

  @Test func `ends with the delivery`() throws {
    weak var released: NotingClient?
    do {
      let delivery = FrameDelivery()
      let client = NotingClient(DispatchQueue(label: "thread.ends"))
      released = client
      delivery.setClient(client.client)
      for sequence in UInt32(0)..<10 {
        delivery.offer(try frame(sequence), over: route, conversion: nil)
        try #require(client.waitForFrame(sequence))
        try #require(eventually { delivery.statistics.pending == 0 })
      }
    }
    #expect(eventually { released == nil })
  }

  @Test func `a run may end inside its callback, and another may follow`() throws {
    let delivery = delivery
    let client = NotingClient(DispatchQueue(label: "thread.again")) { sequence in
      if sequence == 9 { delivery.flush() }
    }
    delivery.setClient(client.client)
    try deliver(0..<20, to: client)
    #expect(client.calls.map(\.sequence) == Array(0..<20))
    #expect(client.calls[9].thread == "thread.again")
    #expect(client.calls[19].thread == "thread.again", "the next run has a thread, too")
    delivery.setClient(nil)
  }
}
