internal import Foundation

extension FilterDefinition {
  /// Filters that change each colour by itself, in light.
  static let colorFilters: [FilterDefinition] = [
    .colors(
      "CIColorControls", kCICategoryColorAdjustment,
      [
        .number("inputSaturation", 1, 0...2, identity: 1), .number("inputBrightness", 0, -1...1, identity: 0),
        .number("inputContrast", 1, 0...4, identity: 1),
      ]
    ) { values in
      let (saturation, brightness) = (values.float("inputSaturation"), values.float("inputBrightness"))
      let contrast = values.float("inputContrast")
      return { pixel in
        let gray = SIMD4<Float>(repeating: pixel.luminance)
        return gray.towards(pixel, saturation).mapColors { ($0 + brightness - 0.5) * contrast + 0.5 }
          .withAlpha(pixel.w)
      }
    },
    .colors(
      "CIExposureAdjust", kCICategoryColorAdjustment, [.number("inputEV", 0, -10...10, identity: 0)]
    ) { values in
      let factor = Float(exp2(values.number("inputEV")))
      return { $0.mapColors { $0 * factor } }
    },
    .colors(
      "CIGammaAdjust", kCICategoryColorAdjustment, [.number("inputPower", 1, 0.25...4, identity: 1)]
    ) { values in
      let power = values.float("inputPower")
      return { $0.mapColors { $0 <= 0 ? $0 : powf($0, power) } }
    },
    .colors(
      "CIHueAdjust", kCICategoryColorAdjustment,
      [.number("inputAngle", 0, -Double.pi...Double.pi, identity: 0)]
    ) {
      values in
      // A turn around the axis of gray (Rodrigues).
      let (cosine, sine) = (Float(cos(values.number("inputAngle"))), Float(sin(values.number("inputAngle"))))
      return { pixel in
        let mean = (pixel.x + pixel.y + pixel.z) / 3
        let across =
          SIMD4<Float>(pixel.z - pixel.y, pixel.x - pixel.z, pixel.y - pixel.x, 0) / Float(3).squareRoot()
        let result = (pixel - mean) * cosine + across * sine + mean
        return result.withAlpha(pixel.w)
      }
    },
    .colors("CIVibrance", kCICategoryColorAdjustment, [.number("inputAmount", 0, -1...1, identity: 0)]) {
      values in
      let amount = values.float("inputAmount")
      return { pixel in
        // What is colourful already changes less.
        let (high, low) = (max(pixel.x, pixel.y, pixel.z), min(pixel.x, pixel.y, pixel.z))
        let share = high > 0 ? min(1, (high - low) / high) : 0
        return SIMD4<Float>(repeating: pixel.luminance).towards(pixel, 1 + amount * (1 - share))
          .withAlpha(pixel.w)
      }
    },
    .colors(
      "CIColorMatrix", kCICategoryColorAdjustment,
      [
        .vector("inputRVector", 1, 0, 0, 0), .vector("inputGVector", 0, 1, 0, 0),
        .vector("inputBVector", 0, 0, 1, 0), .vector("inputAVector", 0, 0, 0, 1),
        .vector("inputBiasVector", 0, 0, 0, 0),
      ]
    ) { values in
      let (red, green) = (values.floats("inputRVector"), values.floats("inputGVector"))
      let (blue, alpha) = (values.floats("inputBVector"), values.floats("inputAVector"))
      let bias = values.floats("inputBiasVector")
      return { pixel in
        SIMD4((pixel * red).sum(), (pixel * green).sum(), (pixel * blue).sum(), (pixel * alpha).sum()) + bias
      }
    },
    .colors(
      "CIColorClamp", kCICategoryColorAdjustment,
      [.vector("inputMinComponents", 0, 0, 0, 0), .vector("inputMaxComponents", 1, 1, 1, 1)]
    ) { values in
      let (low, high) = (values.floats("inputMinComponents"), values.floats("inputMaxComponents"))
      return { pointwiseMin(pointwiseMax($0, low), high) }
    },
    .colors(
      "CIWhitePointAdjust", kCICategoryColorAdjustment, [.color("inputColor", 1, 1, 1)]
    ) { values in
      let white = values.color("inputColor").light.withAlpha(1)
      return { $0 * white }
    },
    .colors(
      "CITemperatureAndTint", kCICategoryColorAdjustment,
      [.vector("inputNeutral", 6500, 0), .vector("inputTargetNeutral", 6500, 0)]
    ) { values in
      let (from, to) = (
        WhitePoint.light(values.point("inputNeutral")), WhitePoint.light(values.point("inputTargetNeutral"))
      )
      // Both whites are equally bright, so that the way back undoes the way there.
      let gain = (to / to.luminance / (from / from.luminance)).withAlpha(1)
      return { $0 * gain }
    },
    .colors(
      "CIToneCurve", kCICategoryColorAdjustment,
      [
        .vector("inputPoint0", 0, 0), .vector("inputPoint1", 0.25, 0.25), .vector("inputPoint2", 0.5, 0.5),
        .vector("inputPoint3", 0.75, 0.75), .vector("inputPoint4", 1, 1),
      ]
    ) { values in
      let curve = ToneCurve((0..<5).map { values.point("inputPoint\($0)") })
      return { $0.mapColors { ScreenCurve.light(curve.value(at: ScreenCurve.stored($0))) } }
    },
  ]
}

extension SIMD4<Float> {
  func withAlpha(_ alpha: Float) -> SIMD4<Float> { SIMD4(x, y, z, alpha) }
}

/// sRGB's curve, for filters whose numbers are those of a screen (IEC 61966-2-1): `TransferFunction.sRGB` in single precision,
/// because each pixel passes it.
enum ScreenCurve {
  static func stored(_ light: Float) -> Float {
    light <= 0.003_130_8 ? 12.92 * light : 1.055 * powf(light, 1 / 2.4) - 0.055
  }

  static func light(_ stored: Float) -> Float {
    stored <= 0.040_45 ? stored / 12.92 : powf((stored + 0.055) / 1.055, 2.4)
  }
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
  /// Linear light of sRGB, green about 1; `light.x` in kelvin, `light.y` the tint, of which 100 is a hundredth in Planck's v.
  static func light(_ light: SIMD2<Double>) -> SIMD4<Float> {
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
    let x = 3 * u / (2 * u - 8 * v + 4)
    let y = 2 * v / (2 * u - 8 * v + 4)
    let (X, Z) = (x / y, (1 - x - y) / y)
    let red = 3.2406 * X - 1.5372 - 0.4986 * Z
    let green = -0.9689 * X + 1.8758 + 0.0415 * Z
    let blue = 0.0557 * X - 0.2040 + 1.0570 * Z
    return SIMD4(Float(max(red, 0.01)), Float(max(green, 0.01)), Float(max(blue, 0.01)), 1)
  }
}
