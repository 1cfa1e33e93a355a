import CameraTasks
import SeededNumbers
import Testing

@Suite("The schedule of presses")
struct PressScheduleTests {
  private static let second: Int64 = 1_000_000_000

  /// Presses `count` times, as the command does; each takes `delay()` before the next can be chosen, and a thread sleeps too long by
  /// `late()`.
  private func run(
    _ seconds: Double, count: Int, start: Int64 = 12_345_678_901, delay: () -> Int64,
    late: () -> Int64 = { 0 }
  ) -> (presses: [(slot: Int, at: Int64)], missed: [Int]) {
    var now = start
    var presses: [(Int, Int64)] = []
    var missed: [Int] = []
    var isLate: Int?
    PressSeries(count: count, intervalSeconds: seconds).run(
      now: { now },
      prepare: { if !presses.isEmpty { now += delay() } },
      sleep: { moment, number in
        // Each press is late once.
        now = max(now, moment + (isLate == number ? 0 : late()))
        isLate = number
      },
      press: { place in
        missed += place.missed
        presses.append((place.slot, now - start))
      })
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
    // No burst makes up for them.
    #expect(zip(presses, presses.dropFirst()).allSatisfy { $1.at - $0.at >= interval })
  }

  @Test func `ten thousand presses of threads that wake up late stay in their slots`() {
    let interval: Int64 = 333_000_000
    var numbers = SeededGenerator(usual: 46)
    var others = SeededGenerator(usual: 47)
    let (presses, missed) = run(
      0.333, count: 10_000, delay: { Int64.random(in: 0...3 * interval, using: &numbers) },
      late: { Int64.random(in: 0...interval, using: &others) })
    #expect(presses.allSatisfy { (0...interval / 2).contains($0.at - Int64($0.slot) * interval) })
    #expect((presses.map(\.slot) + missed).sorted() == Array(0...(presses.last?.slot ?? 0)))
    // The last keeps to the start as the first does: nothing has added up.
    let late = presses.suffix(1000).map { $0.at - Int64($0.slot) * interval }
    #expect(late.reduce(0, +) / 1000 <= interval / 4)
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
