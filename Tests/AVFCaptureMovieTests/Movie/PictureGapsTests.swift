import AVFCapture
import Testing

@Suite("PictureGaps: what a camera did not bring")
struct PictureGapsTests {
  private static let frame: Int64 = 33_333_333

  /// The missing frames between pictures at these distances, in frames of a thirtieth of a second.
  private func missing(
    _ intervals: [Double], granted: Int64 = frame, exposures: [Double] = [], end: Double? = nil,
    losses: [Int: Int] = [:]
  ) -> Int {
    var gaps = PictureGaps(granted: granted)
    var time: Int64 = 1_000_000_000
    for index in 0...intervals.count {
      for _ in 0..<(losses[index] ?? 0) { gaps.noteLoss() }
      if index > 0 { time += Int64(intervals[index - 1] * Double(Self.frame)) }
      let exposure = index < exposures.count ? Int64(exposures[index] * Double(Self.frame)) : nil
      gaps.note(time, granted: granted, exposure: exposure)
    }
    if let end { gaps.end(at: time + Int64(end * Double(Self.frame))) }
    return gaps.missing
  }

  private let even = Array(repeating: 1.0, count: 12)

  @Test(arguments: [(1.0, 0), (1.4, 0), (2, 1), (3, 2), (4, 3), (30, 29), (136, 135)])
  func `a gap between even pictures lacks as many as fit in`(length: Double, count: Int) {
    #expect(missing(even + [length] + even) == count)
  }

  @Test(arguments: [0.5, 1, 1.5, 2, 4, 8] as [Double])
  func `a rate that changes lacks nothing`(interval: Double) {
    #expect(missing(even + Array(repeating: interval, count: 20) + even) == 0)
  }

  @Test func `a slower rate than the camera granted lacks nothing, from the first picture on`() {
    #expect(missing(Array(repeating: 4, count: 20)) == 0)
    #expect(missing(Array(repeating: 2, count: 20)) == 0)
  }

  @Test func `pictures that come unevenly lack nothing until a gap is longer than two`() {
    let uneven: [Double] = [1, 1, 1, 1, 2, 1, 1, 1, 1, 2, 1, 1, 1, 1, 2, 1, 1, 1, 1, 2]
    #expect(missing([0.8, 1.3, 0.9, 1.6, 0.7, 1.2, 1.7, 0.6, 1.5, 0.9, 2, 0.8, 1.1]) == 0)
    #expect(missing(Array(uneven.dropFirst(3)) + [10] + uneven) == 9)
  }

  @Test func `a long exposure lacks nothing`() {
    let exposures = Array(repeating: 0.5, count: 12) + [10] + Array(repeating: 0.5, count: 12)
    #expect(missing(even + [10] + even, exposures: exposures) == 0)
    #expect(missing(even + [10] + even, exposures: Array(repeating: 0.5, count: 30)) == 9)
  }

  @Test func `what the camera reports itself is not counted again`() {
    #expect(missing(even + [4] + even, losses: [13: 3]) == 0)
    #expect(missing(even + [6] + even, losses: [13: 3]) == 2)
  }

  @Test func `a camera that stands still until the end lacks what it would have brought`() {
    #expect(missing(even, end: 1) == 0)
    #expect(missing(even, end: 2.2) == 0)
    #expect(missing(even, end: 180) == 179)
    #expect(missing(even + [4], end: 1) == 3)
  }

  @Test func `a pause, or another camera, is no gap`() {
    var gaps = PictureGaps(granted: Self.frame)
    for index in 0..<12 { gaps.note(Int64(index) * Self.frame, granted: Self.frame, exposure: nil) }
    gaps.interrupt()
    for index in 50..<60 { gaps.note(Int64(index) * Self.frame, granted: Self.frame, exposure: nil) }
    #expect(gaps.missing == 0)
  }
}
