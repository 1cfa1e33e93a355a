internal import Foundation

/// The projective map of a layer's plane that a chain of layer transforms makes: a 3×3 matrix for row vectors `[x y 1]`.
///
/// Layers flatten what lies in them, so depth matters only within one step and drops out between steps.
struct Homography {
  private var rows: [[CGFloat]]

  init(_ transform: CATransform3D) {
    rows = [
      [transform.m11, transform.m12, transform.m14],
      [transform.m21, transform.m22, transform.m24],
      [transform.m41, transform.m42, transform.m44],
    ]
  }

  static let identity = Homography(CATransform3DIdentity)

  func followed(by other: Homography) -> Homography {
    var result = self
    result.rows = (0..<3).map { row in
      (0..<3).map { column in (0..<3).reduce(0) { $0 + rows[row][$1] * other.rows[$1][column] } }
    }
    return result
  }

  /// The way back; `nil` when the plane is seen from its edge or scaled to nothing.
  var inverted: Homography? {
    func minor(_ row: Int, _ column: Int) -> CGFloat {
      let r = [0, 1, 2].filter { $0 != row }
      let c = [0, 1, 2].filter { $0 != column }
      let value = rows[r[0]][c[0]] * rows[r[1]][c[1]] - rows[r[0]][c[1]] * rows[r[1]][c[0]]
      return (row + column) % 2 == 0 ? value : -value
    }
    let determinant = (0..<3).reduce(0) { $0 + rows[0][$1] * minor(0, $1) }
    guard abs(determinant) > 1e-12 else { return nil }
    var result = self
    result.rows = (0..<3).map { row in (0..<3).map { column in minor(column, row) / determinant } }
    return result
  }

  func applied(to point: CGPoint) -> CGPoint {
    let x = point.x * rows[0][0] + point.y * rows[1][0] + rows[2][0]
    let y = point.x * rows[0][1] + point.y * rows[1][1] + rows[2][1]
    let w = point.x * rows[0][2] + point.y * rows[1][2] + rows[2][2]
    // A point on the horizon has no place; the identity keeps callers free of infinities.
    guard w != 0 else { return point }
    return CGPoint(x: x / w, y: y / w)
  }

  /// The smallest upright rectangle around the image of `rect`.
  func boundingBox(of rect: CGRect) -> CGRect {
    let corners = [
      CGPoint(x: rect.minX, y: rect.minY), CGPoint(x: rect.maxX, y: rect.minY),
      CGPoint(x: rect.minX, y: rect.maxY), CGPoint(x: rect.maxX, y: rect.maxY),
    ].map(applied(to:))
    let xs = corners.map(\.x)
    let ys = corners.map(\.y)
    let minX = xs.min() ?? 0
    let minY = ys.min() ?? 0
    return CGRect(x: minX, y: minY, width: (xs.max() ?? 0) - minX, height: (ys.max() ?? 0) - minY)
  }
}
