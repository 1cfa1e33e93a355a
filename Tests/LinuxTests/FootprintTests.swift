import Foundation
import Glibc
import Linux
import Testing

@Suite("Footprint")
struct FootprintTests {
  private final class Thing: Sendable {}

  @Test
  func `an object counts for the lines that its bytes lie in`() {
    let thing = Thing()
    let address = UInt(bitPattern: Unmanaged.passUnretained(thing).toOpaque())
    for byteCount in [1, 16, 64, 65, 128, 10_000] {
      var footprint = Footprint()
      footprint.add(thing, byteCount: byteCount)
      let last = (address + UInt(byteCount) - 1) / 64
      #expect(footprint.lineCount == Int(last - address / 64 + 1))
    }
  }

  @Test
  func `a value with its lock counts for both`() {
    var small = Footprint()
    small.add(Locked(1))
    var large = Footprint()
    large.add(Locked((1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))
    #expect((1...2).contains(small.lineCount))
    // 128 bytes, a mutex of 40 and the object's own 16 do not fit in two lines.
    #expect((3...4).contains(large.lineCount))
  }

  @Test
  func `the functions of the way of frames that the program has are named`() {
    // This program has at least those of the relay.
    #expect(Footprint.framePath.lineCount > 10)
  }

  /// Counts how often it is asked what it touches.
  private final class Borrower: ThreadBorrower {
    let asked = Locked(0)
    let worked = Monitor(0)

    func work() { worked.withLock { $0 += 1 } }
    func refuse() {}
    func addFootprint(to footprint: inout Footprint) {
      asked.withLock { $0 += 1 }
      footprint.add(worked)
    }
  }

  @Test
  func `a borrower is asked what it touches once, and what is gone may be named`() throws {
    let borrower = Borrower()
    let start = MonotonicInstant.now
    let steps = Locked<Int64>(0)
    let relay = try ThreadRelay(name: "footprint", first: start) {
      let step = steps.withLock { step in
        step += 1
        return step
      }
      _ = borrowThread(for: borrower)
      // More owners than there is room for, none of which lives on.
      var footprint = Footprint()
      let thing = Thing()
      footprint.add(thing, byteCount: 1 << 20)
      expectTouching(footprint, by: thing)
      return start.advanced(byNanoseconds: step * 2_000_000)
    }
    let soon = MonotonicInstant.now.advanced(byNanoseconds: 20_000_000_000)
    let worked: Bool? = borrower.worked.wait(until: soon) {
      $0 >= 40
    } then: { _ in
      true
    }
    #expect(worked == true)
    #expect(borrower.asked.withLock { $0 } == 1)
    relay.cancel()
  }
}
