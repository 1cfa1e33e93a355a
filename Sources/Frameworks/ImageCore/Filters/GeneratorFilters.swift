internal import Foundation
internal import GraphicsCore

extension FilterDefinition {
  /// Filters that need no image.
  static let generatorFilters: [FilterDefinition] = [
    FilterDefinition("CIConstantColorGenerator", kCICategoryGenerator, [.color("inputColor", 1, 0, 0)]) {
      values in
      CIImage(color: values.color("inputColor"))
    },
    .pattern(
      "CICheckerboardGenerator", kCICategoryGenerator,
      [
        .vector("inputCenter", 150, 150), .color("inputColor0", 1, 1, 1), .color("inputColor1", 0, 0, 0),
        .number("inputWidth", 80, 0...800, limits: 1 ... .infinity), .number("inputSharpness", 1, 0...1),
      ]
    ) { values in
      let (center, width) = (values.point("inputCenter"), values.number("inputWidth"))
      let edge = StripeEdge(width: width, sharpness: values.number("inputSharpness"))
      return { x, y in
        let (across, along) = (edge.share(x - center.x), edge.share(y - center.y))
        return across * (1 - along) + along * (1 - across)
      }
    },
    .pattern(
      "CIStripesGenerator", kCICategoryGenerator,
      [
        .vector("inputCenter", 150, 150), .color("inputColor0", 1, 1, 1), .color("inputColor1", 0, 0, 0),
        .number("inputWidth", 80, 0...800, limits: 1 ... .infinity), .number("inputSharpness", 1, 0...1),
      ]
    ) { values in
      let center = values.point("inputCenter")
      let edge = StripeEdge(width: values.number("inputWidth"), sharpness: values.number("inputSharpness"))
      return { x, _ in edge.share(x - center.x) }
    },
    .pattern(
      "CILinearGradient", kCICategoryGradient,
      [
        .vector("inputPoint0", 0, 0), .vector("inputPoint1", 200, 200), .color("inputColor0", 1, 1, 1),
        .color("inputColor1", 0, 0, 0),
      ]
    ) { values in
      let (start, end) = (values.point("inputPoint0"), values.point("inputPoint1"))
      let way = end - start
      let length = (way * way).sum()
      return { x, y in length > 0 ? ((SIMD2(x, y) - start) * way).sum() / length : 1 }
    },
    .pattern(
      "CIRadialGradient", kCICategoryGradient,
      [
        .vector("inputCenter", 150, 150), .number("inputRadius0", 5, 0...800),
        .number("inputRadius1", 100, 0...800),
        .color("inputColor0", 1, 1, 1), .color("inputColor1", 0, 0, 0),
      ]
    ) { values in
      let (center, inner) = (values.point("inputCenter"), values.number("inputRadius0"))
      let width = values.number("inputRadius1") - inner
      return { x, y in
        let offset = SIMD2(x, y) - center
        let distance = (offset * offset).sum().squareRoot()
        return width == 0 ? (distance < inner ? 0 : 1) : (distance - inner) / width
      }
    },
    FilterDefinition("CIRandomGenerator", kCICategoryGenerator, []) { _ in
      CIImage(
        .work(
          PlaceWork(colors: []) { x, y, _ in
            var state = UInt64(bitPattern: Int64(x.rounded(.down))) &* 0x9E37_79B9_7F4A_7C15
            state ^= UInt64(bitPattern: Int64(y.rounded(.down))) &* 0xC2B2_AE3D_27D4_EB4F
            // The finalizer of SplitMix64 (Steele, Lea and Flood 2014).
            state = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            state = (state ^ (state >> 27)) &* 0x94D0_49BB_1331_11EB
            state ^= state >> 31
            func part(_ shift: UInt64) -> Float { Float(state >> shift & 0xFF) / 255 }
            return SIMD4(part(0), part(8), part(16), part(24)).premultiplied
          }, extent: .infinite))
    },
  ]

  /// A filter of two colours, mixed by the place: 0 is the first, 1 the second.
  private static func pattern(
    _ name: String, _ category: String, _ inputs: [FilterInput],
    _ share: @escaping @Sendable (FilterValues) -> @Sendable (_ x: Double, _ y: Double) -> Double
  ) -> FilterDefinition {
    FilterDefinition(name, category, inputs) { values in
      let share = share(values)
      let colors = [values.color("inputColor0"), values.color("inputColor1")]
      let work = PlaceWork(colors: colors) { x, y, colors in
        let part = Float(min(1, max(0, share(x, y))))
        let first = colors[0].premultiplied
        return first + (colors[1].premultiplied - first) * part
      }
      return CIImage(.work(work, extent: .infinite))
    }
  }
}

/// Stripes of one width, and how they go over into each other.
private struct StripeEdge: Sendable {
  let width: Double
  /// 1 is a hard edge, 0 a wave.
  let sharpness: Double

  /// 0 in the first stripe from the centre, 1 in the next, and so on.
  func share(_ distance: Double) -> Double {
    let place = distance / (2 * width) - (distance / (2 * width)).rounded(.down)
    // How far inside the second stripe, -0.5 to 0.5 stripes.
    let depth = place < 0.5 ? -min(place, 0.5 - place) * 2 : min(place - 0.5, 1 - place) * 2
    let blur = max(1 - sharpness, 1e-6)
    return min(1, max(0, 0.5 + depth / blur))
  }
}
