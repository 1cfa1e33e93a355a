internal import Foundation
internal import GraphicsCore

extension FilterDefinition {
  /// Filters that look at a pixel's neighbours, or at where it lies.
  static let styleFilters: [FilterDefinition] = [
    FilterDefinition(
      "CIGaussianBlur", kCICategoryBlur, [.image, .number("inputRadius", 10, 0...100, identity: 0)]
    ) {
      values in values.image().map { $0.applyingGaussianBlur(sigma: values.number("inputRadius")) }
    },
    FilterDefinition("CIBoxBlur", kCICategoryBlur, [.image, .number("inputRadius", 10, 1...100)]) { values in
      guard let image = values.image() else { return nil }
      let radius = Int(min(500, max(0, values.number("inputRadius"))))
      return image.changed(
        .work(BlurWork(image.recipe, box: radius), extent: image.extent.grown(by: Double(radius))))
    },
    FilterDefinition(
      "CIBloom", kCICategoryStylizeEffect,
      [
        .image, .number("inputRadius", 10, 0...100, identity: 0),
        .number("inputIntensity", 0.5, 0...1, identity: 0),
      ]
    ) { values in
      guard let image = values.image() else { return nil }
      let intensity = values.float("inputIntensity")
      let soft = image.applyingGaussianBlur(sigma: values.number("inputRadius"))
      return .mixing([image, soft], over: soft.extent) { pixels in
        // What glows makes things lighter and never darker.
        let glow = pixels[1] * intensity
        return pixels[0] + glow * (1 - pointwiseMin(pixels[0], .one))
      }
    },
    FilterDefinition(
      "CIUnsharpMask", kCICategorySharpen,
      [.image, .number("inputRadius", 2.5, 0...100), .number("inputIntensity", 0.5, 0...1, identity: 0)]
    ) { values in
      guard let image = values.image() else { return nil }
      let intensity = values.float("inputIntensity")
      let soft = image.clampedToExtent().applyingGaussianBlur(sigma: values.number("inputRadius"))
      return .mixing([image, soft], over: image.extent) { pixels in
        (pixels[0] + (pixels[0] - pixels[1]) * intensity).withAlpha(pixels[0].w)
      }
    },
    FilterDefinition("CIEdges", kCICategoryStylizeEffect, [.image, .number("inputIntensity", 1, 0...10)]) {
      values in
      guard let image = values.image() else { return nil }
      let intensity = values.float("inputIntensity")
      let around = image.clampedToExtent()
      // Roberts's cross: the two diagonals of a square of four pixels.
      let square = [CGPoint(x: 0, y: 0), CGPoint(x: -1, y: -1), CGPoint(x: -1, y: 0), CGPoint(x: 0, y: -1)]
        .map {
          around.transformed(by: CGAffineTransform(translationX: $0.x, y: $0.y))
        }
      return .mixing(square + [image], over: image.extent) { pixels in
        let (down, up) = (pixels[0] - pixels[1], pixels[2] - pixels[3])
        let edge = (down * down + up * up).squareRoot() * intensity
        return edge.withAlpha(pixels[4].w)
      }
    },
    .aroundMiddle(
      "CIVignette", [.number("inputRadius", 1, 0...2), .number("inputIntensity", 0, -1...1, identity: 0)]
    ) { values, extent in
      let (radius, intensity) = (values.number("inputRadius"), values.number("inputIntensity"))
      let corner = SIMD2(Double(extent.width), Double(extent.height)) / 2
      let reach = (corner * corner).sum()
      return { offset in
        // Light falls off from the middle as the square of the distance; the radius says how far it is whole.
        let distance = (offset * offset).sum() / reach / max(0.01, radius * radius) * 2
        return 1 - intensity * min(1, distance * distance / (1 + distance * distance) * 1.25)
      }
    },
    .aroundMiddle(
      "CIVignetteEffect",
      [
        .vector("inputCenter", 150, 150), .number("inputRadius", 150, 0...2000),
        .number("inputIntensity", 1, -1...1, identity: 0), .number("inputFalloff", 0.5, 0...1),
      ]
    ) { values, extent in
      let center = values.point("inputCenter") - SIMD2(Double(extent.midX), Double(extent.midY))
      let (radius, intensity) = (values.number("inputRadius"), values.number("inputIntensity"))
      let width = max(1, radius * values.number("inputFalloff"))
      return { offset in
        let distance = ((offset - center) * (offset - center)).sum().squareRoot()
        let share = min(1, max(0, (distance - radius + width) / (2 * width)))
        return 1 - intensity * share * share * (3 - 2 * share)
      }
    },
    FilterDefinition(
      "CIAreaAverage", kCICategoryReduction, [.image, .vector("inputExtent", 0, 0, 640, 80)]
    ) { values in
      guard let image = values.image() else { return nil }
      let rect = values.vector("inputExtent").cgRectValue.standardized
      return image.changed(
        .work(MeanWork(source: image.recipe, rect: rect), extent: CGRect(x: 0, y: 0, width: 1, height: 1)))
    },
  ]

  /// A filter that makes a picture darker or lighter by how far a pixel lies from the middle.
  private static func aroundMiddle(
    _ name: String, _ inputs: [FilterInput],
    _ factor: @escaping @Sendable (FilterValues, CGRect) -> @Sendable (SIMD2<Double>) -> Double
  ) -> FilterDefinition {
    FilterDefinition(name, kCICategoryColorEffect, [.image] + inputs) { values in
      guard let image = values.image() else { return nil }
      if image.extent.isInfiniteExtent || image.extent.isNull { return image }
      let (factor, extent) = (factor(values, image.extent), image.extent)
      let shade = Recipe.work(
        PlaceWork(colors: []) { x, y, _ in
          SIMD4(repeating: Float(max(0, factor(SIMD2(x - Double(extent.midX), y - Double(extent.midY))))))
        }, extent: extent)
      return .mixing([image, CIImage(shade)], over: extent) { pixels in
        (pixels[0] * pixels[1]).withAlpha(pixels[0].w)
      }
    }
  }
}

/// Computes one pixel: the mean of a part of a picture.
private struct MeanWork: PictureWork {
  var source: Recipe
  let rect: CGRect

  var sources: [Recipe] {
    get { [source] }
    set { source = newValue[0] }
  }

  func tile(_ rect: GridRect, _ renderer: TileRenderer) -> Tile {
    let tile = Tile(rect)
    var sum = SIMD4<Double>.zero
    let part = renderer.forEachTile(of: source, within: self.rect) { piece in
      for index in 0..<piece.rect.width * piece.rect.height { sum += SIMD4<Double>(piece.pixels[index]) }
    }
    if part.isEmpty { return tile }
    tile.pixels.update(
      repeating: SIMD4<Float>(sum / Double(part.width * part.height)), count: rect.width * rect.height)
    return tile
  }
}

extension CGRect {
  /// The rectangle with its sides moved outwards; one without end or without pixels stays.
  func grown(by distance: Double) -> CGRect {
    isInfiniteExtent || isNull ? self : insetBy(dx: -distance, dy: -distance)
  }
}
