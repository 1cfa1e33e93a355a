public import Foundation

/// A place on a layer's way, and when the layer is there.
public struct SceneWayPoint: Sendable, Hashable {
  /// Seconds since the device started.
  public var at: Double
  /// The layer's middle, in fractions of the frame's width and height.
  public var center: CGPoint

  /// A place at a time.
  public init(at: Double, center: CGPoint) {
    self.at = at
    self.center = center
  }
}

extension [SceneWayPoint] {
  /// The place at `seconds`: from each point to the next it speeds up and slows down; at 0 it is at `start`.
  func place(at seconds: Double, from start: CGPoint) -> CGPoint {
    guard let next = firstIndex(where: { $0.at > seconds }) else { return last?.center ?? start }
    let former = next > 0 ? self[next - 1] : SceneWayPoint(at: 0, center: start)
    return Self.between(former, self[next], seconds)
  }

  private static func between(_ first: SceneWayPoint, _ second: SceneWayPoint, _ seconds: Double) -> CGPoint {
    guard second.at > first.at else { return second.center }
    let time = Swift.min(Swift.max((seconds - first.at) / (second.at - first.at), 0), 1)
    let share = time * time * (3 - 2 * time)
    return CGPoint(
      x: first.center.x + (second.center.x - first.center.x) * share,
      y: first.center.y + (second.center.y - first.center.y) * share)
  }
}
