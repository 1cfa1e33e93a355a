/// A window on its way to another: it speeds up and slows down evenly, and stops there.
///
/// The way is followed by a point whose speed is the one from which it can still stop at the aim (a square root of the rest of the way,
/// near the aim a share of it), and whose acceleration is bounded; the window is that point after a filter of the first order. So the
/// window's speed and acceleration have the point's bounds, and its jerk is bounded, too.
struct FramingMotion: Sendable {
  /// How fast it goes: in the picture's sides, and seconds.
  struct Pace: Sendable, Hashable {
    var speed: Double
    var acceleration: Double
    /// The share of the rest of the way that is gone in a second, near the aim.
    var gain: Double

    /// For changes that may take their time.
    static let calm = Pace(speed: 0.4, acceleration: 0.8, gain: 2.5)
    /// For a face that is about to be cut off.
    static let quick = Pace(speed: 1.4, acceleration: 4, gain: 5)
  }

  /// The window.
  private(set) var window: FramingWindow
  private var point: FramingWindow
  /// The point's speed along each number.
  private var speed = (x: 0.0, y: 0.0, side: 0.0)

  /// The filter's time, in seconds.
  private static let smoothing = 0.1
  /// The longest step, in seconds.
  private static let longestStep = 1.0 / 90

  init(at window: FramingWindow) {
    self.window = window
    point = window
  }

  /// Goes on towards `aim` for so many seconds.
  mutating func advance(to aim: FramingWindow, _ pace: Pace, by seconds: Double) {
    // A frame's time is a whole number of nanoseconds: a little more than three steps are three.
    let count = Int((seconds / Self.longestStep - 0.001).rounded(.up))
    guard count > 0 else { return }
    for _ in 0..<count { step(to: aim, pace, seconds / Double(count)) }
  }

  private mutating func step(to aim: FramingWindow, _ pace: Pace, _ time: Double) {
    let way = (x: aim.x - point.x, y: aim.y - point.y, side: aim.side - point.side)
    let rest = Self.length(way)
    let wanted = rest > 0 ? Self.speed(rest, pace) / rest : 0
    let change = (
      x: way.x * wanted - speed.x, y: way.y * wanted - speed.y, side: way.side * wanted - speed.side
    )
    // What is too fast for a calm pace may still be stopped in time.
    let slows = Self.length(speed) > wanted * rest
    let most = (slows ? Pace.quick : pace).acceleration * time
    let share = min(1, most / max(Self.length(change), 1e-12))
    speed = (
      x: speed.x + change.x * share, y: speed.y + change.y * share, side: speed.side + change.side * share
    )
    point.x += speed.x * time
    point.y += speed.y * time
    point.side += speed.side * time
    let follows = time / (Self.smoothing + time)
    window.x += (point.x - window.x) * follows
    window.y += (point.y - window.y) * follows
    window.side += (point.side - window.side) * follows
  }

  /// The speed from which the rest of a way is enough to stop.
  private static func speed(_ rest: Double, _ pace: Pace) -> Double {
    let near = pace.acceleration / (pace.gain * pace.gain)
    let stopping =
      rest < near ? pace.gain * rest : (2 * pace.acceleration * (rest - near / 2)).squareRoot()
    return min(stopping, pace.speed)
  }

  private static func length(_ numbers: (x: Double, y: Double, side: Double)) -> Double {
    (numbers.x * numbers.x + numbers.y * numbers.y + numbers.side * numbers.side).squareRoot()
  }
}
