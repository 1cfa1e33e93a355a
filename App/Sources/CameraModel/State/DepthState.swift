import Foundation

/// What the depth screen shows.
public struct DepthState: Sendable, Equatable {
  /// The place whose distance is wanted, in fractions of the picture as it is shown.
  public var place = CGPoint(x: 0.5, y: 0.5)
  /// Metres to what is there; `nil` where the camera does not know.
  public var metres: Double?
  /// The least and the greatest distance in view.
  public var nearest: Double?
  public var farthest: Double?
  /// The photo that is turned to by nods, counted from the newest; `nil` while none is shown.
  public var page: Int?
  /// Nods until now.
  public var nods = 0

  /// Nothing is measured yet.
  public init() {}
}
