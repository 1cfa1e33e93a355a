internal import Foundation

/// Something that can be painted at any size: a function from place to colour.
protocol Drawing: Sendable {
  /// Height over width; `nil` fills whatever frame it is given.
  var aspect: Double? { get }

  /// The colour at a place, sRGB-coded and premultiplied, components 0 to 1, alpha last.
  ///
  /// Pure: the same place gives the same colour.
  /// - Parameters:
  ///   - u: 0 at the left edge, 1 at the right one; may lie outside.
  ///   - v: 0 at the top edge, 1 at the bottom one; may lie outside.
  ///   - pixel: How wide an output pixel is, in `u`; what is finer than that must be smoothed.
  func color(u: Float, v: Float, pixel: Float) -> SIMD4<Float>

  /// Lays a run of pixels over `colors`: the first at `start`, each next one `step` further.
  func blend(
    from start: SIMD2<Float>, step: SIMD2<Float>, pixel: Float,
    over colors: UnsafeMutableBufferPointer<SIMD4<Float>>)
}

extension Drawing {
  /// How much of an output pixel lies inside an edge that is `distance` away (below zero: inside).
  func coverage(_ distance: Float, _ pixel: Float) -> Float {
    min(max(0.5 - distance / max(pixel, 1e-6), 0), 1)
  }
}

/// One colour, on a square or everywhere.
struct PlainColor: Drawing {
  var red, green, blue: Float
  /// Whether it has no edges.
  var isEndless = false
  var aspect: Double? { nil }

  func color(u: Float, v: Float, pixel: Float) -> SIMD4<Float> {
    let color = SIMD4(red, green, blue, 1)
    if isEndless { return color }
    // Both edges of a pixel that they cross count: a line thinner than a pixel is not lost.
    return color * (coverage(abs(u - 0.5) - 0.5, pixel) * coverage(abs(v - 0.5) - 0.5, pixel))
  }
}

/// A head-sized disc with a soft shade, so that focus and motion have something to hold.
struct Disc: Drawing {
  var aspect: Double? { 1 }

  func color(u: Float, v: Float, pixel: Float) -> SIMD4<Float> {
    let x = u * 2 - 1
    let y = v * 2 - 1
    let radius = (x * x + y * y).squareRoot()
    let alpha = coverage((radius - 1) / 2, pixel)
    let shade = 1 - 0.25 * radius * radius
    return SIMD4(0.86 * shade, 0.68 * shade, 0.56 * shade, 1) * alpha
  }
}

extension QRCode: Drawing {
  var aspect: Double? { 1 }

  func color(u: Float, v: Float, pixel: Float) -> SIMD4<Float> {
    guard u >= 0, v >= 0, u <= 1, v <= 1 else { return .zero }
    let count = Float(size + 2 * Self.quietZone)
    // A module's edge is smoothed over one output pixel: four samples are enough for a reader and the eye.
    var light: Float = 0
    for (x, y): (Float, Float) in [(-0.25, -0.25), (0.25, -0.25), (-0.25, 0.25), (0.25, 0.25)] {
      let column = Int((u + x * pixel) * count) - Self.quietZone
      let row = Int((v + y * pixel) * count) - Self.quietZone
      light += isDark(column: column, row: row) ? 0.06 : 0.95
    }
    let value = light / 4
    return SIMD4(value, value, value, 1)
  }
}

/// A drawing whose edge colours go on for ever.
struct Endless: Drawing {
  let drawing: any Drawing
  var aspect: Double? { drawing.aspect }

  init(_ drawing: any Drawing) {
    self.drawing = drawing
  }

  func color(u: Float, v: Float, pixel: Float) -> SIMD4<Float> {
    drawing.color(u: min(max(u, 0), 1), v: min(max(v, 0), 1), pixel: pixel)
  }
}
