internal import Foundation

/// Heavy clouds, painted puff by puff from the back to the front.
enum CloudShape {
  /// A soft ball of cloud, lit from above.
  private struct Puff {
    let center: SIMD2<Float>
    let radius: Float
    /// 0 to 1.
    let light: Float
  }

  /// How many times wider than high a bank is.
  static let bankAspect = 4

  /// A bank from edge to edge of the picture.
  static func bank(side: Int) -> [SIMD4<Float>] {
    var numbers = ParticleNumbers(seed: 0xC10D, particle: 1)
    var puffs: [Puff] = []
    let rows = 8
    for row in 0..<rows {
      // The rows behind are higher and brighter; the last one is the dark and ragged base.
      let front = Float(row) / Float(rows - 1)
      let count = 25
      for index in 0..<count {
        let x = (Float(index) + numbers.next(0, 1)) / Float(count) * 2 - 1
        let radius = mix(0.34, 0.19, front * front) * numbers.next(0.75, 1.25)
        puffs.append(
          Puff(
            center: SIMD2(x * (Float(bankAspect) - 0.5), mix(-0.62, 0.52, front) + numbers.next(-0.14, 0.12)),
            radius: radius, light: mix(1, 0.30, front) * numbers.next(0.82, 1)))
      }
    }
    return paint(puffs, aspect: bankAspect, side: side)
  }

  /// A single cloud.
  static func single(side: Int) -> [SIMD4<Float>] {
    let puffs: [(x: Float, y: Float, radius: Float, light: Float)] = [
      (-0.12, -0.26, 0.46, 1.0), (0.34, -0.10, 0.42, 0.95), (-0.48, 0.08, 0.38, 0.9),
      (0.62, 0.22, 0.30, 0.75),
      (0.10, 0.12, 0.44, 0.78), (-0.62, 0.30, 0.26, 0.6), (-0.28, 0.30, 0.32, 0.55), (0.32, 0.34, 0.30, 0.5),
    ]
    return paint(
      puffs.map { Puff(center: SIMD2($0.x, $0.y), radius: $0.radius, light: $0.light) }, aspect: 1, side: side
    )
  }

  private static func paint(_ puffs: [Puff], aspect: Int, side: Int) -> [SIMD4<Float>] {
    let columns = side * aspect
    let step = 2 / Float(side)
    let corner = SIMD2(Float(aspect), 1)
    var pixels = [SIMD4<Float>](repeating: SIMD4(), count: columns * side)
    // The wind's work on all outlines: without it puffs are balls.
    let bends = (0..<columns * side).map { index in
      let point = SIMD2(Float(index % columns), Float(index / columns)) * (step * 2.6)
      return SIMD2(
        Noise.cloud(point + 44, octaves: 3, period: 64, seed: 1),
        Noise.cloud(point + 20, octaves: 4, period: 64, seed: 2)) * 0.62
    }
    for puff in puffs {
      let from = (puff.center - puff.radius * 1.35 + corner) / step
      let to = (puff.center + puff.radius * 1.35 + corner) / step
      for y in max(0, Int(from.y))..<max(0, min(side, Int(to.y) + 1)) {
        for x in max(0, Int(from.x))..<max(0, min(columns, Int(to.x) + 1)) {
          let point = SIMD2(Float(x) + 0.5, Float(y) + 0.5) * step - corner
          let index = y * columns + x
          pixels[index] = Shading.over(color(of: puff, point, bend: bends[index]), pixels[index])
        }
      }
    }
    for y in 0..<side {
      for x in 0..<columns {
        let point = abs(SIMD2(Float(x) + 0.5, Float(y) + 0.5) * step - corner)
        pixels[y * columns + x] *=
          smoothStep(0.98, 0.84, point.y) * smoothStep(corner.x - 0.02, corner.x - 0.15, point.x)
      }
    }
    return pixels
  }

  private static func color(of puff: Puff, _ point: SIMD2<Float>, bend: SIMD2<Float>) -> SIMD4<Float> {
    let offset = (point - puff.center) / puff.radius + bend
    let square = (offset * offset).sum()
    let alpha = smoothStep(1, 0.30, square.squareRoot())
    guard alpha > 0 else { return SIMD4() }
    // The upper left of each puff is bright, and its foot lies in its own shadow.
    let up = clamp(0.56 - 0.34 * offset.y - 0.16 * offset.x)
    let light = smoothStep(0.05, 1, up) * puff.light
    return Shading.ink(mix(SIMD3(0.15, 0.17, 0.24), SIMD3(0.72, 0.77, 0.87), light), alpha * 0.86)
  }
}

@inline(__always) private func abs(_ point: SIMD2<Float>) -> SIMD2<Float> {
  SIMD2(Swift.abs(point.x), Swift.abs(point.y))
}
