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
  /// How much of the map is seen over the picture, from 0 to 1.
  package var mix = 0.7
  /// Whether the user wants maps that are smooth over time.
  package var wantsSmoothing = true
  /// Whether points in space are shown instead of the map.
  package var showsCloud = false
  /// Whether the user wants points that sway by themselves.
  package var wantsSway = true
  /// Whether they sway: until they are touched.
  package var sways = false
  /// The photo that is turned to by nods, counted from the newest; `nil` while none is shown.
  package var page: Int?
  /// Nods until now.
  package var nods = 0

  /// Nothing is measured yet.
  package init() {}

  /// Whether maps are smoothed: never for points, which are what the sensor measured.
  package var smooths: Bool { wantsSmoothing && !showsCloud }
}
