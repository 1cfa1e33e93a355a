internal import CoreMedia

/// The presentation times of samples of a stream of coded audio, by the time stamps of the buffers that they came in.
///
/// A jump of the times is a gap: what follows is later. A device's clock that is not quite the one of the times is no
/// gap: the audio itself is made longer or shorter by as much (``stretch``), because players count samples and do
/// not look at their times.
///
/// The loop is of second order and critically damped: a constant difference of the clocks leaves no error at all, and jitter of
/// the times is averaged over some ten seconds. Source: F. Adriaensen, "Using a DLL to filter time", Linux Audio
/// Conference 2005, section 3.
struct AudioTimeline {
  /// A time that deviates by more is a gap, in seconds: less than the chunks that devices lose.
  private static let jump = 0.008
  /// An error below which audio that was not stretched yet stays exactly what it is.
  private static let tolerance = 0.001
  /// The loop's bandwidth, in radians a second.
  private static let bandwidth = 0.1
  /// The greatest stretch: some five cents, which are not heard.
  private static let greatest = 0.003

  private let rate: Int32
  /// From which moment on which time counts, in order.
  private var anchors: [(frame: Int64, time: CMTime)] = []
  /// The newest anchor's place in the audio that comes out, in nanoseconds.
  private var origin: Int64 = 0
  /// When the buffer before this one began.
  private var last: CMTime?
  private var constant = 0.0

  /// By which part the audio is to be longer than it came in; `nil` as long as its clock is that of the times.
  private(set) var stretch: Double?

  init(rate: Int32) {
    self.rate = rate
  }

  /// Notes that what is sent next begins at `time`, and lies behind so many nanoseconds of audio that come out before it.
  mutating func add(at time: CMTime, behind length: Int64) {
    defer { last = time }
    guard let anchor = anchors.last, let last else { return begin(at: time, behind: length) }
    let passed = Double(length - origin) / 1e9
    let error = (time - anchor.time).seconds - passed
    guard abs(error) <= Self.jump else { return begin(at: time, behind: length) }
    guard stretch != nil || abs(error) > Self.tolerance else { return }
    let seconds = min(max((time - last).seconds, 0), 1)
    constant += Self.bandwidth * Self.bandwidth * error * seconds
    constant = min(max(constant, -Self.greatest), Self.greatest)
    stretch = min(max(constant + 2 * Self.bandwidth * error, -Self.greatest), Self.greatest)
  }

  private mutating func begin(at time: CMTime, behind length: Int64) {
    anchors.append((Int64((Double(length) * Double(rate) / 1e9).rounded()), time))
    origin = length
  }

  /// When a moment of what comes out is, in units of its rate; before the first one for an encoder's priming.
  mutating func time(ofFrame frame: Int64) -> CMTime {
    while anchors.count > 1, anchors[1].frame <= frame { anchors.removeFirst() }
    guard let anchor = anchors.first else { return CMTime(value: frame, timescale: rate) }
    let begin = anchor.time.convertScale(rate, method: .roundHalfAwayFromZero)
    return CMTime(value: begin.value + frame - anchor.frame, timescale: rate)
  }
}
