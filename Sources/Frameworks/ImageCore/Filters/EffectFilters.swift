internal import Foundation

extension FilterDefinition {
  /// Filters that give a picture other colours altogether.
  static let effectFilters: [FilterDefinition] = [
    .steps("CIColorInvert", kCICategoryColorEffect) { _ in [.affine(ColorAffine(factor: -1, bias: 1))] },
    .steps("CISepiaTone", kCICategoryColorEffect, [.number("inputIntensity", 1, 0...1, identity: 0)]) {
      values in
      let brown = ColorAffine(
        red: [0.393, 0.349, 0.272, 0], green: [0.769, 0.686, 0.534, 0], blue: [0.189, 0.168, 0.131, 0])
      return [
        .partly(values.float("inputIntensity"), [.curves(.stored), .affine(brown), .curves(.light)])
      ]
    },
    .steps(
      "CIColorMonochrome", kCICategoryColorEffect,
      [.color("inputColor", 0.6, 0.45, 0.3), .number("inputIntensity", 1, 0...1, identity: 0)]
    ) { values in
      let gray = ColorAffine(luminanceTimes: values.color("inputColor").light)
      return [.affine(gray.partly(values.float("inputIntensity")))]
    },
    .steps(
      "CIFalseColor", kCICategoryColorEffect,
      [.color("inputColor0", 0.3, 0, 0), .color("inputColor1", 1, 0.9, 0.8)]
    ) { values in
      let (dark, light) = (values.color("inputColor0").light, values.color("inputColor1").light)
      return [.affine(ColorAffine(luminanceTimes: light - dark, bias: dark))]
    },
    .steps(
      "CIColorPosterize", kCICategoryColorEffect, [.number("inputLevels", 6, 2...30, limits: 2 ... .infinity)]
    ) { values in
      let steps = values.float("inputLevels") - 1
      return [
        .curves(.stored), .rule(keepsAlpha: true) { $0.mapColors { ($0 * steps).rounded() / steps } },
        .curves(.light),
      ]
    },
    .steps("CIMaximumComponent", kCICategoryColorEffect) { _ in
      [
        .rule(keepsAlpha: true) { pixel in SIMD4(repeating: max(pixel.x, pixel.y, pixel.z)).withAlpha(pixel.w)
        }
      ]
    },
    .steps("CIMinimumComponent", kCICategoryColorEffect) { _ in
      [
        .rule(keepsAlpha: true) { pixel in SIMD4(repeating: min(pixel.x, pixel.y, pixel.z)).withAlpha(pixel.w)
        }
      ]
    },
    .steps("CIMaskToAlpha", kCICategoryColorEffect) { _ in
      [.rule(keepsAlpha: false) { pixel in SIMD4(1, 1, 1, pixel.luminance * pixel.w) }]
    },
    .look(
      "CIPhotoEffectMono", saturation: 0, contrast: 1, low: [0.06, 0.06, 0.06], high: [0.94, 0.94, 0.94]),
    .look("CIPhotoEffectTonal", saturation: 0, contrast: 1, low: [0, 0, 0], high: [1, 1, 1]),
    .look("CIPhotoEffectNoir", saturation: 0, contrast: 1.45, low: [0, 0, 0], high: [1, 1, 1]),
    .look(
      "CIPhotoEffectFade", saturation: 0.6, contrast: 1, low: [0.12, 0.11, 0.1], high: [0.93, 0.91, 0.9]),
    .look("CIPhotoEffectChrome", saturation: 1.35, contrast: 1.1, low: [0, 0, 0], high: [1, 1, 0.98]),
    .look(
      "CIPhotoEffectProcess", saturation: 0.9, contrast: 1.1, low: [0, 0.03, 0.1], high: [0.93, 1, 0.95]),
    .look(
      "CIPhotoEffectTransfer", saturation: 0.9, contrast: 1.05, low: [0.1, 0.05, 0.02], high: [1, 0.95, 0.85]),
    .look(
      "CIPhotoEffectInstant", saturation: 0.75, contrast: 1, low: [0.12, 0.1, 0.12], high: [0.97, 0.93, 0.82]),
  ]

  /// A film's look: numbers of a screen made more or less colourful and steep, between a dark and a light colour.
  private static func look(
    _ name: String, saturation: Float, contrast: Float, low: SIMD3<Float>, high: SIMD3<Float>
  ) -> FilterDefinition {
    let (dark, light) = (SIMD4(low, 0), SIMD4(high, 0))
    let curves = ColorCurves.once {
      ColorCurves { pixel in
        let seen = pixel.mapColors { ScreenCurve.stored(min(1, max(0, $0))) }
          .mapColors { min(1, max(0, ($0 - 0.5) * contrast + 0.5)) }
        return (dark + (light - dark) * seen).mapColors(ScreenCurve.light)
      }
    }
    let color = ColorAffine(luminanceTimes: .one).partly(1 - saturation)
    return .steps(name, kCICategoryColorEffect) { _ in [.affine(color), .curves(curves())] }
  }
}
