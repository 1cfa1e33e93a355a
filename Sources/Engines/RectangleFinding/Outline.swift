internal import Foundation

/// The outline of a patch, and the four straight lines that it may follow.
struct Outline {
  /// Points on the outer edges of the patch's outermost pixels.
  let points: [CGPoint]

  /// The farthest that a point may lie from its line, in pixels of the searched picture.
  private static let tolerance = 1.5
  /// The least share of the outline that follows the lines.
  private static let leastShare = 0.9
  /// The least share of the rectangle that its patch covers; writing and pictures leave holes.
  private static let leastCover = 0.45
  /// The shortest side, of the longest one; shorter, it is a corner that is cut off.
  private static let leastSide = 0.1

  private let count: Int

  init(_ patch: Patch) {
    count = patch.count
    var points: [CGPoint] = []
    for (index, row) in patch.rows.enumerated() {
      let y = Double(patch.top + index) + 0.5
      points += [CGPoint(x: Double(row.first), y: y), CGPoint(x: Double(row.last + 1), y: y)]
    }
    for (index, column) in patch.columns.enumerated() {
      let x = Double(patch.left + index) + 0.5
      points += [CGPoint(x: x, y: Double(column.first)), CGPoint(x: x, y: Double(column.last + 1))]
    }
    self.points = points
  }

  /// The rectangle that the outline follows; `nil` where it follows none.
  var rectangle: FoundRectangle? {
    guard let guess = Self.widestQuad(Self.hull(points)), let corners = fitted(guess),
      Self.isRectangular(corners)
    else { return nil }
    let area = abs(corners.signedArea)
    guard area > 0, Double(count) >= Self.leastCover * area else { return nil }
    let lines = Self.sides(corners)
    let followers = points.count { point in lines.contains { abs($0.distance(to: point)) <= Self.tolerance } }
    let share = Double(followers) / Double(max(points.count, 1))
    guard share >= Self.leastShare else { return nil }
    return FoundRectangle(corners: corners, score: share * min(1, Double(count) / area))
  }

  // MARK: Four corners

  /// The convex hull, around it.
  private static func hull(_ points: [CGPoint]) -> [CGPoint] {
    let sorted = points.sorted { ($0.x, $0.y) < ($1.x, $1.y) }
    func half(_ points: [CGPoint]) -> [CGPoint] {
      var chain: [CGPoint] = []
      for point in points {
        while chain.count > 1, turn(chain[chain.count - 2], chain[chain.count - 1], point) <= 0 {
          chain.removeLast()
        }
        chain.append(point)
      }
      return chain.dropLast()
    }
    return half(sorted) + half(sorted.reversed())
  }

  private static func turn(_ a: CGPoint, _ b: CGPoint, _ c: CGPoint) -> Double {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
  }

  /// The four points of a hull that span the most, found by taking away what adds the least.
  private static func widestQuad(_ hull: [CGPoint]) -> [CGPoint]? {
    var corners = hull
    while corners.count > 4 {
      let least = corners.indices.min { loss($0, corners) < loss($1, corners) }
      guard let least else { return nil }
      corners.remove(at: least)
    }
    return corners.count == 4 ? corners : nil
  }

  /// The area that goes with a corner.
  private static func loss(_ index: Int, _ corners: [CGPoint]) -> Double {
    let count = corners.count
    return abs(turn(corners[(index + count - 1) % count], corners[index], corners[(index + 1) % count]))
  }

  /// The corners where lines through the outline's points meet, each fitted to the points beside a side of `guess`.
  private func fitted(_ guess: [CGPoint]) -> [CGPoint]? {
    var lines: [Line] = []
    for index in 0..<4 {
      let (a, b) = (guess[index], guess[(index + 1) % 4])
      let length = hypot(b.x - a.x, b.y - a.y)
      guard length > 4, let side = Line(through: a, b) else { return nil }
      // Near the corners, points may belong to the next side, or the corner may be round.
      let own = points.filter { point in
        let along = ((point.x - a.x) * (b.x - a.x) + (point.y - a.y) * (b.y - a.y)) / (length * length)
        return abs(side.distance(to: point)) <= 2 * Self.tolerance && (0.1...0.9).contains(along)
      }
      guard let line = Line(fitting: own) else { return nil }
      lines.append(line)
    }
    let corners = (0..<4).compactMap { lines[($0 + 3) % 4].meeting(lines[$0]) }
    return corners.count == 4 ? corners : nil
  }

  private static func sides(_ corners: [CGPoint]) -> [Line] {
    (0..<4).compactMap { Line(through: corners[$0], corners[($0 + 1) % 4]) }
  }

  /// Whether the angles are those of a rectangle in moderate perspective: 45 to 135 degrees, all turning the same way; and no side
  /// is much too short.
  private static func isRectangular(_ corners: [CGPoint]) -> Bool {
    let lengths = (0..<4).map { index in
      hypot(corners[index].x - corners[(index + 1) % 4].x, corners[index].y - corners[(index + 1) % 4].y)
    }
    guard (lengths.min() ?? 0) >= leastSide * (lengths.max() ?? 0) else { return false }
    let turns = (0..<4).map { index -> Double in
      let (a, b, c) = (corners[(index + 3) % 4], corners[index], corners[(index + 1) % 4])
      let lengths = hypot(b.x - a.x, b.y - a.y) * hypot(c.x - b.x, c.y - b.y)
      return lengths > 0 ? turn(a, b, c) / lengths : 0
    }
    return turns.allSatisfy { $0 > 0.7 } || turns.allSatisfy { $0 < -0.7 }
  }
}

/// A straight line: the places (x, y) with a x + b y = c, where (a, b) has length 1.
private struct Line {
  var a: Double, b: Double, c: Double

  init?(through first: CGPoint, _ second: CGPoint) {
    let length = hypot(second.x - first.x, second.y - first.y)
    guard length > 0 else { return nil }
    a = (first.y - second.y) / length
    b = (second.x - first.x) / length
    c = a * first.x + b * first.y
  }

  /// The line from which the points are the least away, by the squares of their distances.
  init?(fitting points: [CGPoint]) {
    guard points.count > 3 else { return nil }
    let count = Double(points.count)
    let middle = CGPoint(
      x: points.reduce(0) { $0 + $1.x } / count, y: points.reduce(0) { $0 + $1.y } / count)
    var (xx, xy, yy) = (0.0, 0.0, 0.0)
    for point in points {
      let (x, y) = (point.x - middle.x, point.y - middle.y)
      (xx, xy, yy) = (xx + x * x, xy + x * y, yy + y * y)
    }
    let angle = atan2(2 * xy, xx - yy) / 2
    (a, b) = (-sin(angle), cos(angle))
    c = a * middle.x + b * middle.y
  }

  func distance(to point: CGPoint) -> Double { a * point.x + b * point.y - c }

  /// The intersection of two lines; `nil` for almost parallel ones.
  func meeting(_ other: Line) -> CGPoint? {
    let determinant = a * other.b - other.a * b
    guard abs(determinant) > 0.3 else { return nil }
    return CGPoint(
      x: (c * other.b - other.c * b) / determinant, y: (a * other.c - other.a * c) / determinant)
  }
}
