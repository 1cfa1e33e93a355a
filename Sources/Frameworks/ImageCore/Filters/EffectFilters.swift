internal import Foundation

extension FilterDefinition {
  /// Filters that give a picture other colours altogether.
  static let effectFilters: [FilterDefinition] = [
    .colors("CIColorInvert", kCICategoryColorEffect) { _ in { $0.mapColors { 1 - $0 } } },
    .colors("CISepiaTone", kCICategoryColorEffect, [.number("inputIntensity", 1, 0...1, identity: 0)]) {
      values in
      let intensity = values.float("inputIntensity")
      return { pixel in
        let seen = pixel.mapColors(ScreenCurve.stored)
        let brown = SIMD4<Float>(
          0.393 * seen.x + 0.769 * seen.y + 0.189 * seen.z, 0.349 * seen.x + 0.686 * seen.y + 0.168 * seen.z,
          0.272 * seen.x + 0.534 * seen.y + 0.131 * seen.z, pixel.w)
        return pixel.towards(brown.mapColors(ScreenCurve.light), intensity)
      }
    },
    .colors(
      "CIColorMonochrome", kCICategoryColorEffect,
      [.color("inputColor", 0.6, 0.45, 0.3), .number("inputIntensity", 1, 0...1, identity: 0)]
    ) { values in
      let (color, intensity) = (values.color("inputColor").light, values.float("inputIntensity"))
      return { $0.towards(color * $0.luminance, intensity) }
    },
    .colors(
      "CIFalseColor", kCICategoryColorEffect,
      [.color("inputColor0", 0.3, 0, 0), .color("inputColor1", 1, 0.9, 0.8)]
    ) { values in
      let (dark, light) = (values.color("inputColor0").light, values.color("inputColor1").light)
      return { pixel in (dark + (light - dark) * pixel.luminance).withAlpha(pixel.w) }
    },
    .colors(
      "CIColorPosterize", kCICategoryColorEffect, [.number("inputLevels", 6, 2...30, limits: 2 ... .infinity)]
    ) { values in
      let steps = values.float("inputLevels") - 1
      return { $0.mapColors { ScreenCurve.light((ScreenCurve.stored($0) * steps).rounded() / steps) } }
    },
    .colors("CIMaximumComponent", kCICategoryColorEffect) { _ in
      { pixel in pixel.mapColors { _ in max(pixel.x, pixel.y, pixel.z) } }
    },
    .colors("CIMinimumComponent", kCICategoryColorEffect) { _ in
      { pixel in pixel.mapColors { _ in min(pixel.x, pixel.y, pixel.z) } }
    },
    .colors("CIMaskToAlpha", kCICategoryColorEffect) { _ in
      { pixel in SIMD4(1, 1, 1, pixel.luminance * pixel.w) }
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
    return .colors(name, kCICategoryColorEffect) { _ in
      { pixel in
        let seen = SIMD4<Float>(repeating: pixel.luminance).towards(pixel, saturation)
          .mapColors { ScreenCurve.stored(min(1, max(0, $0))) }
          .mapColors { min(1, max(0, ($0 - 0.5) * contrast + 0.5)) }
        return (dark + (light - dark) * seen).mapColors(ScreenCurve.light).withAlpha(pixel.w)
      }
    }
  }
}
