import CFrameRings
import Foundation
import Linux
import Testing
import Waiting

@Suite("What a reader of a ring is sent")
struct RingMessageTests {
  /// The two ends of a connection.
  private func ends() throws -> (ring: Descriptor, reader: Descriptor) {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends) == 0 else {
      throw SystemError("make a connection", errno: errno)
    }
    return (Descriptor(adopting: ends[0]), Descriptor(adopting: ends[1]))
  }

  /// The hello of a memory with two slots of 64 bytes.
  private func hello(generation: UInt64) -> obscura_ring_hello {
    var hello = obscura_ring_hello()
    hello.magic = OBSCURA_RING_MAGIC
    hello.version = UInt16(OBSCURA_RING_VERSION)
    hello.kind = UInt16(OBSCURA_RING_HELLO)
    hello.generation = generation
    (hello.memory_size, hello.first_offset, hello.slot_size) = (4096, 192, 64)
    (hello.slot_count, hello.width, hello.height, hello.stride) = (2, 4, 4, 16)
    hello.pixel_format = OBSCURA_RING_BGRA
    return hello
  }

  private func offer(_ hello: obscura_ring_hello, _ memory: Int32, to ring: Descriptor) {
    let error = withUnsafeBytes(of: hello) { cam_ring_send(ring.number, $0.baseAddress, $0.count, memory) }
    #expect(error == 0)
  }

  @Test func `a memory that does not come along ends reading, whatever lies in the one before`() throws {
    let (ring, end) = try ends()
    let reader = RingReader(connected: end)
    var number: Int32 = -1
    var bytes: UnsafeMutableRawPointer?
    try #require(cam_ring_memory("ring of a test", 4096, &number, &bytes) == 0)
    let memory = Descriptor(adopting: number)
    defer { munmap(bytes, 4096) }
    offer(hello(generation: 1), memory.number, to: ring)
    cam_ring_begin(bytes, 0, 1, 5)
    cam_ring_end(bytes, 0, 1)
    #expect(reader.nextAtHand()?.time == 5)
    cam_ring_begin(bytes, 1, 2, 6)
    cam_ring_end(bytes, 1, 2)
    offer(hello(generation: 2), -1, to: ring)
    for _ in 1...3 {
      #expect(reader.nextAtHand() == nil && reader.result == -EMFILE)
    }
  }

  @Test func `a hello whose memory has no room for its slots ends reading`() throws {
    let changes: [(inout obscura_ring_hello) -> Void] = [
      { $0.slot_count = 0 }, { $0.slot_count = 3 }, { $0.first_offset = 4097 }, { $0.slot_size = 2048 },
      { $0.stride = 17 }, { $0.height = .max }, { $0.memory_size = .max },
    ]
    for change in changes {
      let (ring, end) = try ends()
      let reader = RingReader(connected: end)
      var wrong = hello(generation: 1)
      change(&wrong)
      offer(wrong, ring.number, to: ring)
      for _ in 1...2 { #expect(reader.nextAtHand() == nil && reader.result == -EPROTO) }
    }
  }

  @Test func `messages that bring no frame do not prolong a wait`() throws {
    let (ring, end) = try ends()
    // Such a message comes as often as the reader has taken one, until it hangs up.
    Thread.detachNewThread {
      var news = obscura_ring_news()
      (news.magic, news.version, news.kind) = (OBSCURA_RING_MAGIC, UInt16(OBSCURA_RING_VERSION), 77)
      let flags = Int32(MSG_NOSIGNAL)
      while withUnsafeBytes(of: news, { send(ring.number, $0.baseAddress, $0.count, flags) }) > 0 {}
    }
    let answer = Monitor<Int32?>(nil)
    Thread.detachNewThread {
      let reader = RingReader(connected: end)
      _ = reader.next(within: 20)
      answer.withLock { $0 = reader.result }
    }
    #expect(answer.wait { $0 != nil })
    #expect(answer.now == 0)
    shutdown(ring.number, Int32(SHUT_RDWR))
  }
}
