import CoreMedia

/// Which pictures and sounds a film takes, and when it shows each of them.
///
/// A film as it happens leaves out its pauses; a time-lapse takes a picture at a time, and shows them one after the other.
struct FilmTimes: Sendable {
  /// Pictures a second of a time-lapse.
  static let rate: Int32 = 30

  let pace: FilmPace
  /// Whether nothing is taken.
  var isPaused = false {
    didSet { if isPaused { needsJoin = true } }
  }
  /// Where the film ends: after its last picture.
  private(set) var end = CMTime.zero
  /// When the next picture of a time-lapse is due, at the camera's clock.
  private var due: CMTime?
  /// From the camera's clock to the film's.
  private var shift = CMTime.zero
  /// Whether the next picture follows the last one, whatever time has passed.
  private var needsJoin = true
  private var soundEnd = CMTime.zero

  init(_ pace: FilmPace) { self.pace = pace }

  /// Whether no picture was taken yet.
  var isEmpty: Bool { end == .zero }

  /// When the film would show a picture; `nil` when the film leaves it out.
  func place(ofPictureAt time: CMTime) -> CMTime? {
    guard !isPaused else { return nil }
    guard pace == .live else { return due.map { time >= $0 } ?? true ? end : nil }
    guard !needsJoin else { return end }
    let place = time - shift
    // A camera that is slower than its stamps may repeat one.
    return place > end - frame ? place : nil
  }

  /// Notes that a picture was taken.
  mutating func takePicture(at time: CMTime) {
    guard let place = place(ofPictureAt: time) else { return }
    end = place + frame
    if needsJoin {
      (shift, needsJoin) = (time - place, false)
      soundEnd = place
    }
    guard pace != .live else { return }
    // Times are kept to the clock and not to the last picture, unless some were missed.
    let step = CMTime(seconds: pace.seconds, preferredTimescale: 1_000)
    let next = (due ?? time) + step
    due = next > time ? next : time + step
  }

  /// Takes a sound, and returns when the film plays it; `nil` when the film leaves it out.
  mutating func takeSound(at time: CMTime, duration: CMTime) -> CMTime? {
    guard pace == .live, !isPaused, !needsJoin else { return nil }
    let place = time - shift
    guard place >= soundEnd else { return nil }
    soundEnd = place + (duration.isNumeric ? duration : .zero)
    return place
  }

  /// How long a picture is shown when no other one follows.
  private var frame: CMTime { CMTime(value: 1, timescale: Self.rate) }
}
