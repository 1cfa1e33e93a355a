internal import CPainting

/// Limbs of a figure in the order in which they are laid, those farther away first.
struct LimbList {
  private(set) var limbs: [painting_limb] = []

  /// Adds a limb from one place to another.
  ///
  /// - Parameters:
  ///   - blend: Over how many metres of depth it flows into what lies behind it.
  ///   - reach: How far its soft shadow falls.
  mutating func add(
    _ start: SIMD3<Float>, _ end: SIMD3<Float>, _ startRadius: Float, _ endRadius: Float,
    _ part: painting_part,
    blend: Float = 0.004, soft: Float = 0, reach: Float = 0, wide: Float = 1, deep: Float = 1
  ) {
    var (start, end, startRadius, endRadius) = (start, end, startRadius, endRadius)
    // Seen from its end, a limb is but the nearer of its two ends.
    let (x, y) = (end.x - start.x, end.y - start.y)
    let growth = endRadius - startRadius
    if start != end, x * x + y * y < growth * growth + 1e-7 {
      if start.z + startRadius > end.z + endRadius {
        (end, endRadius) = (start, startRadius)
      } else {
        (start, startRadius) = (end, endRadius)
      }
    }
    let way = end - start
    limbs.append(
      painting_limb(
        x: start.x, y: start.y, z: start.z, dx: way.x, dy: way.y, dz: way.z, radius: startRadius,
        growth: endRadius - startRadius, wide: wide, deep: deep, blend: blend, soft: soft, reach: reach,
        part: part))
  }

  /// Adds a ball or an egg.
  mutating func add(
    _ place: SIMD3<Float>, _ radius: Float, _ part: painting_part, blend: Float = 0.004, soft: Float = 0,
    reach: Float = 0, wide: Float = 1, deep: Float = 1
  ) {
    add(place, place, radius, radius, part, blend: blend, soft: soft, reach: reach, wide: wide, deep: deep)
  }

  /// Adds a limb as it is.
  mutating func append(_ limb: painting_limb) {
    limbs.append(limb)
  }

  /// Adds another list, farther limbs first.
  mutating func addSorted(_ other: LimbList) {
    limbs += other.limbs.enumerated().sorted {
      let (a, b) = ($0.element.z + $0.element.dz / 2, $1.element.z + $1.element.dz / 2)
      return a == b ? $0.offset < $1.offset : a < b
    }.map(\.element)
  }
}
