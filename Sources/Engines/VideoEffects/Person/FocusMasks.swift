package import DepthMaps
package import Foundation

/// What of a picture is out of focus, from a depth map: two masks, for a slight and for the full blur.
///
/// A lens's discs grow with the difference of a place's disparity from that of the plane in focus, whatever lies there: in front of the
/// person, too. Here it is counted in parts of the plane's disparity, so that a person at three metres is cut out like one at one metre.
/// Cost: three passes over the part, half a millisecond for 640×480.
package struct FocusMasks: Sendable {
  /// What is blurred with half of the radius: 0 where the blur is half or more, 255 in focus.
  package let slight: PersonMask
  /// What is blurred with the whole radius: 0 where the blur is full, 255 where it is half or less.
  package let full: PersonMask

  /// Up to this difference everything is in focus: at one metre from 0.85 to 1.2 m, as deep as a person.
  private static let sharp: Float = 0.16
  /// From this difference on the blur is full: at one metre from 2.5 m on, and up to 0.6 m.
  private static let blurred: Float = 0.6

  /// The masks of a part of a depth map; `nil` of a map in which nothing is known.
  ///
  /// - Parameters:
  ///   - depth: Places at which nothing is known are taken to be as far away as the farther of their neighbours in the row, for mostly they
  ///     lie beside what hides the background from the sensor.
  ///   - part: In the map's width and height from its top left; beyond the map its edge goes on.
  ///   - focus: The metres of the plane in focus.
  package init?(_ depth: DepthMap, part: CGRect = CGRect(x: 0, y: 0, width: 1, height: 1), focus: Double) {
    let (columns, rows) = Self.places(of: part, in: depth)
    guard !columns.isEmpty, !rows.isEmpty, !depth.values.isEmpty, focus > 0 else { return nil }
    let (plane, isDepth) = (Float(1 / focus), depth.quantity == .depth)
    var slight: [UInt8] = []
    var full: [UInt8] = []
    slight.reserveCapacity(columns.count * rows.count)
    full.reserveCapacity(columns.count * rows.count)
    var row = [Float](repeating: .nan, count: columns.count)
    var unknown = 0
    for y in rows {
      for (index, x) in columns.enumerated() {
        let (inX, inY) = (min(max(0, x), depth.width - 1), min(max(0, y), depth.height - 1))
        let value = depth.values[inY * depth.width + inX]
        row[index] = isDepth ? 1 / value : value
      }
      guard Self.fill(&row) else {
        // Nothing is known in this row: as in the one before, or the first that follows.
        if slight.isEmpty {
          unknown += 1
        } else {
          slight += slight.suffix(columns.count)
          full += full.suffix(columns.count)
        }
        continue
      }
      for disparity in row {
        let difference = abs(disparity - plane) / plane
        let blur = min(1, max(0, (difference - Self.sharp) / (Self.blurred - Self.sharp)))
        slight.append(UInt8(255 * (1 - min(1, 2 * blur)) + 0.5))
        full.append(UInt8(255 * (1 - max(0, 2 * blur - 1)) + 0.5))
      }
    }
    guard !slight.isEmpty else { return nil }
    for _ in 0..<unknown {
      slight.insert(contentsOf: Array(slight.prefix(columns.count)), at: 0)
      full.insert(contentsOf: Array(full.prefix(columns.count)), at: 0)
    }
    self.slight = PersonMask(width: columns.count, height: rows.count, alpha: slight)
    self.full = PersonMask(width: columns.count, height: rows.count, alpha: full)
  }

  /// The metres at which a camera would focus: of the largest face, else of the nearest tenth of the picture's middle; `nil` where
  /// nothing is known.
  ///
  /// - Parameter faces: In the map's width and height from its top left, largest first.
  package static func focus(of depth: DepthMap, faces: [CGRect]) -> Double? {
    if let face = faces.first,
      let metres = metres(of: depth, in: face.insetBy(dx: face.width / 4, dy: face.height / 4), share: 0.5)
    {
      return metres
    }
    return metres(of: depth, in: CGRect(x: 0.2, y: 0.2, width: 0.6, height: 0.6), share: 0.1)
  }

  /// The metres that this share of a part's known places are nearer than.
  private static func metres(of depth: DepthMap, in part: CGRect, share: Double) -> Double? {
    let places = places(of: part, in: depth)
    let columns = places.columns.clamped(to: 0..<depth.width)
    let rows = places.rows.clamped(to: 0..<depth.height)
    // Enough of them for a middle that noise does not move.
    let step = max(1, Int((Double(columns.count * rows.count) / 4000).squareRoot()))
    var known: [Float] = []
    for y in rows where y % step == 0 {
      for x in columns where x % step == 0 {
        let metres = depth.metres(x: x, y: y)
        if metres == metres { known.append(metres) }
      }
    }
    guard !known.isEmpty else { return nil }
    known.sort()
    return Double(known[min(known.count - 1, Int(Double(known.count) * share))])
  }

  private static func places(of part: CGRect, in depth: DepthMap) -> (columns: Range<Int>, rows: Range<Int>) {
    func range(_ low: Double, _ high: Double, _ count: Int) -> Range<Int> {
      let first = Int((low * Double(count)).rounded())
      return first..<max(first, Int((high * Double(count)).rounded()))
    }
    return (range(part.minX, part.maxX, depth.width), range(part.minY, part.maxY, depth.height))
  }

  /// Fills what is unknown in a row with the smaller disparity of its neighbours; `false` where all of it is unknown.
  private static func fill(_ row: inout [Float]) -> Bool {
    var index = 0
    var left = Float.infinity
    while index < row.count {
      guard row[index].isNaN else {
        left = row[index]
        index += 1
        continue
      }
      let end = row[index...].firstIndex { !$0.isNaN } ?? row.count
      let value = min(left, end < row.count ? row[end] : .infinity)
      guard value.isFinite else { return false }
      for unknown in index..<end { row[unknown] = value }
      index = end
    }
    return true
  }
}
