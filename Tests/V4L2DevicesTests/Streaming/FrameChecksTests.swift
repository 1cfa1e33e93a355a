import Linux
import StreamParts
import Testing
import V4L2Devices

@Suite("V4L2: sequence numbers, stamps and pictures")
struct FrameChecksTests {
  @Test func `numbers begin at 0, wrap with the driver's, and count losses`() {
    var counter = FrameCounter()
    let numbers: [UInt32] = [0xFFFF_FFFE, 0xFFFF_FFFF, 0, 1, 5, 6]
    let counted = numbers.map { counter.advance(to: $0) }
    #expect(counted.map(\.sequence) == [0, 1, 2, 3, 7, 8])
    #expect(counted.map(\.lost) == [0, 0, 0, 0, 3, 0])
    #expect(counter.renumberings == 0)
  }

  @Test func `a driver that does not count, goes back, or jumps is counted for`() {
    var counter = FrameCounter()
    let counted = [7, 7, 3, 4, 1_000_000, 1_000_001].map { counter.advance(to: $0) }
    #expect(counted.map(\.sequence) == [0, 1, 2, 3, 4, 5])
    #expect(counted.allSatisfy { $0.lost == 0 })
    #expect(counter.renumberings == 3)
  }

  @Test func `times advance even when stamps and arrivals do not`() {
    var clock = FrameClock()
    let arrival = MonotonicInstant(nanoseconds: 1_000_000)
    let times = [nil, 900_000, .min, .max, 1_000_000].map {
      clock.time(stamp: $0, arrival: arrival).nanoseconds
    }
    #expect(times == [1_000_000, 1_000_001, 1_000_002, 1_000_003, 1_000_004])
    #expect(clock.arrivalStamps == 5)
  }

  private func accepts(_ bytes: [UInt8], _ check: inout MotionJPEGCheck) -> Bool {
    bytes.withUnsafeBytes { check.accepts($0) }
  }

  @Test(
    arguments: [
      ([0xFF, 0xD8, 0xFF, 0xC0, 0, 2, 0xFF, 0xDA, 0, 2, 1, 2, 0xFF, 0xD9], true),
      ([0xFF, 0xD8, 0xFF, 0xC0, 0, 2, 0xFF, 0xDA, 0, 2, 1, 2, 0xFF, 0xD9, 0, 0, 0, 0], true),
      (
        [0xFF, 0xD8, 0xFF, 0xDB, 0, 4, 1, 2, 0xFF, 0xFF, 0xC0, 0, 2, 0, 0xFF, 0xDA, 0, 2, 1, 0xFF, 0xD9], true
      ),
      // No frame, no scan, a segment that is too long or too short, a marker out of place, one that is none.
      ([0xFF, 0xD8, 0xFF, 0xDB, 0, 2, 0xFF, 0xDA, 0, 2, 1, 2, 0xFF, 0xD9], false),
      ([0xFF, 0xD8, 0xFF, 0xC0, 0, 2, 0xFF, 0xD9], false),
      ([0xFF, 0xD8, 0xFF, 0xC0, 9, 2, 0xFF, 0xDA, 0, 2, 1, 2, 0xFF, 0xD9], false),
      ([0xFF, 0xD8, 0xFF, 0xC0, 0, 1, 0xFF, 0xDA, 0, 2, 1, 2, 0xFF, 0xD9], false),
      ([0xFF, 0xD8, 0xFF, 0xD8, 0, 2, 0xFF, 0xC0, 0, 2, 0xFF, 0xDA, 0, 2, 1, 2, 0xFF, 0xD9], false),
      ([0xFF, 0xD8, 7, 0xFF, 0xC0, 0, 2, 0xFF, 0xDA, 0, 2, 1, 2, 0xFF, 0xD9], false),
      ([0xFF, 0xD8, 0xFF, 0xC0, 0, 2, 0xFF, 0xDA, 0, 2, 1, 2, 3, 4], false),
      ([0xFF, 0xD8, 0xFF], false),
      ([0x00, 0x00, 0xFF, 0xC0, 0, 2, 0xFF, 0xDA, 0, 2, 0xFF, 0xD9], false),
      ([], false),
    ] as [([UInt8], Bool)])
  func `a JPEG picture has a frame, a scan and its first and last marker, padding or not`(
    _ bytes: [UInt8], _ isWhole: Bool
  ) {
    var check = MotionJPEGCheck()
    #expect(accepts(bytes, &check) == isWhole)
  }

  @Test func `a camera that never writes the last marker is believed after five pictures`() {
    var check = MotionJPEGCheck()
    let bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xC0, 0, 2, 0xFF, 0xDA, 0, 2, 1, 2, 3, 4]
    #expect((1...6).map { _ in accepts(bytes, &check) } == [false, false, false, false, true, true])
  }
}
