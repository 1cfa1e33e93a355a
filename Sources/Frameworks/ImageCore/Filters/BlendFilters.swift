internal import Foundation
internal import GraphicsCore

extension FilterDefinition {
  /// Filters that lay one image on another.
  static let blendFilters: [FilterDefinition] = [
    // Porter and Duff 1984.
    FilterDefinition("CISourceOverCompositing", kCICategoryCompositeOperation, [.image, .background]) {
      values in
      guard let image = values.image() else { return nil }
      return values.image("inputBackgroundImage").map { image.composited(over: $0) } ?? image
    },
    .composite("CISourceInCompositing") { $0 * $1.w },
    .composite("CISourceOutCompositing") { $0 * (1 - $1.w) },
    .composite("CISourceAtopCompositing") { $0 * $1.w + $1 * (1 - $0.w) },
    .composite("CIAdditionCompositing") { front, back in (front + back).withAlpha(min(1, front.w + back.w)) },
    .composite("CIMultiplyCompositing") { $0 * $1 },
    .composite("CIMaximumCompositing") { pointwiseMax($0, $1) },
    .composite("CIMinimumCompositing") { pointwiseMin($0, $1) },
    // ISO 32000-1, 11.3.5.2.
    .blend("CIMultiplyBlendMode") { $0 * $1 },
    .blend("CIScreenBlendMode") { $0 + $1 - $0 * $1 },
    .blend("CIOverlayBlendMode") { front, back in hardLight(back, front) },
    .blend("CIHardLightBlendMode") { front, back in hardLight(front, back) },
    .blend("CIDarkenBlendMode") { min($0, $1) },
    .blend("CILightenBlendMode") { max($0, $1) },
    .blend("CIDifferenceBlendMode") { abs($0 - $1) },
    .blend("CIExclusionBlendMode") { $0 + $1 - 2 * $0 * $1 },
    .blend("CIColorDodgeBlendMode") { front, back in
      back <= 0 ? 0 : front >= 1 ? 1 : min(1, back / (1 - front))
    },
    .blend("CIColorBurnBlendMode") { front, back in
      back >= 1 ? 1 : front <= 0 ? 0 : 1 - min(1, (1 - back) / front)
    },
    .blend("CISoftLightBlendMode") { front, back in
      if front <= 0.5 { return back - (1 - 2 * front) * back * (1 - back) }
      let curve = back <= 0.25 ? ((16 * back - 12) * back + 4) * back : max(0, back).squareRoot()
      return back + (2 * front - 1) * (curve - back)
    },
    .masked("CIBlendWithMask") { $0.luminance },
    .masked("CIBlendWithAlphaMask") { $0.w },
    FilterDefinition(
      "CIDissolveTransition", kCICategoryTransition,
      [.image, .target, .number("inputTime", 0, 0...1, limits: 0...1)]
    ) { values in
      guard let image = values.image(), let target = values.image("inputTargetImage") else { return nil }
      let share = values.float("inputTime")
      return .mixing([image, target], over: image.recipe.union(target.recipe)) {
        $0[0] * (1 - share) + $0[1] * share
      }
    },
  ]

  private static func hardLight(_ front: Float, _ back: Float) -> Float {
    front <= 0.5 ? 2 * front * back : 1 - 2 * (1 - front) * (1 - back)
  }

  /// A filter of premultiplied pixels, the image's and its background's.
  private static func composite(
    _ name: String, _ mix: @escaping @Sendable (SIMD4<Float>, SIMD4<Float>) -> SIMD4<Float>
  ) -> FilterDefinition {
    FilterDefinition(name, kCICategoryCompositeOperation, [.image, .background]) { values in
      guard let image = values.image(), let back = values.image("inputBackgroundImage") else { return nil }
      return .mixing([image, back], over: image.recipe.union(back.recipe)) { mix($0[0], $0[1]) }
    }
  }

  /// A filter of colours that are not premultiplied, each component by itself; alpha covers as it does when one lies on the other.
  private static func blend(
    _ name: String, _ mix: @escaping @Sendable (_ front: Float, _ back: Float) -> Float
  ) -> FilterDefinition {
    composite(name) { front, back in
      let both = front.w * back.w
      var result = front * (1 - back.w) + back * (1 - front.w)
      if both > 0 {
        for index in 0..<3 { result[index] += both * mix(front[index] / front.w, back[index] / back.w) }
      }
      result.w = front.w + back.w - both
      return result
    }
  }

  private static func masked(
    _ name: String, _ share: @escaping @Sendable (SIMD4<Float>) -> Float
  ) -> FilterDefinition {
    FilterDefinition(name, kCICategoryStylizeEffect, [.image, .background, .mask]) { values in
      guard let image = values.image(), let mask = values.image("inputMaskImage") else { return nil }
      let back = values.image("inputBackgroundImage") ?? CIImage()
      return .mixing([image, back, mask], over: image.recipe.union(back.recipe)) { pixels in
        let part = min(1, max(0, share(pixels[2])))
        return pixels[0] * part + pixels[1] * (1 - part)
      }
    }
  }
}

extension CIImage {
  /// Premultiplied pixels of `images`, mixed.
  static func mixing(
    _ images: [CIImage], over extent: CGRect,
    _ mix: @escaping @Sendable (UnsafePointer<SIMD4<Float>>) -> SIMD4<Float>
  ) -> CIImage {
    images[0].changed(.work(MixWork(sources: images.map(\.recipe), mix: mix), extent: extent))
  }
}

extension Recipe {
  /// Where this picture or `other` is not clear.
  func union(_ other: Recipe) -> CGRect {
    if extent.isNull { return other.extent }
    if other.extent.isNull { return extent }
    return extent.isInfiniteExtent || other.extent.isInfiniteExtent ? .infinite : extent.union(other.extent)
  }
}
