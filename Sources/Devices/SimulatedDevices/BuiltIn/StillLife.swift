internal import Foundation

// What stands on the table of the built-in scene. Light comes from the upper left, a little from the front.

/// Smooth chance in two dimensions, for plaster and wood: about 0 to 1, one bump for each unit.
enum Grain {
  static func value(_ x: Float, _ y: Float) -> Float {
    let left = x.rounded(.down)
    let top = y.rounded(.down)
    let fx = x - left
    let fy = y - top
    let sx = fx * fx * (3 - 2 * fx)
    let sy = fy * fy * (3 - 2 * fy)
    let column = Int32(truncatingIfNeeded: Int(left))
    let row = Int32(truncatingIfNeeded: Int(top))
    let upper = corner(column, row) * (1 - sx) + corner(column &+ 1, row) * sx
    let lower = corner(column, row &+ 1) * (1 - sx) + corner(column &+ 1, row &+ 1) * sx
    return upper * (1 - sy) + lower * sy
  }

  @inline(__always)
  private static func corner(_ x: Int32, _ y: Int32) -> Float {
    var bits = UInt32(bitPattern: x &* 374_761_393 &+ y &* 668_265_263)
    bits = (bits ^ (bits >> 13)) &* 1_274_126_177
    return Float((bits ^ (bits >> 16)) & 0xFFFF) / 65_535
  }
}

/// A wall of plaster above a wooden table; goes on in all directions.
///
/// The phone stands upright, so what is up lies to the left of the sensor's frame.
struct Room: Drawing {
  var aspect: Double? { 0.75 }
  /// Where the table's far edge is, as a fraction of the upright picture's height.
  static let edge: Float = 0.64

  func color(u: Float, v: Float, pixel: Float) -> SIMD4<Float> {
    let x = (1 - v) * 0.75
    let y = u
    let isTable = coverage(Self.edge - y, pixel)
    var color = SIMD4<Float>.zero
    if isTable < 1 { color += wall(x, y) * (1 - isTable) }
    if isTable > 0 { color += table(x, y, pixel) * isTable }
    color.w = 1
    return color
  }

  private func wall(_ x: Float, _ y: Float) -> SIMD4<Float> {
    let fromWindow = ((x - 0.1) * (x - 0.1) + (y - 0.15) * (y - 0.15)).squareRoot()
    let light = 0.92 - 0.38 * min(fromWindow, 1.6)
    let plaster = (Grain.value(x * 90, y * 90) - 0.5) * 0.03 + (Grain.value(x * 9, y * 9) - 0.5) * 0.03
    let shade = light + plaster - 0.1 * max(0, 1 - abs(y - Self.edge) * 14)
    return SIMD4(0.80, 0.83, 0.80, 1) * max(shade, 0.1)
  }

  private func table(_ x: Float, _ y: Float, _ pixel: Float) -> SIMD4<Float> {
    // Boards run towards the viewer: their joints meet behind the wall.
    let depth = 1 / max(y - Self.edge + 0.55, 0.05)
    let across = (x - 0.375) * depth * 1.4
    let board = (across * 2.6).rounded(.down)
    let inBoard = across * 2.6 - board
    let rings = Grain.value(across * 34 + board * 7, depth * 5 + board * 3)
    let streaks = Grain.value(across * 120 + board * 11, depth * 9)
    let joint: Float = min(inBoard, 1 - inBoard) < 0.012 ? 0.55 : 1
    let tone = 0.62 + 0.16 * (rings - 0.5) + 0.12 * (streaks - 0.5) + 0.05 * (Grain.value(board, 3) - 0.5)
    let light = (0.72 + 0.5 * (y - Self.edge)) * joint
    return SIMD4(0.86, 0.60, 0.38, 1) * (tone * light * 1.45)
  }
}

// Highlights, by squaring: a power function for each pixel of a ball costs more than the rest of it.
extension Float {
  fileprivate var fortiethPower: Float {
    let fourth = self * self * self * self
    let eighth = fourth * fourth
    let sixteenth = eighth * eighth
    return sixteenth * sixteenth * eighth
  }

  fileprivate var thirtiethPower: Float {
    let second = self * self
    let fourth = second * second
    let eighth = fourth * fourth
    return eighth * eighth * eighth * fourth * second
  }
}

/// A ball in one colour, with a highlight; an apple or an orange when it has a `skin`.
struct Ball: Drawing {
  var red: Float
  var green: Float
  var blue: Float
  /// How rough the skin is; 0 is polished.
  var skin: Float = 0
  var hasStalk = false
  var aspect: Double? { 1 }

  func color(u: Float, v: Float, pixel: Float) -> SIMD4<Float> {
    let x = (u - 0.5) * 2.2
    let y = (v - 0.5) * 2.2
    let radius = (x * x + y * y).squareRoot()
    var color = SIMD4<Float>.zero
    let alpha = coverage((radius - 1) / 2.2, pixel)
    if alpha > 0 {
      let z = max(1 - radius * radius, 0).squareRoot()
      var bump: Float = 0
      if skin > 0 { bump = (Grain.value(x * 26, y * 26) - 0.5) * skin }
      let light = max(-0.5 * x - 0.6 * y + 0.62 * z, 0) + bump * 0.25
      let glance = max(-0.42 * x - 0.52 * y + 0.744 * z, 0)
      let shine = glance.fortiethPower * (skin > 0 ? 0.35 : 0.75)
      let rim = 0.12 * (1 - z)
      color = SIMD4(red, green, blue, 1) * (0.22 + 0.85 * light + rim) + SIMD4(repeating: shine)
      color.clamp(lowerBound: .zero, upperBound: .one)
      color.w = 1
      color *= alpha
    }
    if hasStalk {
      let bend = x - 0.06 - 0.12 * (y + 1)
      let stalk = coverage(max(abs(bend) - 0.035, abs(y + 0.98) - 0.16) / 2.2, pixel)
      color = color * (1 - stalk) + SIMD4(0.27, 0.18, 0.09, 1) * stalk
    }
    return color
  }
}

/// A glazed vase with three twigs.
struct Vase: Drawing {
  var aspect: Double? { 2 }

  func color(u: Float, v: Float, pixel: Float) -> SIMD4<Float> {
    let x = u - 0.5
    let y = v * 2
    var color = SIMD4<Float>.zero
    for (lean, height, hue): (Float, Float, Float) in [(-0.32, 0.05, 0), (0.05, 0, 1), (0.36, 0.12, 2)] {
      let t = (1.05 - y) / (1.05 - height)
      if t > 0, t < 1 {
        let stem = coverage(abs(x - lean * t * t) - 0.008, pixel)
        color = color * (1 - stem) + SIMD4(0.24, 0.38, 0.2, 1) * stem
      }
      for index in 0..<9 {
        let at = 0.35 + 0.08 * Float(index)
        let side: Float = index % 2 == 0 ? 1 : -1
        let leafX = lean * at * at + side * 0.05
        let leafY = 1.05 - at * (1.05 - height)
        // Twenty-seven leaves would cost more than all the rest of the scene.
        guard abs(x - leafX) < 0.06, abs(y - leafY) < 0.09 else { continue }
        let dx = (x - leafX) / 0.055
        let dy = (y - leafY + side * (x - leafX) * 0.8) / 0.03
        let leaf = coverage(((dx * dx + dy * dy).squareRoot() - 1) * 0.035, pixel)
        let green = SIMD4<Float>(0.3 + 0.12 * hue, 0.52 - 0.06 * hue, 0.22, 1)
        color = color * (1 - leaf) + green * leaf
      }
    }
    // The body: a neck, a shoulder, a foot.
    let s = min(max((y - 0.95) / 1.0, 0), 1)
    let half = 0.1 + 0.24 * pow(max(sin(Float.pi * min(s * 1.02, 1)), 0), 1.3) + (s > 0.9 ? 0.02 : 0)
    let body = coverage(max(abs(x) - half, max(0.95 - y, y - 1.96)), pixel)
    if body > 0 {
      let across = min(max(x / half, -1), 1)
      let z = (1 - across * across).squareRoot()
      let light = 0.3 + 0.75 * max(-0.55 * across + 0.75 * z, 0)
      let shine = max(-0.5 * across + 0.86 * z, 0).thirtiethPower * 0.5 * (1 - abs(s - 0.4))
      let band: Float = abs(s - 0.5) < 0.03 || abs(s - 0.42) < 0.012 ? 1 : 0
      let glaze = SIMD4<Float>(0.16, 0.36, 0.52, 1) * (1 - band) + SIMD4<Float>(0.9, 0.87, 0.78, 1) * band
      var shaded = glaze * light + SIMD4(repeating: max(shine, 0))
      shaded.clamp(lowerBound: .zero, upperBound: .one)
      shaded.w = 1
      color = color * (1 - body) + shaded * body
    }
    return color
  }
}

/// What an object takes from the light on the table.
struct Shadow: Drawing {
  var aspect: Double? { 0.3 }

  func color(u: Float, v: Float, pixel: Float) -> SIMD4<Float> {
    let x = (u - 0.5) * 2
    let y = (v - 0.5) * 2
    let radius = (x * x + y * y).squareRoot()
    guard radius < 1 else { return .zero }
    let fall = 1 - radius * radius
    return SIMD4(0, 0, 0, 0.6 * fall * fall)
  }
}

/// Twenty-four patches to judge colours by: skin, sky, leaves, primaries, and a scale of greys.
struct ColorChart: Drawing {
  var aspect: Double? { 0.68 }

  private static let patches: [SIMD4<Float>] = [
    0x735244, 0xC29682, 0x627A9D, 0x576C43, 0x8580B1, 0x67BDAA, 0xD67E2C, 0x505BA6, 0xC15A63, 0x5E3C6C,
    0x9DBC40,
    0xE0A32E, 0x383D96, 0x469449, 0xAF363C, 0xE7C71F, 0xBB5695, 0x0885A1, 0xF3F3F2, 0xC8C8C8, 0xA0A0A0,
    0x7A7A79,
    0x555555, 0x343434,
  ].map { (hex: UInt32) in
    SIMD4(Float(hex >> 16 & 0xFF) / 255, Float(hex >> 8 & 0xFF) / 255, Float(hex & 0xFF) / 255, 1)
  }

  func color(u: Float, v: Float, pixel: Float) -> SIMD4<Float> {
    let edge = max(abs(u - 0.5) - 0.5, (abs(v - 0.5) - 0.5) * 0.68)
    let alpha = coverage(edge, pixel)
    guard alpha > 0 else { return .zero }
    let x = (u - 0.03) / 0.94 * 6
    let y = (v - 0.045) / 0.91 * 4
    let board = SIMD4<Float>(0.1, 0.1, 0.1, 1)
    guard x >= 0, y >= 0, x < 6, y < 4 else { return board * alpha }
    let column = Int(x)
    let row = Int(y)
    let inner = coverage(max(abs(x - Float(column) - 0.5), abs(y - Float(row) - 0.5)) - 0.42, pixel * 6)
    return (board * (1 - inner) + Self.patches[row * 6 + column] * inner) * alpha
  }
}

/// A framed picture of hills before an evening sky.
struct Landscape: Drawing {
  var aspect: Double? { 1.25 }

  func color(u: Float, v: Float, pixel: Float) -> SIMD4<Float> {
    let y = v * 1.25
    let edge = max(abs(u - 0.5) - 0.5, abs(y - 0.625) - 0.625)
    let alpha = coverage(edge, pixel)
    guard alpha > 0 else { return .zero }
    if edge > -0.055 {
      let bevel: Float = edge > -0.015 || edge < -0.045 ? 0.7 : 1
      return SIMD4(0.36 * bevel, 0.24 * bevel, 0.14 * bevel, 1) * alpha
    }
    if edge > -0.12 { return SIMD4(0.93, 0.92, 0.88, 1) }
    var color = SIMD4<Float>(0.95, 0.72 - 0.25 * (0.7 - y), 0.5 + 0.35 * (0.7 - y), 1)
    let sun = coverage(((u - 0.62) * (u - 0.62) + (y - 0.48) * (y - 0.48)).squareRoot() - 0.09, pixel)
    color = color * (1 - sun) + SIMD4(1, 0.9, 0.62, 1) * sun
    for (base, height, shade): (Float, Float, SIMD4<Float>) in [
      (0.62, 0.1, SIMD4(0.55, 0.48, 0.58, 1)), (0.74, 0.08, SIMD4(0.36, 0.4, 0.46, 1)),
      (0.88, 0.06, SIMD4(0.2, 0.29, 0.27, 1)),
    ] {
      let ridge =
        base - height * (Grain.value(u * 4 + base * 40, base * 9) + 0.3 * Grain.value(u * 17, base * 5))
      let hill = coverage(ridge - y, pixel)
      color = color * (1 - hill) + shade * hill
    }
    return color
  }
}

/// A face of the kind that a child draws: enough to stand before the front cameras.
struct Face: Drawing {
  var aspect: Double? { 1.25 }

  func color(u: Float, v: Float, pixel: Float) -> SIMD4<Float> {
    let x = (u - 0.5) * 2
    let y = (v * 1.25 - 0.625) * 2
    func ellipse(_ cx: Float, _ cy: Float, _ rx: Float, _ ry: Float) -> Float {
      let dx = (x - cx) / rx
      let dy = (y - cy) / ry
      return coverage(((dx * dx + dy * dy).squareRoot() - 1) * min(rx, ry) / 2, pixel)
    }
    var color = SIMD4<Float>.zero
    func lay(_ part: SIMD4<Float>, _ alpha: Float) { color = color * (1 - alpha) + part * alpha }
    lay(SIMD4(0.23, 0.15, 0.1, 1), ellipse(0, -0.22, 0.86, 0.95))
    let shade = 1 - 0.18 * max(x, 0) - 0.08 * max(y, 0)
    let skin = SIMD4<Float>(0.89 * shade, 0.7 * shade, 0.58 * shade, 1)
    lay(skin, ellipse(-0.74, 0.1, 0.1, 0.2))
    lay(skin, ellipse(0.74, 0.1, 0.1, 0.2))
    lay(skin, ellipse(0, 0.1, 0.72, 1.02))
    for side: Float in [-1, 1] {
      lay(SIMD4(0.97, 0.97, 0.96, 1), ellipse(0.28 * side, -0.08, 0.15, 0.085))
      lay(SIMD4(0.25, 0.38, 0.45, 1), ellipse(0.28 * side, -0.08, 0.075, 0.08))
      lay(SIMD4(0.05, 0.05, 0.06, 1), ellipse(0.28 * side, -0.08, 0.035, 0.038))
      lay(SIMD4(0.26, 0.17, 0.12, 1), ellipse(0.28 * side, -0.26, 0.17, 0.032))
    }
    lay(SIMD4(0.78 * shade, 0.56 * shade, 0.45 * shade, 1), ellipse(0, 0.26, 0.1, 0.06))
    lay(SIMD4(0.72, 0.33, 0.33, 1), ellipse(0, 0.58, 0.27, 0.09))
    lay(SIMD4(0.95, 0.93, 0.9, 1), ellipse(0, 0.555, 0.2, 0.035))
    return color
  }
}
