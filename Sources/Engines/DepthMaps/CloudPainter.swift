internal import simd

/// Draws point clouds as they look from a viewpoint, what is nearer before what is farther.
///
/// Each point is a square as large as what it stands for: a cell of 64 bits keeps the distance above the colour, so that the least
/// cell wins. The cells' memory is kept from picture to picture. One object for one view; not thread-safe.
///
/// Cost: one pass over the points and one over the picture; some 10 milliseconds for 640×480 points in 1280×720 pixels on one core.
public struct CloudPainter: Sendable {
  /// What is nearer to the viewer is not drawn, in metres.
  static let nearest: Float = 0.02
  /// The widest square of a point, in pixels less one.
  static let widest: Float = 7

  private var cells: [UInt64] = []

  /// A painter without memory.
  public init() {}

  /// Draws a cloud.
  ///
  /// - Parameters:
  ///   - view: From where; see ``CloudView``.
  ///   - focal: Pixels for a slope of 1: the camera's own, times the picture's width over that of the camera's pictures, shows what the
  ///     camera saw.
  ///   - background: The colour where no point is, as ``PointCloud/Point/color``.
  ///   - pixels: Rows of `width` pixels without gaps, as many as `height`.
  public mutating func paint(
    _ cloud: PointCloud, from view: CloudView, focal: Float, background: UInt32, width: Int, height: Int,
    into pixels: UnsafeMutableBufferPointer<UInt32>
  ) {
    precondition(pixels.count == width * height, "A picture has a pixel for each of its places.")
    let empty = UInt64(Float.infinity.bitPattern) << 32 | UInt64(background)
    if cells.count == pixels.count {
      cells.withUnsafeMutableBufferPointer { $0.update(repeating: empty) }
    } else {
      cells = [UInt64](repeating: empty, count: pixels.count)
    }
    let columns = view.turn.columns
    let (a, b, c) = (columns.0, columns.1, columns.2)
    let (pivot, away) = (view.pivot, view.pivot / view.zoom)
    let middleX = Float(width) / 2 + view.shift.x * Float(height)
    let middleY = Float(height) / 2 + view.shift.y * Float(height)
    let (right, bottom) = (Float(width), Float(height))
    let square = cloud.spacing * focal
    cells.withUnsafeMutableBufferPointer { cells in
      cloud.points.withUnsafeBufferPointer { points in
        for point in points {
          let (x, y, z) = (point.x, point.y, point.z - pivot)
          let distance = a.z * x + b.z * y + c.z * z + away
          guard distance > Self.nearest else { continue }
          let scale = focal / distance
          let across = middleX + (a.x * x + b.x * y + c.x * z) * scale
          let down = middleY + (a.y * x + b.y * y + c.y * z) * scale
          guard across >= 0, across < right, down >= 0, down < bottom else { continue }
          let cell = UInt64(distance.bitPattern) << 32 | UInt64(point.color)
          // More than its share, so that neighbours meet after rounding, also where noise has moved them apart.
          let size = Int(min(square * point.z / distance * 1.2 + 0.4, Self.widest)) + 1
          if size == 1 {
            let place = Int(down) * width + Int(across)
            if cell < cells[place] { cells[place] = cell }
            continue
          }
          let half = Float(size) / 2
          let left = max(Int(across - half + 0.5), 0), top = max(Int(down - half + 0.5), 0)
          let end = min(left + size, width)
          for row in top..<min(top + size, height) {
            for place in row * width + left..<row * width + end where cell < cells[place] {
              cells[place] = cell
            }
          }
        }
      }
      for place in pixels.indices { pixels[place] = UInt32(truncatingIfNeeded: cells[place]) }
    }
  }
}
