package import Foundation

/// The region of interest of a segmenter: a rectangle around all people, or the whole picture.
///
/// A model has a fixed, small input, so that a smaller region gives a finer outline. The outline jumps whenever the region changes, which
/// it therefore does rarely: it grows when people come close to its edge, and shrinks when they fill much less of it.
package struct SegmentedPart: Sendable, Hashable {
  /// The region, in pixels of the picture.
  package private(set) var part: CGRect
  private let picture: CGRect

  /// The margin around the people's bounding box, as a share of its width and height.
  private static let margin = 0.125
  /// The least margin before the region grows.
  private static let nearest = 0.05
  /// The share of the region's area below which a smaller region replaces it.
  private static let shrinking = 0.6

  /// The region that is the whole picture.
  package init(of picture: CGRect) {
    (part, self.picture) = (picture, picture)
  }

  /// Whether the region is the whole picture.
  package var isAll: Bool { part == picture }

  /// Updates the region with the result of a pass.
  ///
  /// - Parameter people: The bounding box of all people; `nil`, without people, resets the region to the whole picture.
  package mutating func follow(_ people: CGRect?) {
    guard let people, !people.isEmpty else {
      part = picture
      return
    }
    let needed = around(people, Self.nearest)
    let wanted = around(people, Self.margin)
    if !part.contains(needed) {
      part = wanted.union(part.intersection(around(people, 2 * Self.margin)))
    } else if wanted.width * wanted.height < Self.shrinking * part.width * part.height {
      part = wanted
    }
  }

  private func around(_ people: CGRect, _ share: Double) -> CGRect {
    people.insetBy(dx: -share * people.width, dy: -share * people.height).intersection(picture)
  }
}
