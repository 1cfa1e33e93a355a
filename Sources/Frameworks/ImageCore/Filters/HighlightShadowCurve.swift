internal import Foundation
internal import GraphicsCore

/// How much lighter or darker a place of a picture becomes by how bright its surroundings are.
struct HighlightShadowCurve: Sendable {
  /// Stops that black gains, and those that white loses.
  private let shadowStops: Float
  private let highlightStops: Float

  /// - Parameters:
  ///   - shadows: -1 to 1: darker to lighter shadows.
  ///   - highlights: 0 to 1: darkest to unchanged highlights.
  init(shadows: Float, highlights: Float) {
    // With more, a brighter place would become a darker one where both take hold.
    shadowStops = 2 * min(1, max(-1, shadows))
    highlightStops = 1.25 * (1 - min(1, max(0, highlights)))
  }

  var isIdentity: Bool { shadowStops == 0 && highlightStops == 0 }

  /// The factor for light.
  ///
  /// - Parameter brightness: Of the surroundings, 0 to 1 in numbers of a screen.
  func gain(at brightness: Float) -> Float {
    func smooth(_ share: Float) -> Float {
      let share = min(1, max(0, share))
      return share * share * (3 - 2 * share)
    }
    let darkness = 1 - smooth(brightness / 0.7)
    let lightness = smooth((brightness - 0.3) / 0.7)
    return exp2f(shadowStops * darkness - highlightStops * lightness)
  }
}

extension CIImage {
  /// How bright the surroundings of each pixel are, in the red of a picture, 0 to 1 in numbers of a screen.
  ///
  /// Edges stay where they are: a line through the brightness of each neighbourhood, flat where that hardly changes (He, Sun and
  /// Tang 2013, the guided filter with the picture as its own guide).
  ///
  /// - Parameter radius: Of the neighbourhood, in pixels; 0 for the pixel itself.
  func surroundingBrightness(radius: Int) -> CIImage {
    let brightness = CIImage.mixing([self], over: extent) { pixels in
      let straight = pixels[0].w > 0 ? pixels[0] / pixels[0].w : .zero
      let shown = min(1, max(0, ScreenCurve.stored(straight.luminance)))
      return SIMD4(shown, shown * shown, 0, 1)
    }
    if radius < 1 || extent.isInfiniteExtent { return brightness }
    func averaged(_ image: CIImage) -> CIImage {
      image.clampedToExtent().applyingFilter("CIBoxBlur", parameters: [kCIInputRadiusKey: radius])
    }
    let lines = CIImage.mixing([averaged(brightness)], over: extent) { pixels in
      let mean = pixels[0].x
      let variance = max(0, pixels[0].y - mean * mean)
      // A texture of a tenth of the range keeps half of its own brightness.
      let slope = variance / (variance + 0.01)
      return SIMD4(slope, mean * (1 - slope), 0, 1)
    }
    return .mixing([averaged(lines), brightness], over: extent) { pixels in
      let around = min(1, max(0, pixels[0].x * pixels[1].x + pixels[0].y))
      return SIMD4(around, around, around, 1)
    }
  }
}
