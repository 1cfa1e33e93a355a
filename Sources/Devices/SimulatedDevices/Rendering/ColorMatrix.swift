internal import Foundation

/// From sRGB-coded colours to full-range luma and colour differences in one byte's scale: 0 to 255, differences around 128.
struct ColorMatrix: Sendable {
  private let red: Float
  private let green: Float
  private let blue: Float
  private let usesP3: Bool
  private let toLinear = ColorMatrix.toLinear
  private let toCodedFromRoot = ColorMatrix.toCodedFromRoot

  private static let toLinear = ToneTable(SRGB.linear)
  private static let toCodedFromRoot = ToneTable { SRGB.coded($0 * $0) }

  init(uses709: Bool, usesP3: Bool) {
    red = uses709 ? 0.2126 : 0.299
    blue = uses709 ? 0.0722 : 0.114
    green = 1 - red - blue
    self.usesP3 = usesP3
  }

  /// Luma, blue and red difference (both around 0) and alpha of a premultiplied colour, in units of 1/255.
  @inline(__always)
  func planar(_ color: SIMD4<Float>) -> SIMD4<Float> {
    let rgb = usesP3 ? wide(color) : color
    let luma = red * rgb.x + green * rgb.y + blue * rgb.z
    let cb = (rgb.z - luma) * (0.5 / (1 - blue))
    let cr = (rgb.x - luma) * (0.5 / (1 - red))
    return SIMD4(luma * 255, cb * 255, cr * 255, rgb.w)
  }

  /// What has to be added to luma for red, green (of both differences) and blue, for differences of 1.
  var toColors: (redFromCr: Float, greenFromCb: Float, greenFromCr: Float, blueFromCb: Float) {
    let redFromCr = 2 * (1 - red)
    let blueFromCb = 2 * (1 - blue)
    return (redFromCr, -blue * blueFromCb / green, -red * redFromCr / green, blueFromCb)
  }

  /// Luma and both differences of coded red, green and blue in units of 1/255.
  @inline(__always)
  func planar255(_ r: Float, _ g: Float, _ b: Float) -> (luma: Float, cb: Float, cr: Float) {
    let luma = red * r + green * g + blue * b
    return (luma, (b - luma) * (0.5 / (1 - blue)), (r - luma) * (0.5 / (1 - red)))
  }

  /// The same colour in P3 coordinates; the matrix of sRGB to Display P3 in linear light (both with white D65).
  @inline(__always)
  private func wide(_ color: SIMD4<Float>) -> SIMD4<Float> {
    let alpha = max(color.w, 1e-6)
    let r = toLinear(color.x / alpha)
    let g = toLinear(color.y / alpha)
    let b = toLinear(color.z / alpha)
    return SIMD4(
      coded(0.822_462 * r + 0.177_538 * g) * alpha,
      coded(0.033_194 * r + 0.966_806 * g) * alpha,
      coded(0.017_083 * r + 0.072_397 * g + 0.910_520 * b) * alpha, color.w)
  }

  // The steepest part of the curve is at black; the root spreads it over the table.
  @inline(__always)
  private func coded(_ value: Float) -> Float { toCodedFromRoot(max(value, 0).squareRoot()) }
}

/// A smooth function of 0 to 1, as straight lines between 1024 steps: six powers for each of twelve million pixels would take
/// seconds.
struct ToneTable: @unchecked Sendable {  // Safe because nothing writes after init, and it is never freed.
  private static let steps = 1024
  private let values: UnsafeMutablePointer<Float>

  init(_ function: (Float) -> Float) {
    values = .allocate(capacity: Self.steps + 2)
    for step in 0..<Self.steps + 2 { values[step] = function(min(Float(step) / Float(Self.steps), 1)) }
  }

  /// The function's value at `x`, which is held to 0 to 1.
  @inline(__always)
  func callAsFunction(_ x: Float) -> Float {
    let place = min(max(x, 0), 1) * Float(Self.steps)
    let step = Int(place)
    return values[step] + (values[step + 1] - values[step]) * (place - Float(step))
  }
}

/// The sRGB transfer function, IEC 61966-2-1.
enum SRGB {
  static func linear(_ coded: Float) -> Float {
    coded <= 0.04045 ? coded / 12.92 : pow((coded + 0.055) / 1.055, 2.4)
  }

  static func coded(_ linear: Float) -> Float {
    linear <= 0.003_130_8 ? linear * 12.92 : 1.055 * pow(linear, 1 / 2.4) - 0.055
  }
}
