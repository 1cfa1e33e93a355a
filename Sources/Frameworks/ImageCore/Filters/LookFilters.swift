internal import Foundation
internal import GraphicsCore

extension FilterDefinition {
  /// Filters that bring out what is dark, and those that make a photo look like something else.
  static let lookFilters: [FilterDefinition] = [
    FilterDefinition(
      "CIHighlightShadowAdjust", kCICategoryStylizeEffect,
      [
        .image, .number("inputRadius", 0, 0...10), .number("inputShadowAmount", 0, -1...1, identity: 0),
        .number("inputHighlightAmount", 1, 0.3...1, limits: 0...1, identity: 1),
      ]
    ) { values in
      guard let image = values.image() else { return nil }
      let curve = HighlightShadowCurve(
        shadows: values.float("inputShadowAmount"), highlights: values.float("inputHighlightAmount"))
      if curve.isIdentity || image.extent.isNull { return image }
      let radius = Int(min(100, max(0, values.number("inputRadius"))).rounded())
      return .mixing([image, image.surroundingBrightness(radius: radius)], over: image.extent) { pixels in
        (pixels[0] * curve.gain(at: pixels[1].x)).withAlpha(pixels[0].w)
      }
    },
    .palette(
      "CIThermal",
      // From cold to hot, as the instruments' pictures go from night blue to white heat.
      [
        [0.02, 0, 0.14], [0.1, 0.04, 0.55], [0.52, 0.05, 0.6], [0.9, 0.22, 0.28], [1, 0.62, 0.05],
        [1, 1, 0.75],
      ]),
    // What lets light through blackens the sheet.
    .palette(
      "CIXRay",
      [[0.93, 0.97, 1], [0.62, 0.74, 0.83], [0.3, 0.4, 0.5], [0.09, 0.14, 0.2], [0, 0.01, 0.03]]),
    FilterDefinition("CIComicEffect", kCICategoryStylizeEffect, [.image]) { values in
      guard let image = values.image() else { return nil }
      let soft = image.clampedToExtent().applyingGaussianBlur(sigma: ComicWork.softness)
      return image.changed(.work(ComicWork(soft: soft.recipe, alpha: image.recipe), extent: image.extent))
    },
    FilterDefinition(
      "CIGlassDistortion", kCICategoryDistortionEffect,
      [
        .image, .texture, .vector("inputCenter", 150, 150),
        .number("inputScale", 200, 0.01...500, limits: 0 ... .infinity, identity: 0),
      ]
    ) { values in
      guard let image = values.image(), let texture = values.image("inputTexture") else { return nil }
      let relief = texture.repeated(around: values.point("inputCenter"))
      return image.changed(
        .work(
          GlassWork(
            source: image.clampedToExtent().recipe, relief: relief.recipe, scale: values.number("inputScale")),
          extent: image.extent))
    },
    FilterDefinition(
      "CIAreaHistogram", kCICategoryReduction,
      [
        .image, .vector("inputExtent", 0, 0, 640, 80), .number("inputScale", 1, 0...1),
        .number("inputCount", 64, 10...1000, limits: 1...2048),
      ]
    ) { values in
      guard let image = values.image() else { return nil }
      let count = Int(values.number("inputCount"))
      let work = HistogramWork(
        source: image.recipe, rect: values.vector("inputExtent").cgRectValue.standardized, count: count,
        scale: values.number("inputScale"))
      return image.changed(.work(work, extent: CGRect(x: 0, y: 0, width: count, height: 1)))
    },
  ]

  /// A filter that gives each brightness a colour of its own.
  ///
  /// - Parameter colors: From black to white in equal steps, in numbers of a screen.
  private static func palette(_ name: String, _ colors: [SIMD3<Float>]) -> FilterDefinition {
    let curves = ColorCurves.once {
      ColorCurves { gray in
        let place = min(1, max(0, ScreenCurve.stored(gray.x))) * Float(colors.count - 1)
        let index = min(Int(place), colors.count - 2)
        let color = colors[index] + (colors[index + 1] - colors[index]) * (place - Float(index))
        return SIMD4(color, 1).mapColors(ScreenCurve.light)
      }
    }
    return .steps(name, kCICategoryColorEffect) { _ in
      [.affine(ColorAffine(luminanceTimes: .one)), .curves(curves())]
    }
  }
}

extension FilterInput {
  /// The picture whose bumps bend another.
  fileprivate static let texture = FilterInput(key: "inputTexture", kind: .image)
}

extension CIImage {
  /// The image side by side with itself without end, its middle at `center`; one without end stays.
  fileprivate func repeated(around center: SIMD2<Double>) -> CIImage {
    if extent.isInfiniteExtent || extent.isNull { return self }
    let moved = transformed(
      by: CGAffineTransform(
        translationX: (center.x - Double(extent.midX)).rounded(),
        y: (center.y - Double(extent.midY)).rounded()))
    return moved.applyingFilter("CIAffineTile")
  }
}
