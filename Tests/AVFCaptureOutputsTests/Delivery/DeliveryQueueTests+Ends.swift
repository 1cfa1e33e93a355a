import AVFCapture
import CaptureDevice
import CaptureDeviceTesting
import CoreVideo
import Dispatch
import Foundation
import Linux
import Testing
import Waiting

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

extension DeliveryQueueTests {
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
    delivery.offer(.fake(1), over: route)
    let next = FakeRoute()
    delivery.offer(try CapturedFrame.fake(2), over: next)
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
    delivery.offer(try CapturedFrame.fake(1), over: next)
    client.queue.resume()
    settle()
    #expect(client.events == [.frame(1)])
    #expect(delivery.statistics.discontinuities == 1)
  }

  @Test func `a frame whose route ends while it is prepared is a discontinuity`() throws {
    delivery.setClient(client.client)
    let lifetime = route.lifetime
    delivery.offer(try CapturedFrame.fake(0), over: route) { frame in
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
      FakeDelivery.Client(queue: client.queue) { call in
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
      FakeDelivery.Client(queue: client.queue) { [delivery] call in
        delivery.setClient(nil)
        return call.begin { calls.withLock { $0 += 1 } }
      })
    try offer(0)
    settle()
    #expect(calls.withLock { $0 } == 0)
    #expect(delivery.statistics.discontinuities == 1)
  }

  @Test func `a client that takes over gets what is still being prepared, and nothing that was ready`() throws
  {
    for takesOver in [true, false] {
      let delivery = FakeDelivery(policy: .keepAll, preparationQueue: preparations)
      let (first, second) = (FakeClient(), FakeClient())
      delivery.setClient(first.client)
      first.queue.suspend()
      delivery.offer(try CapturedFrame.fake(0), over: route)
      let isPreparing = Monitor(false)
      let mayGo = Monitor(false)
      delivery.offer(try CapturedFrame.fake(1), over: route) { frame in
        isPreparing.withLock { $0 = true }
        mayGo.wait(for: { $0 }, then: { _ in })
        return frame
      }
      isPreparing.wait(for: { $0 }, then: { _ in })
      delivery.offer(try CapturedFrame.fake(2), over: route) { $0 }
      delivery.setClient(second.client, takesOver: takesOver)
      mayGo.withLock { $0 = true }
      first.queue.resume()
      delivery.settle([preparations, first.queue, second.queue])
      #expect(first.events.isEmpty)
      #expect(second.events == (takesOver ? [.frame(1), .frame(2)] : []))
      #expect(delivery.statistics.discontinuities == (takesOver ? 1 : 3))
      delivery.setClient(nil, takesOver: takesOver)
    }
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
      FakeDelivery.Client(queue: queue) { [delivery] call in
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

  @Test func `a route that ends while a sample is counted leaves nothing pending`() throws {
    let delivery = DeliveryQueue<CapturedFrame, EndingRoute>(preparationQueue: preparations)
    delivery.setClient(.init(queue: client.queue) { call in call.begin {} })
    delivery.offer(try CapturedFrame.fake(1), over: EndingRoute())
    delivery.settle([preparations, client.queue])
    #expect(delivery.statistics.captured == 1 && delivery.statistics.dropped == 1)
  }
}
