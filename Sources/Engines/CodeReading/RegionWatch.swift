package import Foundation
package import PixelTransforms

/// Chooses the part of each picture of a stream to search for codes that touch a region.
///
/// Of most pictures the region is searched, and a margin around it, so that codes that stick out a little are whole. What sticks
/// out farther is found in every sixth picture, the first one among them, which is searched whole; while such a code is in view,
/// the searched part reaches beyond it.
package struct RegionWatch: Sendable {
  private var region: CGRect?
  /// Pictures until a whole one is searched; 0 for the next.
  private var untilWhole = 0
  /// Around the codes that touch the region and were not inside of what is searched.
  private var beyond: CGRect?

  /// One in so many pictures is searched whole.
  package static let period = 6
  /// The margin, of the picture's longer side.
  package static let marginShare = 0.03125
  /// The farthest that a code that sticks out may move from one whole picture to the next, of its own size.
  private static let reach = 0.5

  /// A watch that has seen nothing.
  package init() {}

  /// The part of the next picture to search; all of it, `nil`, where that is no more work.
  ///
  /// - Parameters:
  ///   - region: The region, in pixels of the picture.
  ///   - size: The picture's.
  package mutating func part(touching region: CGRect, of size: PixelSize) -> PixelRect? {
    if region != self.region {
      self.region = region
      untilWhole = 0
      beyond = nil
    }
    defer { untilWhole = untilWhole == 0 ? Self.period - 1 : untilWhole - 1 }
    let picture = CGRect(x: 0, y: 0, width: size.width, height: size.height)
    let part = searched(of: size)
    guard untilWhole > 0, part.width * part.height < picture.width * picture.height else { return nil }
    return PixelRect(
      x: Int(part.minX), y: Int(part.minY), width: Int(part.width), height: Int(part.height))
  }

  /// Leaves of what was found what touches the region, and learns from it.
  ///
  /// - Parameters:
  ///   - codes: What was found in the part that was searched.
  ///   - isWhole: Whether that was the whole picture.
  package mutating func touching(
    _ codes: [RecognizedCode], of size: PixelSize, isWhole: Bool
  ) -> [RecognizedCode] {
    guard let region else { return codes }
    let found = codes.filter { $0.bounds.intersects(region) }
    if isWhole {
      beyond = nil
      let part = searched(of: size)
      for bounds in found.map(\.bounds) where !part.contains(bounds) {
        let around = bounds.insetBy(dx: -bounds.width * Self.reach, dy: -bounds.height * Self.reach)
        beyond = beyond?.union(around) ?? around
      }
    }
    return found
  }

  /// The region with its margin and the codes that stick out of it, in whole pixels of the picture.
  private func searched(of size: PixelSize) -> CGRect {
    let picture = CGRect(x: 0, y: 0, width: size.width, height: size.height)
    let margin = Self.marginShare * max(picture.width, picture.height)
    let part = (region ?? picture).insetBy(dx: -margin, dy: -margin)
    return (beyond?.union(part) ?? part).integral.intersection(picture)
  }
}
