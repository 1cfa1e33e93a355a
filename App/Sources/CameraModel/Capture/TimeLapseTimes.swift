import CoreMedia

/// Which pictures a time-lapse takes, and when it shows each of them: one at a time, and one after the other.
struct TimeLapseTimes: Sendable {
  /// Pictures a second of the video.
  static let rate: Int32 = 30

  /// Seconds from one picture to the next.
  let step: Double
  /// Whether nothing is taken.
  var isPaused = false
  /// Where the video ends: after its last picture.
  private(set) var end = CMTime.zero
  /// When the next picture is due, at the camera's clock.
  private var due: CMTime?
  /// When the first picture was taken, at the camera's clock.
  private var begin: CMTime?

  init(step: Double) { self.step = step }

  /// Whether no picture was taken yet.
  var isEmpty: Bool { end == .zero }

  /// When the video would show a picture; `nil` when it leaves it out.
  func place(ofPictureAt time: CMTime) -> CMTime? {
    isPaused || due.map { time < $0 } ?? false ? nil : end
  }

  /// Notes that a picture was taken.
  mutating func takePicture(at time: CMTime) {
    guard let place = place(ofPictureAt: time) else { return }
    end = place + CMTime(value: 1, timescale: Self.rate)
    // Pictures keep to the clock and not to the last one: each is due at the first picture + a number of steps, also when some were missed.
    let begin = begin ?? time
    self.begin = begin
    let step = CMTime(value: max(1, Int64((step * 1e9).rounded())), timescale: 1_000_000_000)
    let passed = (time - begin).convertScale(1_000_000_000, method: .roundTowardZero).value / step.value
    due = begin + CMTime(value: (passed + 1) * step.value, timescale: 1_000_000_000)
  }
}
