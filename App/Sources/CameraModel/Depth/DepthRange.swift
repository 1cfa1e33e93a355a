/// The distances from one end of the colours to the other, which follow the scene so slowly that colours do not flicker.
struct DepthRange: Sendable {
  /// The share by which an end goes to where it should be, with each map.
  static let pace: Float = 0.15
  /// A scene that is so many times as near or as far is another one.
  static let jump: Float = 1.6

  private var ends: (near: Float, far: Float)?

  /// Takes what a map has, in metres; the range that is to be shown.
  mutating func take(_ near: Float, _ far: Float) -> (near: Float, far: Float) {
    func next(_ old: Float, _ new: Float) -> Float {
      max(old, new) > Self.jump * min(old, new) ? new : old + Self.pace * (new - old)
    }
    let now = ends.map { (next($0.near, near), next($0.far, far)) } ?? (near, far)
    ends = now
    return now
  }
}
