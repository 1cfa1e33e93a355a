import Linux
import MediaStreaming
import Testing

@Suite("The order of packets")
struct PacketOrderTests {
  private static func at(_ nanoseconds: Int64) -> MonotonicInstant { MonotonicInstant(nanoseconds: nanoseconds) }

  @Test func `by TCP a number that is missing is a loss at once, also where numbers begin anew`() {
    var order = PacketOrder(holds: false)
    #expect(order.judge(65_535) == .pass(isAfterLoss: false) && order.judge(0) == .pass(isAfterLoss: false))
    #expect(order.judge(2) == .pass(isAfterLoss: true) && order.judge(3) == .pass(isAfterLoss: false))
    #expect(order.judge(1) == .pass(isAfterLoss: true) && order.judge(2) == .pass(isAfterLoss: false))
    #expect(!order.isHolding)
  }

  @Test func `by UDP packets wait for one that is late, and follow it`() {
    var order = PacketOrder(holds: true)
    #expect(order.judge(65_534) == .pass(isAfterLoss: false))
    for number: UInt16 in [1, 0] {
      #expect(order.judge(number) == .hold)
      order.hold([UInt8(number)], number: number, now: Self.at(0))
    }
    #expect(order.judge(1) == .drop && order.judge(65_534) == .drop)
    #expect(order.release(now: Self.at(PacketOrder.longestWait - 1)) == nil)
    #expect(order.judge(65_535) == .pass(isAfterLoss: false))
    for number: UInt8 in [0, 1] {
      let next = order.release(now: Self.at(0))
      #expect(next?.bytes == [number] && next?.isAfterLoss == false)
    }
    #expect(!order.isHolding && order.release(now: Self.at(0)) == nil)
  }

  @Test func `what waited too long, or is too much, shows a loss`() {
    var order = PacketOrder(holds: true)
    #expect(order.judge(0) == .pass(isAfterLoss: false))
    #expect(order.judge(5) == .hold)
    order.hold([5], number: 5, now: Self.at(0))
    let late = order.release(now: Self.at(PacketOrder.longestWait))
    #expect(late?.bytes == [5] && late?.isAfterLoss == true)
    for number in 0..<PacketOrder.mostHeld {
      #expect(order.judge(UInt16(7 + number)) == .hold)
      #expect(order.release(now: Self.at(0)) == nil)
      order.hold([1], number: UInt16(7 + number), now: Self.at(0))
    }
    #expect(order.release(now: Self.at(0))?.isAfterLoss == true && order.release(now: Self.at(0))?.isAfterLoss == false)
  }

  @Test func `numbers that are far away are those of a stream that began anew`() {
    var order = PacketOrder(holds: true)
    #expect(order.judge(0) == .pass(isAfterLoss: false))
    #expect(order.judge(2) == .hold)
    order.hold([2], number: 2, now: Self.at(0))
    #expect(order.judge(30_000) == .pass(isAfterLoss: true) && !order.isHolding)
    #expect(order.judge(30_001) == .pass(isAfterLoss: false))
  }
}
