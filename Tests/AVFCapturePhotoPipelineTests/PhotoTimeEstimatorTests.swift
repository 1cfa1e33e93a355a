import AVFoundation
import CaptureDevice
import CaptureStage
import Linux
import PhotoProcessing
import Testing

@Suite("PhotoTimeEstimator: what photos take, and what quality the next can have")
struct PhotoTimeEstimatorTests {
  private static let size = FrameSize(width: 4032, height: 3024)

  /// A machine on which photos take so many milliseconds to process, in a burst at a steady interval.
  private struct Burst {
    var pace = PhotoTimeEstimator()
    var milliseconds: [PhotoTimeEstimator.Prioritization: Int64]
    var now: Int64 = 0
    /// When the photos before are all finished.
    var free: Int64 = 0
    /// The time from each photo's press until it was ready.
    var lags: [Int64] = []

    mutating func press(after gap: Int64, asking asked: PhotoTimeEstimator.Prioritization = .quality)
      -> PhotoTimeEstimator.Prioritization
    {
      now += gap
      let choice = pace.prioritization(
        for: asked, .jpeg(quality: nil), PhotoTimeEstimatorTests.size, isBehind: free > now,
        at: MonotonicInstant(nanoseconds: now * 1_000_000))
      let work = milliseconds[choice] ?? 0
      let begin = max(now, free)
      free = begin + work
      var times = PhotoStageTimes(pressed: MonotonicInstant(nanoseconds: now * 1_000_000))
      times.developing = MonotonicInstant(nanoseconds: begin * 1_000_000)
      times.processed = MonotonicInstant(nanoseconds: free * 1_000_000)
      pace.note(PhotoTimeEstimator.Kind(.jpeg(quality: nil), choice), PhotoTimeEstimatorTests.size, times)
      lags.append(free - now)
      return choice
    }
  }

  @Test func `under three times the load the interval is held, and quality comes back when it is calm`() {
    var burst = Burst(milliseconds: [.quality: 600, .balanced: 400, .speed: 150])
    let choices = (0..<40).map { _ in burst.press(after: 200) }
    // Each of the others is tried once.
    #expect(choices.count { $0 == .quality } == 1 && choices.first == .quality)
    #expect(choices.count { $0 == .balanced } == 1)
    // What those took is worked off, and nothing piles up.
    #expect(burst.lags.suffix(10).allSatisfy { $0 <= 200 })
    #expect(burst.lags.allSatisfy { $0 <= 600 })
    let calm = (0..<2).map { _ in burst.press(after: 1000) }
    #expect(calm.last == .quality)
  }

  @Test func `a press that was before the press before is in no series`() {
    var burst = Burst(milliseconds: [.quality: 300, .balanced: 200, .speed: 50])
    #expect(burst.press(after: 10_000) == .quality)
    #expect(burst.press(after: 1000) == .quality)
    #expect(burst.press(after: -3000) == .quality)
    #expect(burst.press(after: 100) != .quality)
  }

  @Test func `the highest prioritization that keeps up is chosen`() {
    var burst = Burst(milliseconds: [.quality: 600, .balanced: 180, .speed: 50])
    let choices = (0..<20).map { _ in burst.press(after: 200) }
    #expect(choices.suffix(5).allSatisfy { $0 == .balanced })
  }

  @Test func `a machine that keeps up lowers nothing`() {
    var burst = Burst(milliseconds: [.quality: 90, .balanced: 60, .speed: 30])
    #expect((0..<10).allSatisfy { _ in burst.press(after: 100) == .quality })
  }

  @Test func `a press that had to wait for the photos before is not calm`() {
    var burst = Burst(milliseconds: [.quality: 600, .balanced: 400, .speed: 150])
    #expect(burst.press(after: 200) == .quality)
    #expect(burst.press(after: 200) == .speed)
    burst.free += 1000
    #expect(burst.press(after: 900) == .speed)
  }

  @Test func `no photo gets more than was asked for`() {
    var burst = Burst(milliseconds: [.quality: 600, .balanced: 400, .speed: 150])
    #expect((0..<5).map { _ in burst.press(after: 5000, asking: .balanced) }.allSatisfy { $0 == .balanced })
    #expect((0..<5).map { _ in burst.press(after: 100, asking: .speed) }.allSatisfy { $0 == .speed })
  }

  @Test func `the expected times hold what was measured, and grow with the photos before`() {
    var pace = PhotoTimeEstimator()
    let kind = PhotoTimeEstimator.Kind(.jpeg(quality: nil), .balanced)
    var times = PhotoStageTimes(pressed: MonotonicInstant(nanoseconds: 0))
    times.developing = MonotonicInstant(nanoseconds: 0)
    times.processed = MonotonicInstant(nanoseconds: 3_000_000_000)
    pace.note(kind, Self.size, times)
    let alone = pace.processingSeconds(kind, Self.size, ahead: 0)
    #expect(alone.shortest <= 3 && alone.longest >= 3)
    #expect(pace.processingSeconds(kind, Self.size, ahead: 2).longest >= 9)
    let small = pace.processingSeconds(kind, FrameSize(width: 640, height: 480), ahead: 0)
    #expect(small.longest < alone.longest)
  }
}
