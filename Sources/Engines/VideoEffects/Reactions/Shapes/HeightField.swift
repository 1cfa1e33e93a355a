/// A shape as a landscape of heights, which is lit from the front.
enum HeightField {
  /// A place of the landscape: its height towards the eye, and how deep it lies inside the outline (negative outside).
  struct Place {
    var height: Float
    var depth: Float
  }

  /// The colours of a landscape.
  ///
  /// - Parameters:
  ///   - detail: The square root of the number of places that are looked at for each pixel.
  ///   - aspect: How many times wider than high the shape is: it reaches from −`aspect` to `aspect`.
  ///   - place: What lies at a point; it reaches from −1 to 1 in height.
  ///   - color: The colour of a point of this place and normal, multiplied by alpha; `pixel` is a pixel's side.
  static func pixels(
    side: Int, aspect: Int = 1, detail: Int = 2, place: (SIMD2<Float>) -> Place,
    color: (_ point: SIMD2<Float>, _ place: Place, _ normal: SIMD3<Float>, _ pixel: Float) -> SIMD4<Float>
  ) -> [SIMD4<Float>] {
    let (rows, columns) = (side * detail, side * detail * aspect)
    let pitch = columns + 2
    let step = 2 / Float(rows)
    let corner = SIMD2(Float(aspect), 1)
    let weight = 1 / Float(detail * detail)
    var places = [Place](repeating: Place(height: 0, depth: -1), count: pitch * (rows + 2))
    for y in 0..<rows + 2 {
      for x in 0..<pitch {
        places[y * pitch + x] = place(SIMD2(Float(x) - 0.5, Float(y) - 0.5) * step - corner)
      }
    }
    var result = [SIMD4<Float>](repeating: SIMD4(), count: side * side * aspect)
    for y in 0..<rows {
      for x in 0..<columns {
        let index = (y + 1) * pitch + x + 1
        let here = places[index]
        guard here.depth > -2 * step else { continue }
        let normal = normalize(
          SIMD3(
            (places[index - 1].height - places[index + 1].height) / (2 * step),
            (places[index - pitch].height - places[index + pitch].height) / (2 * step), 1))
        let point = SIMD2(Float(x) + 0.5, Float(y) + 0.5) * step - corner
        result[y / detail * side * aspect + x / detail] += color(point, here, normal, step) * weight
      }
    }
    return result
  }

  /// The height of a cushion whose edge is round with a radius, and which is flat farther inside.
  @inline(__always) static func pillow(_ depth: Float, radius: Float) -> Float {
    let rest = 1 - clamp(depth / radius)
    return radius * (1 - rest * rest).squareRoot()
  }

  /// The greater of two heights, rounded off where they are less than `width` apart.
  @inline(__always) static func soft(_ a: Float, _ b: Float, width: Float) -> Float {
    let share = clamp(0.5 + 0.5 * (a - b) / width)
    return mix(b, a, share) + width * share * (1 - share)
  }
}
