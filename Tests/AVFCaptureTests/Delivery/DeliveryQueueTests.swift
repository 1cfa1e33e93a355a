import AVFCapture
import CaptureDevice
import CaptureDeviceTesting
import CoreVideo
import Dispatch
import Foundation
import Linux
import Testing

/// A connection's stand-in.
private final class FakeRoute: DeliveryRoute {
  let lifetime = RouteLifetime()
  var isEnded: Bool { lifetime.isEnded }
}

/// A route that another thread ends right after it was asked for the first time.
private final class EndingRoute: DeliveryRoute {
  private let wasAsked = Locked(false)

  var isEnded: Bool {
    wasAsked.withLock { wasAsked in
      defer { wasAsked = true }
      return wasAsked
    }
  }
}

private typealias Queue = DeliveryQueue<CapturedFrame, FakeRoute>

/// What a client heard.
private enum Heard: Hashable {
  case frame(UInt32)
  case loss(UInt32, LostSample.Reason)
}

/// A client whose queue can be held up before it begins and inside its callback.
private final class FakeClient: Sendable {
  let queue = DispatchQueue(label: "fake client")
  let heard = Locked<[Heard]>([])
  let isBusy = Monitor(false)
  let mayGo = Monitor(true)
  let wants = Locked(true)

  var client: Queue.Client {
    Queue.Client(
      queue: queue,
      deliver: { [self] call in
        guard wants.withLock({ $0 }) else { return .unwanted }
        return call.begin {
          dispatchPrecondition(condition: .onQueue(queue))
          heard.withLock { $0.append(.frame(call.sample.sequence)) }
          isBusy.withLock { $0 = true }
          mayGo.wait(for: { $0 }, then: { _ in })
          isBusy.withLock { $0 = false }
        }
      },
      lose: { [self] frame, _ in heard.withLock { $0.append(.loss(frame.sequence, frame.reason)) } })
  }

  func waitUntilBusy() {
    isBusy.wait(for: { $0 }, then: { _ in })
  }

  var events: [Heard] { heard.withLock { $0 } }
}

private func frame(_ sequence: UInt32, token: (any AnyObject & Sendable)? = nil) throws -> CapturedFrame {
  CapturedFrame(
    picture: .pixels(
      try emptyPicture(width: 16, height: 16, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)),
    timestamp: MonotonicInstant(nanoseconds: Int64(sequence)), sequence: sequence,
    inFlight: token)
}

private func drop(_ sequence: UInt32, _ reason: DropReason = .outOfBuffers) -> DroppedFrame {
  DroppedFrame(sequence: sequence, timestamp: MonotonicInstant(nanoseconds: Int64(sequence)), reason: reason)
}

@Suite("DeliveryQueue: from the reader thread to the client")
struct DeliveryQueueTests {
  private let client = FakeClient()
  private let route = FakeRoute()
  private let delivery = Queue()

  private func offer(_ sequence: UInt32) throws {
    delivery.offer(try frame(sequence), over: route)
  }

  /// Waits until nothing is under way.
  private func settle() {
    settle([client])
  }

  private func settle(_ clients: [FakeClient]) {
    let isSettled = eventually {
      for client in clients { client.queue.sync {} }
      return delivery.statistics.pending == 0
    }
    #expect(isSettled)
    for client in clients { client.queue.sync {} }
  }

  @Test func `frames and losses arrive in the order of capture`() throws {
    delivery.policy = .keepAll
    delivery.setClient(client.client)
    try offer(0)
    delivery.offer(drop(1), over: route)
    try offer(2)
    delivery.offer(drop(3, .discontinuity), over: route)
    try offer(4)
    settle()
    #expect(
      client.events == [.frame(0), .loss(1, .outOfBuffers), .frame(2), .loss(3, .discontinuity), .frame(4)])
  }

  @Test func `a frame that comes while the client is busy is late`() throws {
    delivery.setClient(client.client)
    client.mayGo.withLock { $0 = false }
    try offer(0)
    client.waitUntilBusy()
    try offer(1)
    try offer(2)
    client.mayGo.withLock { $0 = true }
    settle()
    try offer(3)
    settle()
    #expect(client.events == [.frame(0), .loss(1, .late), .loss(2, .late), .frame(3)])
    #expect(delivery.statistics.late == 2)
  }

  @Test func `of frames that wait for a blocked queue only the newest is delivered`() throws {
    delivery.setClient(client.client)
    client.queue.suspend()
    for sequence in 0..<4 { try offer(UInt32(sequence)) }
    client.queue.resume()
    settle()
    #expect(client.events == [.loss(0, .late), .loss(1, .late), .loss(2, .late), .frame(3)])
  }

  @Test func `frames that may wait all arrive`() throws {
    delivery.policy = .keepAll
    delivery.setClient(client.client)
    client.queue.suspend()
    for sequence in 0..<10 { try offer(UInt32(sequence)) }
    client.queue.resume()
    settle()
    #expect(client.events == (0..<10).map { .frame($0) })
  }

  @Test func `a late frame gives its buffer back at once, and its token after it was told`() throws {
    final class Token: Sendable {}
    delivery.setClient(client.client)
    client.queue.suspend()
    weak var buffer: CVPixelBuffer?
    weak var token: Token?
    do {
      let strongToken = Token()
      let late = try frame(0, token: strongToken)
      token = strongToken
      if case .pixels(let pixels) = late.picture { buffer = pixels }
      delivery.offer(late, over: route)
    }
    #expect(buffer != nil)
    try offer(1)
    #expect(buffer == nil)
    #expect(token != nil)
    client.queue.resume()
    settle()
    #expect(token == nil)
  }

  @Test func `without a client every frame is unwanted`() throws {
    try offer(0)
    delivery.offer(drop(1), over: route)
    #expect(delivery.statistics.captured == 2)
    #expect(delivery.statistics.unwanted == 2)
  }

  @Test func `nothing that waited is delivered after the client has gone`() throws {
    delivery.policy = .keepAll
    delivery.setClient(client.client)
    client.queue.suspend()
    for sequence in 0..<3 { try offer(UInt32(sequence)) }
    delivery.setClient(nil)
    client.queue.resume()
    client.queue.sync {}
    #expect(client.events.isEmpty)
    #expect(delivery.statistics.discontinuities == 3)
    #expect(delivery.statistics.pending == 0)
  }

  @Test func `nothing that waited is delivered after its route has ended, and other routes go on`() throws {
    delivery.policy = .keepAll
    delivery.setClient(client.client)
    client.queue.suspend()
    try offer(0)
    delivery.offer(drop(1), over: route)
    let next = FakeRoute()
    delivery.offer(try frame(2), over: next)
    route.lifetime.end()
    try offer(3)
    client.queue.resume()
    settle()
    #expect(client.events == [.frame(2)])
    let statistics = delivery.statistics
    #expect(statistics.captured == 4 && statistics.delivered == 1)
    #expect(statistics.discontinuities == 2 && statistics.outOfBuffers == 1)
  }

  @Test func `a frame of an ended route that a newer one replaces is a discontinuity, not late`() throws {
    delivery.setClient(client.client)
    client.queue.suspend()
    try offer(0)
    route.lifetime.end()
    let next = FakeRoute()
    delivery.offer(try frame(1), over: next)
    client.queue.resume()
    settle()
    #expect(client.events == [.frame(1)])
    #expect(delivery.statistics.discontinuities == 1)
  }

  @Test func `a frame whose route ends while it is prepared is a discontinuity`() throws {
    delivery.setClient(client.client)
    let lifetime = route.lifetime
    delivery.offer(try frame(0), over: route) { frame in
      lifetime.end()
      return frame
    }
    settle()
    #expect(client.events.isEmpty)
    #expect(delivery.statistics.discontinuities == 1)
  }

  @Test func `a frame whose route ends between its turn and the call is a discontinuity`() throws {
    let lifetime = route.lifetime
    let calls = Locked(0)
    delivery.setClient(
      Queue.Client(queue: client.queue) { call in
        // What an output does before it calls: making a sample of the frame.
        lifetime.end()
        return call.begin { calls.withLock { $0 += 1 } }
      })
    try offer(0)
    settle()
    #expect(calls.withLock { $0 } == 0)
    #expect(delivery.statistics.discontinuities == 1)
  }

  @Test func `a frame whose client is replaced between its turn and the call is a discontinuity`() throws {
    let calls = Locked(0)
    delivery.setClient(
      Queue.Client(queue: client.queue) { [delivery] call in
        delivery.setClient(nil)
        return call.begin { calls.withLock { $0 += 1 } }
      })
    try offer(0)
    settle()
    #expect(calls.withLock { $0 } == 0)
    #expect(delivery.statistics.discontinuities == 1)
  }

  @Test func `the newest frame waits for a busy client, where that is the policy`() throws {
    delivery.policy = .keepNewest
    delivery.setClient(client.client)
    client.mayGo.withLock { $0 = false }
    try offer(0)
    client.waitUntilBusy()
    try offer(1)
    try offer(2)
    client.mayGo.withLock { $0 = true }
    settle()
    #expect(client.events == [.frame(0), .loss(1, .late), .frame(2)])
  }

  @Test func `a client is let go of, though its queue is suspended`() throws {
    weak var released: FakeClient?
    let queue: DispatchQueue
    do {
      let client = FakeClient()
      released = client
      queue = client.queue
      delivery.setClient(client.client)
      queue.suspend()
      for sequence in 0..<10 { try offer(UInt32(sequence)) }
    }
    delivery.setClient(nil)
    #expect(delivery.statistics.pending == 0)
    queue.resume()
    queue.sync {}
    #expect(released == nil)
  }

  @Test func `the client may leave from inside its callback`() throws {
    let queue = DispatchQueue(label: "leaving client")
    let heard = Locked<[UInt32]>([])
    delivery.policy = .keepAll
    delivery.setClient(
      Queue.Client(queue: queue) { [delivery] call in
        call.begin {
          heard.withLock { $0.append(call.sample.sequence) }
          delivery.setClient(nil)
        }
      })
    queue.suspend()
    try offer(0)
    try offer(1)
    queue.resume()
    queue.sync {}
    queue.sync {}
    #expect(heard.withLock { $0 } == [0])
    #expect(delivery.statistics.delivered == 1)
    #expect(delivery.statistics.discontinuities == 1)
  }

  @Test func `converted frames stay in order with losses and unconverted ones`() throws {
    delivery.policy = .keepAll
    delivery.setClient(client.client)
    let preparation: Queue.Preparation = { frame throws(LostSample.Reason) in
      usleep(1000)
      guard frame.sequence != 3 else { throw .discontinuity }
      return frame
    }
    for sequence in UInt32(0)..<3 {
      delivery.offer(try frame(sequence), over: route, preparation: preparation)
    }
    delivery.offer(try frame(3), over: route, preparation: preparation)
    delivery.offer(drop(4), over: route)
    delivery.offer(try frame(5), over: route)
    settle()
    #expect(
      client.events == [
        .frame(0), .frame(1), .frame(2), .loss(3, .discontinuity), .loss(4, .outOfBuffers), .frame(5),
      ])
  }

  @Test func `a slow client stops the conversion instead of piling up converted frames`() throws {
    delivery.policy = .keepAll
    delivery.setClient(client.client)
    client.queue.suspend()
    let converted = Locked(0)
    for sequence in UInt32(0)..<12 {
      delivery.offer(
        try frame(sequence), over: route,
        preparation: { frame in
          converted.withLock { $0 += 1 }
          return frame
        })
    }
    usleep(50_000)
    #expect(converted.withLock { $0 } <= 4)
    client.queue.resume()
    settle()
    #expect(client.events == (0..<12).map { .frame($0) })
  }

  @Test func `losses before a client that is blocked for good do not pile up`() throws {
    delivery.setClient(client.client)
    client.queue.suspend()
    for sequence in UInt32(0)..<1000 { delivery.offer(drop(sequence), over: route) }
    #expect(delivery.statistics.pending == 256)
    client.queue.resume()
    settle()
    #expect(delivery.statistics.outOfBuffers == 1000)
    #expect(client.events.count == 256)
  }

  @Test(arguments: [LatePolicy.dropWhileBusy, .keepNewest, .keepAll])
  func `captured is delivered plus dropped, whatever happens`(policy: LatePolicy) throws {
    delivery.policy = policy
    let clients = [FakeClient(), FakeClient()]
    var random = SeededGenerator(seed: 7)
    for sequence in UInt32(0)..<3000 {
      switch random.next() % 40 {
      case 0: delivery.setClient(nil)
      case 1...4: delivery.setClient(clients[Int(random.next() % 2)].client)
      case 5: delivery.flush()
      case 6...9: delivery.offer(drop(sequence, .discontinuity), over: route)
      case 10...20:
        delivery.offer(
          try frame(sequence), over: route,
          preparation: { frame throws(LostSample.Reason) in
            guard frame.sequence % 5 != 0 else { throw .discontinuity }
            return frame
          })
      default: try offer(sequence)
      }
      if random.next() % 4 == 0 { clients[0].queue.sync {} }
    }
    settle(clients)
    let statistics = delivery.statistics
    #expect(statistics.captured == statistics.delivered + statistics.dropped)
    #expect(statistics.captured > 2000)
    let heard = clients.flatMap(\.events)
    let delivered = heard.count { if case .frame = $0 { true } else { false } }
    #expect(statistics.delivered == delivered)
    #expect(Set(heard).count == heard.count)
  }

  @Test func `a route that ends while a sample is counted leaves nothing pending`() throws {
    let delivery = DeliveryQueue<CapturedFrame, EndingRoute>()
    delivery.setClient(.init(queue: client.queue) { call in call.begin {} })
    delivery.offer(try frame(1), over: EndingRoute())
    #expect(eventually { delivery.statistics.pending == 0 })
    #expect(delivery.statistics.captured == 1 && delivery.statistics.dropped == 1)
  }
}
