internal import CPainting
internal import Foundation

/// From sRGB-coded colours to full-range luma and colour differences in one byte's scale: 0 to 255, differences around 128.
struct LumaMatrix: Sendable {
  private let red: Float
  private let green: Float
  private let blue: Float
  private let usesP3: Bool

  private static let toLinear = ToneTable(SRGB.linear)
  private static let toCodedFromRoot = ToneTable { SRGB.coded($0 * $0) }

  init(uses709: Bool, usesP3: Bool) {
    red = uses709 ? 0.2126 : 0.299
    blue = uses709 ? 0.0722 : 0.114
    green = 1 - red - blue
    self.usesP3 = usesP3
  }

  /// Turns premultiplied colours into luma, blue and red difference (both around 0) and alpha, in units of 1/255.
  func planar(_ colors: UnsafeMutablePointer<SIMD4<Float>>, count: Int) {
    var weights = weights
    painting_planar(&weights, colors, count)
  }

  /// The matrix as C reads it.
  var weights: painting_matrix {
    painting_matrix(
      red: red, green: green, blue: blue, cb: 0.5 / (1 - blue), cr: 0.5 / (1 - red),
      to_linear: usesP3 ? UnsafePointer(Self.toLinear.values) : nil,
      to_coded: usesP3 ? UnsafePointer(Self.toCodedFromRoot.values) : nil)
  }

  /// The amounts to add to luma for red, green (of both differences) and blue, for differences of 1.
  var toColors: (redFromCr: Float, greenFromCb: Float, greenFromCr: Float, blueFromCb: Float) {
    let redFromCr = 2 * (1 - red)
    let blueFromCb = 2 * (1 - blue)
    return (redFromCr, -blue * blueFromCb / green, -red * redFromCr / green, blueFromCb)
  }
}

/// A smooth function of 0 to 1, as straight lines between 1024 steps: six powers for each of twelve million pixels would take
/// seconds.
struct ToneTable: @unchecked Sendable {  // Safe because nothing writes after init, and it is never freed.
  private static let steps = 1024
  let values: UnsafeMutablePointer<Float>

  init(_ function: (Float) -> Float) {
    values = .allocate(capacity: Self.steps + 2)
    for step in 0..<Self.steps + 2 { values[step] = function(min(Float(step) / Float(Self.steps), 1)) }
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
