import Linux
import SeededNumbers
import StreamParts
import Testing

@Suite("Stream parts: the times of samples")
struct AudioClockTests {
  /// The greatest error of the times of a device that is `deviation` too fast and whose stamps jitter by a millisecond,
  /// from a second of the run on.
  private func error(deviation: Double, seconds: Int, from first: Int) throws -> Double {
    let rate = 48_000.0 * (1 + deviation)
    var clock = AudioClock(rate: 48_000)
    var jitter = SeededGenerator(seed: 7)
    var worst = 0.0
    for chunk in 1...(seconds * 100) {
      let frame = Int64(chunk * 480)
      let truth = Double(frame) / rate * 1e9
      clock.observe(frame, at: Int64(truth + Double.random(in: -1...1, using: &jitter) * 1e6) + 1_000_000_000)
      let reported = clock.time(of: frame - 480)
      let time = try #require(reported)
      if chunk >= first * 100 {
        let expected = Double(frame - 480) / rate * 1e9 + 1e9
        worst = max(worst, abs(Double(time.nanoseconds) - expected))
      }
    }
    return worst
  }

  @Test(arguments: [0, 0.0001, -0.0003])
  func `stamps that jitter by a millisecond give times that are true to a fifth of one`(_ deviation: Double)
    throws
  {
    #expect(try error(deviation: deviation, seconds: 60, from: 20) < 200_000)
  }

  @Test func `ten minutes of a crystal that is off do not drift`() throws {
    #expect(try error(deviation: 0.0002, seconds: 600, from: 570) < 200_000)
  }

  @Test func `the device's rate is measured`() {
    var clock = AudioClock(rate: 44_100)
    for chunk in 1...6000 {
      let frame = Int64(chunk * 441)
      clock.observe(frame, at: Int64(Double(frame) / 44_096.0 * 1e9))
    }
    #expect(abs(clock.measuredRate - 44_096) < 0.2)
  }

  @Test func `times always advance, and a jump is followed and counted`() {
    var clock = AudioClock(rate: 48_000)
    var times: [Int64?] = [clock.time(of: 0)?.nanoseconds]
    clock.observe(480, at: 1_000_000_000)
    times.append(clock.time(of: 0)?.nanoseconds)
    clock.observe(960, at: 3_000_000_000)
    #expect(clock.jumps == 1)
    times.append(clock.time(of: 480)?.nanoseconds)
    clock.observe(1440, at: 2_000_000_000)
    #expect(clock.jumps == 2)
    times.append(clock.time(of: 960)?.nanoseconds)
    #expect(times == [nil, 990_000_000, 2_990_000_000, 2_990_000_001])
  }
}
