internal import CoreMedia

/// Which moment of a stream of audio is when, by the times that its buffers came with.
///
/// A device's clock is not the one of the times: small differences are its jitter, and what adds up over minutes is followed in
/// steps of 10 ms, which is less than half a frame of video.
struct AudioTimeline {
  private let rate: Int32
  private let sourceRate: Double
  private var received = 0
  /// From which moment on which time counts, in order.
  private var anchors: [(frame: Int64, time: CMTime)] = []

  init(rate: Int32, sourceRate: Double) {
    self.rate = rate
    self.sourceRate = sourceRate
  }

  /// Notes that `frames` moments of the source begin at `time`.
  mutating func add(_ frames: Int, at time: CMTime) {
    let position = Int64((Double(received) * Double(rate) / sourceRate).rounded())
    let isExpected =
      anchors.last.map { anchor in
        let expected = anchor.time + CMTime(value: position - anchor.frame, timescale: rate)
        return abs((time - expected).seconds) <= 0.01
      } ?? false
    if !isExpected { anchors.append((position, time)) }
    received += frames
  }

  /// When a moment of what comes out is, in units of its rate; before the first one for an encoder's priming.
  mutating func time(ofFrame frame: Int64) -> CMTime {
    while anchors.count > 1, anchors[1].frame <= frame { anchors.removeFirst() }
    guard let anchor = anchors.first else { return CMTime(value: frame, timescale: rate) }
    let begin = anchor.time.convertScale(rate, method: .roundHalfAwayFromZero)
    return CMTime(value: begin.value + frame - anchor.frame, timescale: rate)
  }
}
