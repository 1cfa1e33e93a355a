import AVFCapture
import CaptureDevice
import CaptureDeviceTesting
import CoreVideo
import Dispatch
import Foundation
import Linux
import SeededNumbers
import Testing
import Waiting

@Suite("DeliveryQueue: from the reader thread to the client")
struct DeliveryQueueTests {
  let client = FakeClient()
  let route = FakeRoute()
  let preparations = DispatchQueue(label: "fake preparations")
  let delivery: FakeDelivery

  init() {
    delivery = FakeDelivery(preparationQueue: preparations)
  }

  func offer(_ sequence: UInt32) throws {
    delivery.offer(try CapturedFrame.fake(sequence), over: route)
  }

  /// Waits until nothing is under way.
  func settle() {
    settle([client])
  }

  func settle(_ clients: [FakeClient]) {
    delivery.settle([preparations] + clients.map(\.queue))
  }

  @Test func `frames and losses arrive in the order of capture`() throws {
    delivery.policy = .keepAll
    delivery.setClient(client.client)
    try offer(0)
    delivery.offer(.fake(1), over: route)
    try offer(2)
    delivery.offer(.fake(3, .discontinuity), over: route)
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

  @Test func `a late frame gives its buffer back at once, and its token after it was reported`() throws {
    final class Token: Sendable {}
    delivery.setClient(client.client)
    client.queue.suspend()
    weak var buffer: CVPixelBuffer?
    weak var token: Token?
    do {
      let strongToken = Token()
      let late = try CapturedFrame.fake(0, token: strongToken)
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
    delivery.offer(.fake(1), over: route)
    #expect(delivery.statistics.captured == 2)
    #expect(delivery.statistics.unwanted == 2)
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

  @Test func `converted frames stay in order with losses and unconverted ones`() throws {
    delivery.policy = .keepAll
    delivery.setClient(client.client)
    let preparation: FakeDelivery.Preparation = { frame throws(LostSample.Reason) in
      guard frame.sequence != 3 else { throw .discontinuity }
      return frame
    }
    for sequence in UInt32(0)..<3 {
      delivery.offer(try CapturedFrame.fake(sequence), over: route, preparation: preparation)
    }
    delivery.offer(try CapturedFrame.fake(3), over: route, preparation: preparation)
    delivery.offer(.fake(4), over: route)
    delivery.offer(try CapturedFrame.fake(5), over: route)
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
        try CapturedFrame.fake(sequence), over: route,
        preparation: { frame in
          converted.withLock { $0 += 1 }
          return frame
        })
    }
    // Each that is prepared leads to the next, until those that wait are too many.
    for _ in 0..<12 { preparations.sync {} }
    #expect(converted.withLock { $0 } <= 4)
    client.queue.resume()
    settle()
    #expect(client.events == (0..<12).map { .frame($0) })
  }

  @Test func `losses before a client that is blocked for good do not pile up`() throws {
    delivery.setClient(client.client)
    client.queue.suspend()
    for sequence in UInt32(0)..<1000 { delivery.offer(.fake(sequence), over: route) }
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
      case 6...9: delivery.offer(.fake(sequence, .discontinuity), over: route)
      case 10...20:
        delivery.offer(
          try CapturedFrame.fake(sequence), over: route,
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
}
