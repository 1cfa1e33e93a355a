/// The shapes that reactions are made of; the number of a case chooses its colour.
package enum SpriteShape: Hashable, Sendable {
  /// The round glass behind a thumb, and the thumb.
  case bubble(isUp: Bool)
  case thumb(isUp: Bool)
  /// A dark, soft disc.
  case shadow
  case balloon(Int)
  /// A piece of a balloon's string.
  case string
  case heart(Int)
  case confetti(ConfettiForm, color: Int, shade: Int)
  case cloudBank
  case cloud
  case drop
  /// A flake of light with a bright middle; a drop of light with a tail; light without an edge.
  case spark(Int)
  case comet(Int)
  case glow(Int)
  /// A ring of light.
  case ring(Int)
  /// A ray from its lower to its upper edge: all of it, and its bright middle.
  case beam(Int)
  case ray(Int)
  /// A piece of lightning.
  case bolt

  /// Whether it adds to the picture, rather than covers it.
  var isLight: Bool {
    switch self {
    case .bubble, .thumb, .shadow, .balloon, .string, .heart, .confetti, .cloudBank, .cloud, .drop: false
    case .spark, .comet, .glow, .ring, .beam, .ray, .bolt: true
    }
  }

  /// The pixels of the largest texture; larger ones would show nothing more.
  var largestSide: Int {
    switch self {
    case .bubble, .thumb, .balloon, .heart: 512
    case .ring, .cloud: 256
    case .confetti, .cloudBank: 128
    case .shadow, .spark, .comet, .glow, .beam, .ray, .bolt, .drop: 64
    case .string: 16
    }
  }

  /// Whether its width alone decides about the texture: along its length there is nothing fine.
  var isLong: Bool {
    switch self {
    case .string, .comet, .beam, .ray, .bolt, .drop: true
    default: false
    }
  }

  /// How many times wider than high its texture is.
  var aspect: Int { if case .cloudBank = self { CloudShape.bankAspect } else { 1 } }

  /// The colours, red, green, blue and alpha, of `side` rows of pixels from the top, multiplied by alpha.
  func pixels(side: Int) -> [SIMD4<Float>] {
    switch self {
    case .bubble(let isUp): painted(side) { BubbleShape.color(isUp: isUp, $0, pixel: $1) }
    case .thumb(let isUp): ThumbShape.pixels(isUp: isUp, side: side)
    case .shadow: painted(side) { point, _ in SIMD4(0, 0, 0, LightShapes.fall(length(point), power: 2)) }
    case .balloon(let color): painted(side) { BalloonShape.color(Palette.party[color], $0, pixel: $1) }
    case .string: painted(side) { BalloonShape.string($0, pixel: $1) }
    case .heart(let color): HeartShape.pixels(Palette.hearts[color], side: side)
    case .confetti(let form, let color, let shade):
      painted(side) { form.color(Palette.party[color], shade: shade, $0, pixel: $1) }
    case .cloudBank: CloudShape.bank(side: side)
    case .cloud: CloudShape.single(side: side)
    case .drop: painted(side) { point, _ in LightShapes.drop(point) }
    case .spark(let color): painted(side) { point, _ in LightShapes.spark(Palette.light[color], point) }
    case .comet(let color): painted(side) { point, _ in LightShapes.comet(Palette.light[color], point) }
    case .glow(let color): painted(side) { point, _ in LightShapes.glow(Palette.light[color], point) }
    case .ring(let color): painted(side) { LightShapes.ring(Palette.light[color], $0, pixel: $1) }
    case .beam(let color): painted(side) { point, _ in LightShapes.beam(Palette.light[color], point) }
    case .ray(let color): painted(side) { point, _ in LightShapes.ray(Palette.light[color], point) }
    case .bolt: painted(side) { point, _ in LightShapes.bolt(point) }
    }
  }

  /// The colour at the middle of each pixel; `pixel` is a pixel's side where the shape reaches from −1 to 1.
  private func painted(
    _ side: Int, _ color: (_ point: SIMD2<Float>, _ pixel: Float) -> SIMD4<Float>
  ) -> [SIMD4<Float>] {
    let pixel = 2 / Float(side)
    var pixels: [SIMD4<Float>] = []
    pixels.reserveCapacity(side * side)
    for y in 0..<side {
      for x in 0..<side {
        pixels.append(color(SIMD2(Float(x) + 0.5, Float(y) + 0.5) * pixel - 1, pixel))
      }
    }
    return pixels
  }
}

/// The colours of shapes: red, green and blue, 0 to 1.
package enum Palette {
  /// Balloons and confetti: red, orange, yellow, green, blue, violet, pink.
  package static let party: [SIMD3<Float>] = [
    SIMD3(0.95, 0.16, 0.22), SIMD3(1.00, 0.50, 0.08), SIMD3(1.00, 0.80, 0.10), SIMD3(0.16, 0.76, 0.35),
    SIMD3(0.10, 0.50, 0.98), SIMD3(0.55, 0.27, 0.92), SIMD3(1.00, 0.32, 0.62),
  ]
  static let hearts: [SIMD3<Float>] = [
    SIMD3(0.96, 0.09, 0.20), SIMD3(1.00, 0.22, 0.36), SIMD3(0.90, 0.05, 0.30),
  ]
  /// Fireworks, lasers and glow: gold, red, green, blue, violet, pink, cyan, white.
  static let light: [SIMD3<Float>] = [
    SIMD3(1.00, 0.70, 0.25), SIMD3(1.00, 0.22, 0.18), SIMD3(0.20, 1.00, 0.35), SIMD3(0.20, 0.40, 1.00),
    SIMD3(0.62, 0.25, 1.00), SIMD3(1.00, 0.25, 0.65), SIMD3(0.10, 0.90, 1.00), SIMD3(0.92, 0.95, 1.00),
  ]
}
