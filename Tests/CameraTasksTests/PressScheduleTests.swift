import CameraTasks
import SeededNumbers
import Testing

@Suite("The schedule of presses")
struct PressScheduleTests {
  private static let second: Int64 = 1_000_000_000

  /// Presses `count` times; each takes `delay()` before the next can be chosen, and a thread sleeps too long by `late()`.
  private func run(
    _ seconds: Double, count: Int, start: Int64 = 12_345_678_901, delay: () -> Int64,
    late: () -> Int64 = { 0 }
  ) -> (presses: [(slot: Int, at: Int64)], missed: [Int]) {
    var schedule = PressSchedule(start: start, intervalSeconds: seconds)
    var now = start
    var presses: [(Int, Int64)] = []
    var missed: [Int] = []
    while presses.count < count {
      var place = schedule.choose(at: now)
      now = max(now, place.moment + late())
      while !schedule.isInTime(at: now) {
        place = schedule.choose(at: now)
        now = max(now, place.moment)
      }
      missed += place.missed
      presses.append((place.slot, now - start))
      schedule.press()
      now += delay()
    }
    return (presses, missed)
  }

  @Test func `ten thousand presses with delays of up to three intervals lie each on its slot`() {
    let interval: Int64 = 333_000_000
    var numbers = SeededGenerator(usual: 45)
    let (presses, missed) = run(0.333, count: 10_000) {
      Int64.random(in: 0...3 * interval, using: &numbers)
    }
    #expect(presses.allSatisfy { $0.at == Int64($0.slot) * interval })
    let slots = presses.map(\.slot)
    #expect(zip(slots, slots.dropFirst()).allSatisfy { $0 < $1 })
    // What was not pressed in is named, and nothing else.
    #expect((slots + missed).sorted() == Array(0...(slots.last ?? 0)))
    #expect(Set(missed).isDisjoint(with: slots) && missed.count > 5_000)
  }

  @Test func `without delays none is missed, and a week later there is no drift`() {
    let count = 7 * 24 * 3600 * 3
    let (presses, missed) = run(1.0 / 3, count: count, delay: { 120_000_000 })
    #expect(missed.isEmpty)
    // A third of a second is no whole number of nanoseconds: its rounding is the interval's own.
    #expect(presses.last?.at == Int64(count - 1) * 333_333_333)
  }

  @Test func `a thread that wakes up late presses in its slot, or in the next one that is not over`() {
    var late: [Int64] = [0, 40_000_000, 60_000_000, 1_050_000_000, 0]
    let (presses, missed) = run(0.1, count: 5, delay: { 1_000_000 }, late: { late.removeFirst() })
    #expect(presses.map(\.slot) == [0, 1, 3, 15, 16])
    #expect(presses.map(\.at) == [0, 140, 300, 1500, 1600].map { $0 * 1_000_000 })
    #expect(missed == [2] + Array(4...14))
  }

  @Test func `a sleep of an hour leaves out its slots, and is followed by no burst`() {
    var delays: [Int64] = [0, 3600 * Self.second, 0, 0]
    let (presses, missed) = run(10, count: 4, delay: { delays.removeFirst() })
    #expect(presses.map(\.slot) == [0, 1, 361, 362] && missed == Array(2...360))
  }

  @Test func `without an interval each press is in time`() {
    let (presses, missed) = run(0, count: 3, delay: { 5 })
    #expect(presses.map(\.slot) == [0, 1, 2] && presses.map(\.at) == [0, 5, 10] && missed.isEmpty)
  }
}
