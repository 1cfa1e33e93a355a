/// Finds nods in how far the middle of the picture is: nearer by some centimetres and back again, within a second.
struct NodDetector {
  /// The distance that a head must come nearer, in metres.
  static let depth: Float = 0.05
  /// The longest nod, in seconds.
  static let longest = 1.5

  private var rest: Float?
  private var nearSince: Double?
  private var nearest = Float.infinity

  /// Takes the distance at a time; returns whether a nod has just ended.
  mutating func take(_ metres: Float?, at seconds: Double) -> Bool {
    guard let metres else { return false }
    guard let rest else {
      self.rest = metres
      return false
    }
    if let began = nearSince {
      nearest = min(nearest, metres)
      if metres > nearest + (rest - nearest) * 0.6 {
        nearSince = nil
        self.rest = max(metres, nearest)
        return seconds - began <= Self.longest
      }
      if seconds - began > Self.longest {
        // It stays near: that is where it rests from now on.
        nearSince = nil
        self.rest = metres
      }
    } else if rest - metres > Self.depth {
      nearSince = seconds
      nearest = metres
    } else {
      // The rest follows what moves slowly, and at once what goes away.
      self.rest = metres > rest ? metres : rest + (metres - rest) * 0.1
    }
    return false
  }
}
