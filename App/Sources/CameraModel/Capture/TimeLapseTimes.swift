import CoreMedia

/// Which pictures a time-lapse takes, and when it shows each of them: one at a time, and one after the other.
///
/// The first picture begins slots of one step each, which all following ones keep to: a slot's picture is its first one, a slot without
/// one is left out and counted, and none is made up for. Moments are on a clock that goes on while the machine is asleep.
struct TimeLapseTimes: Sendable {
  /// Pictures a second of the video.
  static let rate: Int32 = 30
  /// The times of a camera vary: a picture that comes so little before its slot is that slot's.
  private static let tolerance: Int64 = 5_000_000

  /// Seconds from one picture to the next.
  let step: Double
  /// Whether nothing is taken.
  var isPaused = false {
    didSet { if isPaused { isExcused = true } }
  }
  /// Where the video ends: after its last picture.
  private(set) var end = CMTime.zero
  /// The slots between the first and the last picture that have none, but for those of pauses.
  private(set) var missed = 0
  /// When the first picture was taken.
  private var begin: Int64?
  /// The slot of the last picture.
  private var last = 0
  /// Whether there was a pause since the last picture.
  private var isExcused = false

  init(step: Double) { self.step = step }

  /// Whether no picture was taken yet.
  var isEmpty: Bool { end == .zero }

  /// When the video would show a picture; `nil` when it leaves it out.
  func place(ofPictureAt time: CMTime) -> CMTime? {
    isPaused || slot(of: time).map { $0 <= last } ?? false ? nil : end
  }

  /// Notes that a picture was taken.
  mutating func takePicture(at time: CMTime) {
    guard let place = place(ofPictureAt: time) else { return }
    end = place + CMTime(value: 1, timescale: Self.rate)
    if let slot = slot(of: time) {
      if !isExcused { missed += slot - last - 1 }
      last = slot
    } else {
      begin = Self.nanoseconds(time)
    }
    isExcused = false
  }

  /// The slot of a picture, the first picture's being 0; `nil` before that.
  private func slot(of time: CMTime) -> Int? {
    begin.map { begin in
      let length = max(1, Int64((step * 1e9).rounded()))
      return Int((Self.nanoseconds(time) - begin + min(Self.tolerance, length / 4)) / length)
    }
  }

  private static func nanoseconds(_ time: CMTime) -> Int64 {
    time.convertScale(1_000_000_000, method: .roundHalfAwayFromZero).value
  }
}
