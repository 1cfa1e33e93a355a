import Linux
import MediaStreaming
import Testing

@Suite("The order of packets")
struct PacketOrderTests {
  private static func at(_ nanoseconds: Int64) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: nanoseconds)
  }

  private let passed = PacketOrder.Verdict.pass(isAfterLoss: false)
  private let passedAfterLoss = PacketOrder.Verdict.pass(isAfterLoss: true)

  @Test func `by TCP a number that is missing is a loss at once, also where numbers begin anew`() {
    var order = PacketOrder(holds: false)
    let verdicts = [65_535, 0, 2, 3, 1, 2].map { order.judge($0) }
    #expect(verdicts == [passed, passed, passedAfterLoss, passed, passedAfterLoss, passed])
    #expect(!order.isHolding)
  }

  @Test func `by UDP packets wait for one that is late, and follow it`() {
    var order = PacketOrder(holds: true)
    var verdicts = [order.judge(65_534)]
    for number: UInt16 in [1, 0] {
      verdicts.append(order.judge(number))
      order.hold([UInt8(number)], number: number, now: Self.at(0))
    }
    verdicts += [order.judge(1), order.judge(65_534)]
    #expect(verdicts == [passed, .hold, .hold, .drop, .drop])
    let early = order.release(now: Self.at(PacketOrder.longestWait - 1))
    #expect(early?.bytes == nil)
    let late = order.judge(65_535)
    #expect(late == passed)
    for number: UInt8 in [0, 1] {
      let next = order.release(now: Self.at(0))
      #expect(next?.bytes == [number] && next?.isAfterLoss == false)
    }
    #expect(!order.isHolding)
  }

  @Test func `what waited too long, or is too much, shows a loss`() {
    var order = PacketOrder(holds: true)
    var verdicts = [order.judge(0), order.judge(5)]
    #expect(verdicts == [passed, .hold])
    order.hold([5], number: 5, now: Self.at(0))
    let late = order.release(now: Self.at(PacketOrder.longestWait))
    #expect(late?.bytes == [5] && late?.isAfterLoss == true)
    verdicts = []
    var released = 0
    for number in 0..<PacketOrder.mostHeld {
      verdicts.append(order.judge(UInt16(7 + number)))
      released += order.release(now: Self.at(0)) == nil ? 0 : 1
      order.hold([1], number: UInt16(7 + number), now: Self.at(0))
    }
    #expect(verdicts.allSatisfy { $0 == .hold } && released == 0)
    let losses = (0..<2).map { _ in order.release(now: Self.at(0))?.isAfterLoss }
    #expect(losses == [true, false])
  }

  @Test func `numbers that are far away are those of a stream that began anew`() {
    var order = PacketOrder(holds: true)
    var verdicts = [order.judge(0), order.judge(2)]
    order.hold([2], number: 2, now: Self.at(0))
    verdicts.append(order.judge(30_000))
    #expect(!order.isHolding)
    verdicts.append(order.judge(30_001))
    #expect(verdicts == [passed, .hold, passedAfterLoss, passed])
  }
}
