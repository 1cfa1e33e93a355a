package import Foundation

/// A rectangle in a picture, such as a document on a table, as it is seen in perspective.
package struct FoundRectangle: Sendable, Hashable {
  /// Top left, top right, bottom right and bottom left as the picture is looked at, in its pixels from the top left.
  package var corners: [CGPoint]
  /// The fit of its outline to four straight lines, from 0 to 1.
  package var score: Double

  /// A rectangle with these corners, in any order around it.
  package init(corners: [CGPoint], score: Double) {
    self.corners = Self.ordered(corners)
    self.score = score
  }

  /// The smallest upright rectangle around it.
  package var bounds: CGRect {
    let (xs, ys) = (corners.map(\.x), corners.map(\.y))
    let (left, top) = (xs.min() ?? 0, ys.min() ?? 0)
    return CGRect(x: left, y: top, width: (xs.max() ?? 0) - left, height: (ys.max() ?? 0) - top)
  }

  /// Pixels that it covers.
  package var area: Double { abs(corners.signedArea) }

  /// Its width over its height as it is seen, from the mean lengths of opposite sides.
  package var aspect: Double {
    func length(_ a: Int, _ b: Int) -> Double {
      hypot(corners[a].x - corners[b].x, corners[a].y - corners[b].y)
    }
    let height = length(1, 2) + length(3, 0)
    return height > 0 ? (length(0, 1) + length(2, 3)) / height : 0
  }

  /// Clockwise, and from the corner that is nearest to the picture's top left on.
  private static func ordered(_ corners: [CGPoint]) -> [CGPoint] {
    // y goes downwards: with a positive area the order is clockwise.
    let clockwise = corners.signedArea >= 0 ? corners : corners.reversed()
    guard
      let first = clockwise.indices.min(by: {
        clockwise[$0].x + clockwise[$0].y < clockwise[$1].x + clockwise[$1].y
      })
    else { return corners }
    return Array(clockwise[first...] + clockwise[..<first])
  }
}

extension [CGPoint] {
  /// The area inside of the polygon; negative where it goes counterclockwise in a picture.
  var signedArea: Double {
    guard count > 2 else { return 0 }
    return indices.reduce(0) { sum, index in
      let (a, b) = (self[index], self[(index + 1) % count])
      return sum + (a.x * b.y - b.x * a.y)
    } / 2
  }
}
