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
    // Times are kept to the clock and not to the last picture, unless some were missed.
    let step = CMTime(seconds: step, preferredTimescale: 1_000)
    let next = (due ?? time) + step
    due = next > time ? next : time + step
  }
}
