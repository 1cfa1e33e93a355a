import AVFCapture
import CaptureDevice
import CaptureStage
import StreamParts
import Testing

@Suite("SilenceTimer: silence counts while this process runs")
struct SilenceTimeoutTests {
  private static let second: Int64 = 1_000_000_000

  /// Waits as (elapsed, asked) in milliseconds, and the silence afterwards.
  @Test(
    arguments: [
      ([(1000, 1000), (1000, 1000)], 2000),
      // Later than asked: the rest is the machine's.
      ([(1900, 1000)], 1000),
      ([(1000, 1000), (1300, 1000), (200, 1000)], 2200),
      // Stopped or starved: the whole timeout anew.
      ([(1000, 1000), (1000, 1000), (2001, 1000)], 0),
      ([(4000, 1000), (1000, 1000)], 1000),
      ([(6000, 4000)], 0),
      ([(-5, 1000)], 0),
    ] as [([(Int64, Int64)], Int64)])
  func `a wait counts as long as it was asked for, and one that ends much later begins anew`(
    waits: [(Int64, Int64)], silence: Int64
  ) {
    var timeout = SilenceTimer(nanoseconds: 5 * Self.second)
    for (elapsed, asked) in waits { timeout.waited(elapsed * 1_000_000, asked: asked * 1_000_000) }
    #expect(timeout.silence == silence * 1_000_000)
  }

  @Test func `it is over when the waits make up the timeout, and news begins it anew`() {
    var timeout = SilenceTimer(nanoseconds: 2_500_000_000)
    var waits: [Int64] = []
    while !timeout.isOver {
      waits.append(timeout.nextWait)
      timeout.waited(timeout.nextWait, asked: timeout.nextWait)
    }
    #expect(waits == [Self.second, Self.second, Self.second / 2])
    timeout.heard()
    #expect(!timeout.isOver)
    #expect(timeout.nextWait == Self.second)
  }
}

@Suite("SilenceDetector: what a session's watch makes of a device that sends nothing")
struct SilenceDetectorTests {
  private typealias Finding = SilenceDetector.Finding
  private static let second: Int64 = 1_000_000_000

  /// Looks every second, each `late` seconds too late; the findings.
  private func findings(
    _ silence: inout SilenceDetector, looks: Int, count: Int = 0, isBehind: Bool = false, late: Double = 0
  ) -> [SilenceDetector.Finding] {
    (0..<looks).map { _ in
      silence.look(
        count: count, quiet: Self.second, isBehind: isBehind, elapsed: Self.second + Int64(late * 1e9),
        asked: Self.second)
    }
  }

  @Test func `a camera that sends nothing for five seconds has timed out`() {
    var silence = SilenceDetector()
    #expect(
      silence.look(count: 30, quiet: 0, isBehind: false, elapsed: Self.second, asked: Self.second) == .nothing
    )
    #expect(findings(&silence, looks: 4, count: 30) == Array(repeating: .nothing, count: 4))
    #expect(findings(&silence, looks: 1, count: 30) == [.timedOut])
  }

  @Test func `anything that it sends, a loss too, begins the time anew`() {
    var silence = SilenceDetector()
    for count in 1..<20 {
      #expect(!findings(&silence, looks: 4, count: count).contains(.timedOut))
    }
  }

  @Test func `the time counts from the last frame, and the next look comes when it is over`() {
    var silence = SilenceDetector()
    // Calm looks are seconds apart.
    let found = silence.look(
      count: 30, quiet: 1_400_000_000, isBehind: false, elapsed: 4 * Self.second, asked: 4 * Self.second)
    #expect(found == .nothing && silence.remaining == 3_600_000_000)
    var waits: [Int64] = []
    while waits.count < 9 {
      let wait = min(silence.remaining, Self.second)
      waits.append(wait)
      let last = silence.look(count: 30, quiet: .max, isBehind: false, elapsed: wait, asked: wait)
      if last == .timedOut { break }
    }
    #expect(waits == [Self.second, Self.second, Self.second, 600_000_000])
  }

  @Test func `a device that was started between two looks is charged with its own time`() {
    var silence = SilenceDetector()
    let found = silence.look(
      count: 0, quiet: 700_000_000, isBehind: false, elapsed: 4 * Self.second, asked: 4 * Self.second)
    #expect(found == .nothing && silence.remaining == 4_300_000_000)
  }

  @Test func `a process that was stopped for five seconds, or for an hour, looks once more`() {
    for late in [5.0, 3600] {
      var silence = SilenceDetector()
      _ = findings(&silence, looks: 4)
      #expect(findings(&silence, looks: 1, late: late) == [.nothing])
      #expect(findings(&silence, looks: 4) == Array(repeating: .nothing, count: 4))
      #expect(findings(&silence, looks: 1) == [.timedOut])
    }
  }

  @Test func `a watch that always comes late charges the camera with nothing`() {
    var silence = SilenceDetector()
    #expect(!findings(&silence, looks: 50, late: 1.5).contains(.timedOut))
  }

  @Test func `a device of this process that gets no time is slow and never silent, which is said once`() {
    var silence = SilenceDetector()
    let found = findings(&silence, looks: 60, isBehind: true)
    #expect(found.count { $0 == .starved } == 1)
    #expect(found.firstIndex(of: .starved) == 4)
    #expect(!found.contains(.timedOut))
    // Caught up and silent all the same.
    #expect(findings(&silence, looks: 5) == [.nothing, .nothing, .nothing, .nothing, .timedOut])
  }
}
