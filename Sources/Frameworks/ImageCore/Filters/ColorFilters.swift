internal import Foundation
internal import GraphicsCore

extension FilterDefinition {
  /// Filters that change each colour by itself, in light.
  static let colorFilters: [FilterDefinition] = [
    .steps(
      "CIColorControls", kCICategoryColorAdjustment,
      [
        .number("inputSaturation", 1, 0...2, identity: 1), .number("inputBrightness", 0, -1...1, identity: 0),
        .number("inputContrast", 1, 0...4, identity: 1),
      ]
    ) { values in
      let (saturation, brightness) = (values.float("inputSaturation"), values.float("inputBrightness"))
      let contrast = values.float("inputContrast")
      return [
        .affine(
          ColorAffine(luminanceTimes: .one).partly(1 - saturation)
            .followed(by: ColorAffine(factor: contrast, bias: (brightness - 0.5) * contrast + 0.5)))
      ]
    },
    .steps(
      "CIExposureAdjust", kCICategoryColorAdjustment, [.number("inputEV", 0, -10...10, identity: 0)]
    ) { values in
      [.affine(ColorAffine(factor: Float(exp2(values.number("inputEV")))))]
    },
    .steps(
      "CIGammaAdjust", kCICategoryColorAdjustment, [.number("inputPower", 1, 0.25...4, identity: 1)]
    ) { values in
      let power = values.float("inputPower")
      return [.curves(ColorCurves(all: { $0 <= 0 ? $0 : powf($0, power) }))]
    },
    .steps(
      "CIHueAdjust", kCICategoryColorAdjustment,
      [.number("inputAngle", 0, -Double.pi...Double.pi, identity: 0)]
    ) {
      values in
      // A turn around the axis of gray (Rodrigues).
      let (cosine, sine) = (Float(cos(values.number("inputAngle"))), Float(sin(values.number("inputAngle"))))
      return [
        .affine(
          ColorAffine(linear: { color in
            let mean = color.sum() / 3
            let across =
              SIMD3(color.z - color.y, color.x - color.z, color.y - color.x) / Float(3).squareRoot()
            return (color - mean) * cosine + across * sine + mean
          }))
      ]
    },
    .steps("CIVibrance", kCICategoryColorAdjustment, [.number("inputAmount", 0, -1...1, identity: 0)]) {
      values in
      let amount = values.float("inputAmount")
      return [
        .rule(keepsAlpha: true) { pixel in
          // What is colourful already changes less.
          let (high, low) = (max(pixel.x, pixel.y, pixel.z), min(pixel.x, pixel.y, pixel.z))
          let share = high > 0 ? min(1, (high - low) / high) : 0
          return SIMD4<Float>(repeating: pixel.luminance).towards(pixel, 1 + amount * (1 - share))
            .withAlpha(pixel.w)
        }
      ]
    },
    .steps(
      "CIColorMatrix", kCICategoryColorAdjustment,
      [
        .vector("inputRVector", 1, 0, 0, 0), .vector("inputGVector", 0, 1, 0, 0),
        .vector("inputBVector", 0, 0, 1, 0), .vector("inputAVector", 0, 0, 0, 1),
        .vector("inputBiasVector", 0, 0, 0, 0),
      ]
    ) { values in
      let (red, green) = (values.floats("inputRVector"), values.floats("inputGVector"))
      let (blue, alpha) = (values.floats("inputBVector"), values.floats("inputAVector"))
      return [
        .affine(
          ColorAffine(
            red: SIMD4(red.x, green.x, blue.x, alpha.x), green: SIMD4(red.y, green.y, blue.y, alpha.y),
            blue: SIMD4(red.z, green.z, blue.z, alpha.z), alpha: SIMD4(red.w, green.w, blue.w, alpha.w),
            bias: values.floats("inputBiasVector")))
      ]
    },
    .steps(
      "CIColorClamp", kCICategoryColorAdjustment,
      [.vector("inputMinComponents", 0, 0, 0, 0), .vector("inputMaxComponents", 1, 1, 1, 1)]
    ) { values in
      let (low, high) = (values.floats("inputMinComponents"), values.floats("inputMaxComponents"))
      return [
        .rule(keepsAlpha: low.w <= 0 && high.w >= 1) { pointwiseMin(pointwiseMax($0, low), high) }
      ]
    },
    .steps(
      "CIWhitePointAdjust", kCICategoryColorAdjustment, [.color("inputColor", 1, 1, 1)]
    ) { values in
      let white = values.color("inputColor").light
      return [.affine(ColorAffine(factors: SIMD3(white.x, white.y, white.z)))]
    },
    .steps(
      "CITemperatureAndTint", kCICategoryColorAdjustment,
      [.vector("inputNeutral", 6500, 0), .vector("inputTargetNeutral", 6500, 0)]
    ) { values in
      let matrix = WhitePoint.adaptation(
        from: values.point("inputNeutral"), to: values.point("inputTargetNeutral"))
      guard let light = FloatMatrix(matrix) else { return [] }
      return [.affine(ColorAffine(red: light.red, green: light.green, blue: light.blue))]
    },
    .steps(
      "CIToneCurve", kCICategoryColorAdjustment,
      [
        .vector("inputPoint0", 0, 0), .vector("inputPoint1", 0.25, 0.25), .vector("inputPoint2", 0.5, 0.5),
        .vector("inputPoint3", 0.75, 0.75), .vector("inputPoint4", 1, 1),
      ]
    ) { values in
      let curve = ToneCurve((0..<5).map { values.point("inputPoint\($0)") })
      // The points are those of a gamma of 2.
      return [
        .curves(
          ColorCurves(all: { light in
            let shown = curve.value(at: light < 0 ? -(-light).squareRoot() : light.squareRoot())
            return shown * abs(shown)
          }))
      ]
    },
  ]
}

/// A smooth curve through points, straight on beyond them.
struct ToneCurve: Sendable {
  private let points: [SIMD2<Float>]
  private let slopes: [Float]

  /// A curve that rises where the points do: monotone cubic pieces (Fritsch and Carlson 1980).
  init(_ places: [SIMD2<Double>]) {
    let sorted = places.map { SIMD2<Float>($0) }.sorted { $0.x < $1.x }
    var points: [SIMD2<Float>] = []
    for point in sorted where points.last.map({ point.x > $0.x }) ?? true { points.append(point) }
    let steps = zip(points, points.dropFirst()).map { ($1.y - $0.y) / ($1.x - $0.x) }
    self.points = points
    slopes = points.indices.map { index in
      guard let first = steps.first, let last = steps.last else { return 1 }
      if index == 0 { return first }
      if index == points.count - 1 { return last }
      let (before, after) = (steps[index - 1], steps[index])
      return before * after <= 0 ? 0 : 2 * before * after / (before + after)
    }
  }

  func value(at x: Float) -> Float {
    guard let first = points.first, let last = points.last else { return x }
    if x <= first.x { return first.y + (x - first.x) * slopes[0] }
    if x >= last.x { return last.y + (x - last.x) * slopes[slopes.count - 1] }
    let index = (points.firstIndex { $0.x > x } ?? 1) - 1
    let (from, to) = (points[index], points[index + 1])
    let width = to.x - from.x
    let t = (x - from.x) / width
    let (t2, t3) = (t * t, t * t * t)
    let start = from.y * (2 * t3 - 3 * t2 + 1) + slopes[index] * width * (t3 - 2 * t2 + t)
    return start + to.y * (3 * t2 - 2 * t3) + slopes[index + 1] * width * (t3 - t2)
  }
}

/// The colour of a light by its temperature and tint.
enum WhitePoint {
  /// Takes linear light of sRGB that looked neutral under one light to what looks neutral under another, both equally bright.
  ///
  /// - Parameters:
  ///   - from: The light under which it looked neutral: `x` in kelvin, `y` the tint, of which 100 is a hundredth in Planck's v.
  ///   - to: The light under which it shall look neutral, the same way.
  static func adaptation(from: SIMD2<Double>, to: SIMD2<Double>) -> ColorMatrix {
    if from == to { return .identity }
    // By way of D50, as colour spaces meet: Bradford's adaptation there and back is the one from white to white.
    func adaptation(_ light: SIMD2<Double>) -> ColorMatrix {
      var primaries = ColorPrimaries.rec709
      primaries.white = chromaticity(light)
      return primaries.adaptation
    }
    let primaries = ColorPrimaries.rec709
    let colors = primaries.adaptation.inverse * primaries.toXYZ
    return colors.inverse * adaptation(to).inverse * adaptation(from) * colors
  }

  /// The chromaticity (x, y) of CIE 1931.
  private static func chromaticity(_ light: SIMD2<Double>) -> SIMD2<Double> {
    // Krystek 1985: the locus of Planck in CIE 1960's u and v.
    let t = min(max(light.x, 1000), 25_000)
    let u =
      (0.860117757 + 1.54118254e-4 * t + 1.28641212e-7 * t * t)
      / (1 + 8.42420235e-4 * t + 7.08145163e-7 * t * t)
    let planck =
      (0.317398726 + 4.22806245e-5 * t + 4.20481691e-8 * t * t)
      / (1 - 2.89741816e-5 * t + 1.61456053e-7 * t * t)
    // A positive tint is greener light's opposite: towards magenta, that is less v.
    let v = planck - light.y / 10_000
    let divisor = 2 * u - 8 * v + 4
    return [3 * u / divisor, max(2 * v / divisor, 0.01)]
  }
}
