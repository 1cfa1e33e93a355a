import Linux
import Testing

@Suite("The time of processors")
struct ProcessorTimesTests {
  @Test func `the kernel's line is the sum of what works and of what rests`() throws {
    let times = try #require(ProcessorTimes("cpu  100 20 30 4000 500 1 2 3 90 9"))
    #expect(times == ProcessorTimes(busy: 156, resting: 4500))
    #expect(ProcessorTimes() != nil, "Linux always counts")
  }

  @Test(arguments: ["", "cpu", "cpu0 1 2 3 4 5 6 7 8", "cpu 1 2 3", "cpu 1 2 three 4 5 6 7 8"])
  func `another line says nothing`(line: String) {
    #expect(ProcessorTimes(line) == nil)
  }

  @Test func `what counts is the time between two looks`() {
    let earlier = ProcessorTimes(busy: 1_000_000, resting: 500)
    #expect(ProcessorTimes(busy: 1_000_010, resting: 530).restingShare(since: earlier) == 0.75)
    #expect(ProcessorTimes(busy: 1_000_010, resting: 500).restingShare(since: earlier) == 0)
    #expect(ProcessorTimes(busy: 1_000_010, resting: 499).restingShare(since: earlier) == 0)
    #expect(earlier.restingShare(since: earlier) == nil)
  }
}
