import Linux
import StreamParts
import Testing

@Suite("Stream parts: pictures of before a start")
struct FrameClockTests {
  private let start = MonotonicInstant(nanoseconds: 60_000_000_000)
  private let second: Int64 = 1_000_000_000

  /// Which of frames with these stamps, counted from the start, are of before it; a frame that is not is handed on.
  private func older(_ stamps: [Int64?], olderCount: Int = 3) -> [Bool] {
    var clock = FrameClock(start: start, olderCount: olderCount)
    return stamps.map { stamp in
      let stamp = stamp.map { start.nanoseconds + $0 }
      let isOlder = clock.isOfBefore(stamp: stamp)
      if !isOlder { _ = clock.time(stamp: stamp, arrival: start.advanced(byNanoseconds: second)) }
      return isOlder
    }
  }

  @Test func `those that the source still holds are passed over, and none after the first that is not`() {
    #expect(older([-second, -1, 0, -1]) == [true, true, false, false])
  }

  @Test func `a picture that is sent again and again with its first stamp is not withheld`() {
    #expect(older([-second, -second, -second]) == [true, false, false])
  }

  @Test func `a source that lags loses no more pictures than it can hold`() {
    #expect(older((0..<5).map { $0 - 3 * second }, olderCount: 3) == [true, true, true, false, false])
  }

  @Test func `stamps of another clock, and frames without one, say nothing of the start`() {
    #expect(older([nil]) == [false] && older([-20 * second]) == [false])
    var usual = FrameClock()
    let isOlder = usual.isOfBefore(stamp: start.nanoseconds - second)
    #expect(!isOlder)
  }
}
