import Foundation

/// A hand that moves the searched part of the picture, or one of its edges or corners; in fractions of the picture.
package struct RegionDrag: Sendable {
  private enum Side: Sendable { case low, high, none }

  private let region: CGRect
  private let across: Side
  private let down: Side

  /// The least width and height.
  package static let least = 0.15

  /// Takes hold of a region; `nil` beside it.
  ///
  /// Within `reach` of an edge, the edge is held.
  package init?(_ region: CGRect, at place: CGPoint, reach: CGSize) {
    guard region.insetBy(dx: -reach.width, dy: -reach.height).contains(place) else { return nil }
    func side(_ value: Double, _ low: Double, _ high: Double, _ reach: Double) -> Side {
      // What is small can still be moved as a whole.
      let reach = min(reach, (high - low) / 3)
      return value < low + reach ? .low : value > high - reach ? .high : .none
    }
    self.region = region
    across = side(place.x, region.minX, region.maxX, reach.width)
    down = side(place.y, region.minY, region.maxY, reach.height)
  }

  /// The region after the hand has moved so far.
  package func moved(_ dx: Double, _ dy: Double) -> CGRect {
    let isWhole = across == .none && down == .none
    func span(_ low: Double, _ high: Double, _ side: Side, _ by: Double) -> (Double, Double) {
      switch side {
      case .low: (min(max(0, low + by), high - Self.least), high)
      case .high: (low, max(min(1, high + by), low + Self.least))
      case .none where isWhole:
        (min(max(0, low + by), 1 - (high - low)), min(max(0, low + by), 1 - (high - low)) + (high - low))
      case .none: (low, high)
      }
    }
    let x = span(region.minX, region.maxX, across, dx)
    let y = span(region.minY, region.maxY, down, dy)
    return CGRect(x: x.0, y: y.0, width: x.1 - x.0, height: y.1 - y.0)
  }

  /// The region made larger or smaller around its middle, for keys.
  package static func scaled(_ region: CGRect, by factor: Double) -> CGRect {
    let width = min(1, max(least, region.width * factor))
    let height = min(1, max(least, region.height * factor))
    return CGRect(
      x: min(max(0, region.midX - width / 2), 1 - width),
      y: min(max(0, region.midY - height / 2), 1 - height),
      width: width, height: height)
  }
}
