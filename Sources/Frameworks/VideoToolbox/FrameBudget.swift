/// The budget of bits by which frames are left out, so that those that keep a quality keep a rate, too.
///
/// What the rate allows is saved up as time passes and spent by samples. An encoder that may choose coarser quantizers keeps the rate by
/// itself. One that has come to the coarsest that is allowed does not: then a frame is coded when half of what it will cost is there, so
/// that the sum is as often above the rate as below it. A plain value; bits and seconds.
struct FrameBudget {
  /// How far encoders run ahead of the rate or stay behind by themselves, in seconds of it.
  static let window = 0.5

  private var saved = 0.0
  private var lastTime: Double?
  private var lastCost = 0.0
  private var isCoarsest = false

  /// Whether a frame is coded; the first one always is.
  mutating func admits(at time: Double, rate: Double) -> Bool {
    guard let lastTime else {
      self.lastTime = time
      return true
    }
    self.lastTime = max(time, lastTime)
    saved += max(0, time - lastTime) * rate
    // Less would never allow the next frame.
    saved = min(saved, max(rate * Self.window, lastCost / 2))
    return saved >= lastCost / 2 || (!isCoarsest && saved > -rate * Self.window)
  }

  /// A frame has cost so many bits, with the coarsest quantizer that is allowed or a finer one.
  mutating func spend(_ bits: Int, isCoarsest: Bool) {
    saved -= Double(bits)
    lastCost = Double(bits)
    self.isCoarsest = isCoarsest
  }
}
