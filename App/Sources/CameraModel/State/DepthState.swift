import Foundation

/// The state of the depth screen.
package struct DepthState: Sendable, Equatable {
  /// The place whose distance is wanted, in fractions of the picture as it is shown.
  package var place = CGPoint(x: 0.5, y: 0.5)
  /// Metres to what is there; `nil` where the camera does not know.
  package var metres: Double?
  /// The least and the greatest distance in view.
  package var nearest: Double?
  package var farthest: Double?
  /// The photo that is turned to by nods, counted from the newest; `nil` while none is shown.
  package var page: Int?
  /// Nods until now.
  package var nods = 0

  /// Nothing is measured yet.
  package init() {}
}
