internal import Foundation

/// A small picture of a reaction, for a button or a menu.
package struct ReactionIcon: Sendable, Hashable {
  /// Its width and height in pixels.
  package let side: Int
  /// Rows from the top without padding: red, green, blue and alpha of each pixel, colours multiplied by alpha (sRGB).
  package let rgba: [UInt8]
}

extension ReactionKind {
  /// The icon of this reaction: the shapes that are drawn into pictures, on nothing.
  ///
  /// `side` is at least 1. Cost: some milliseconds for 64 pixels; keep it.
  package func icon(side: Int) -> ReactionIcon {
    precondition(side > 0, "An icon has at least one pixel.")
    // Drawn at twice the size, so that edges are smooth.
    let fine = side * 2
    var pixels = [SIMD4<Float>](repeating: SIMD4(), count: fine * fine)
    for sprite in iconSprites { sprite.add(to: &pixels, side: fine) }
    var rgba: [UInt8] = []
    rgba.reserveCapacity(side * side * 4)
    for y in 0..<side {
      for x in 0..<side {
        let corner = 2 * y * fine + 2 * x
        let sum = pixels[corner] + pixels[corner + 1] + pixels[corner + fine] + pixels[corner + fine + 1]
        let alpha = clamp(sum.w / 4)
        for channel in 0..<3 { rgba.append(UInt8((clamp(sum[channel] / 4, 0, alpha) * 255).rounded())) }
        rgba.append(UInt8((alpha * 255).rounded()))
      }
    }
    return ReactionIcon(side: side, rgba: rgba)
  }

  /// The shapes of the icon in a square from −1 to 1, from the back to the front.
  private var iconSprites: [ReactionSprite] {
    switch self {
    case .thumbsUp: [ReactionSprite(.thumb(isUp: true), at: SIMD2(0.05, 0.02), size: 1.15)]
    case .thumbsDown: [ReactionSprite(.thumb(isUp: false), at: SIMD2(0.05, -0.02), size: 1.15)]
    case .heart: [ReactionSprite(.heart(0), at: SIMD2(0, 0.02), size: 1.02)]
    case .balloons:
      [
        ReactionSprite(.balloon(4), at: SIMD2(-0.36, -0.22), size: 0.72, angle: -0.16),
        ReactionSprite(.balloon(0), at: SIMD2(0.34, 0.10), size: 0.78, angle: 0.14),
      ]
    case .rain:
      (0..<6).map { index in
        let foot = SIMD2(-0.62 + Float(index) * 0.24, index.isMultiple(of: 2) ? 0.92 : 0.72)
        return ReactionSprite(.drop, from: foot, to: foot + SIMD2(0.09, -0.46), width: 0.055)
      } + [ReactionSprite(.cloud, at: SIMD2(0, -0.20), size: 0.94)]
    case .fireworks: Self.burst(rays: 14, inner: 0.26)
    case .lasers:
      (0..<7).map { index in
        let angle = -Float.pi / 2 + (Float(index) - 3) * 0.29
        return ReactionSprite(
          .ray([2, 6, 3, 0, 4, 5, 1][index]), from: SIMD2(0, 0.86),
          to: SIMD2(0, 0.86) + direction(angle) * 1.80,
          width: 0.16)
      } + [ReactionSprite(.glow(0), at: SIMD2(0, 0.80), size: 0.2)]
    case .confetti: Self.scatter()
    }
  }

  private static func burst(rays: Int, inner: Float) -> [ReactionSprite] {
    [ReactionSprite(.glow(0), at: SIMD2(), size: 0.55)]
      + (0..<rays).map { ray in
        let way = direction((Float(ray) + 0.5) / Float(rays) * 2 * .pi)
        let reach: Float = ray.isMultiple(of: 2) ? 0.95 : 0.74
        return ReactionSprite(.comet([1, 0, 5][ray % 3]), from: way * inner, to: way * reach, width: 0.10)
      }
  }

  private static func scatter() -> [ReactionSprite] {
    (0..<16).map { index in
      var numbers = ParticleNumbers(seed: 5, particle: index)
      let way = direction(Float(index) * 2.399_963) * (0.80 * ((Float(index) + 0.5) / 16).squareRoot())
      let right = direction(numbers.next(0, 2 * .pi)) * 0.17
      return ReactionSprite(
        .confetti(index % 3 == 2 ? .disc : .strip, color: index % Palette.party.count, shade: 2 + index % 2),
        at: way, right: right, down: turned(right) * numbers.next(0.45, 1))
    }
  }
}

extension ReactionSprite {
  /// Draws it, whose places are −1 to 1, over a square of `side` pixels multiplied by alpha.
  fileprivate func add(to pixels: inout [SIMD4<Float>], side: Int) {
    let area = right.x * down.y - right.y * down.x
    guard abs(area) > 1e-6 else { return }
    let texels = max(8, Int(Float(side) * min(1.5, max(length(right), length(down)))) / 2 * 2)
    let shapePixels = shape.pixels(side: texels)
    func texel(_ x: Int, _ y: Int) -> SIMD4<Float> {
      guard 0..<texels ~= x, 0..<texels ~= y else { return SIMD4() }
      return shapePixels[y * texels + x]
    }
    for y in 0..<side {
      for x in 0..<side {
        let offset = SIMD2(Float(x) + 0.5, Float(y) + 0.5) * (2 / Float(side)) - 1 - center
        let across = (offset.x * down.y - offset.y * down.x) / area
        let along = (offset.y * right.x - offset.x * right.y) / area
        guard abs(across) < 1.1, abs(along) < 1.1 else { continue }
        let (u, v) = ((across + 1) / 2 * Float(texels) - 0.5, (along + 1) / 2 * Float(texels) - 0.5)
        let (left, top) = (u.rounded(.down), v.rounded(.down))
        let (column, row) = (Int(left), Int(top))
        let upper = texel(column, row) + (texel(column + 1, row) - texel(column, row)) * (u - left)
        let lower =
          texel(column, row + 1) + (texel(column + 1, row + 1) - texel(column, row + 1)) * (u - left)
        let value = (upper + (lower - upper) * (v - top)) * opacity
        let old = pixels[y * side + x]
        // Light on nothing is a cover of its own colour.
        pixels[y * side + x] = Shading.over(value, old)
      }
    }
  }
}
