import FoundationExtras
import Testing

@Suite("Units of a second")
struct ClockUnitTests {
  @Test func `the names of C give whole numbers that divide each other`() {
    let second: UInt64 = NSEC_PER_SEC
    #expect(second == 1000 * NSEC_PER_MSEC && NSEC_PER_MSEC == 1000 * NSEC_PER_USEC)
    #expect(second == USEC_PER_SEC * NSEC_PER_USEC && second == 1_000_000_000)
  }
}
