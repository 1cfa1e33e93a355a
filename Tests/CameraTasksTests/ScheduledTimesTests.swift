import CameraTasks
import Linux
import SeededNumbers
import Testing

@Suite("When files follow each other, and when something is tried again")
struct ScheduledTimesTests {
  private static let second: Int64 = 1_000_000_000

  @Test func `files of two seconds hold as many frames each, and end where a week of them should`() {
    let start: Int64 = 77_123_456_789
    let times = SegmentTimes(start: start, seconds: 2)
    var end = times.next(begin: start, now: start + 5)
    var counts = [0]
    for number in 0..<12_000 {
      // A thirtieth of a second is no whole number of nanoseconds.
      let frame = start + (Int64(number) * Self.second + 15) / 30
      if frame >= end - 1_000 {
        counts.append(0)
        end = times.next(begin: frame, now: frame + 5)
      }
      counts[counts.count - 1] += 1
    }
    #expect(counts == [Int](repeating: 60, count: 200))
    let week = start + 7 * 86_400 * Self.second
    #expect(times.next(begin: week - Self.second, now: week - 1) == week)
  }

  @Test func `a moment that has passed is left out, and the next ones are where they were`() {
    let times = SegmentTimes(start: 0, seconds: 1)
    #expect(times.next(begin: 0, now: 3) == Self.second)
    #expect(times.next(begin: 0, now: Self.second + 1) == 2 * Self.second)
    #expect(times.next(begin: 0, now: 7_300_000_000) == 8 * Self.second)
    // After a while without the camera, a file begins between two of them.
    #expect(times.next(begin: 12_700_000_000, now: 12_700_000_500) == 13 * Self.second)
    // A frame's time may be a little before the moment that it belongs to.
    #expect(times.next(begin: 2 * Self.second - 300, now: 2 * Self.second) == 3 * Self.second)
  }

  @Test func `trials lie on whole seconds since the fault, however long each takes`() {
    var numbers = SeededGenerator(usual: 45)
    let fault = MonotonicInstant(nanoseconds: 5_123_456_789)
    var trials = TrialTimes()
    let isDueAtOnce = trials.isDue(at: fault)
    #expect(isDueAtOnce)
    trials.begin(at: fault)
    var now: Int64 = 0
    var due: [Int64] = []
    while due.count < 500 {
      if trials.isDue(at: fault.advanced(byNanoseconds: now)) {
        due.append(now)
        now += Int64.random(in: 0...3 * Self.second, using: &numbers)
      } else {
        now += 20_000_000
      }
    }
    #expect(due[0] == Self.second)
    // Each comes within one look of a whole second, or at once when its second has passed meanwhile; no second has two.
    let seconds = due.map { $0 / Self.second }
    #expect(zip(seconds, seconds.dropFirst()).allSatisfy { $0 < $1 })
    #expect(due.filter { $0 % Self.second < 20_000_000 }.count > 30)
  }
}
