internal import Foundation
internal import GraphicsCore

extension FilterDefinition {
  /// Filters that bend.
  static let distortionFilters: [FilterDefinition] = [
    .bend(
      "CITwirlDistortion",
      [
        .number("inputRadius", 300, 0...500),
        .number("inputAngle", .pi, -4 * Double.pi...4 * Double.pi, identity: 0),
      ]
    ) { values in
      let (radius, angle) = (values.number("inputRadius"), values.number("inputAngle"))
      return { offset in
        let distance = (offset * offset).sum().squareRoot()
        guard distance < radius else { return offset }
        let share = 1 - distance / radius
        // Seen there is what was turned to it.
        let turn = -angle * share * share
        return SIMD2(
          offset.x * cos(turn) - offset.y * sin(turn), offset.x * sin(turn) + offset.y * cos(turn))
      }
    },
    .bend(
      "CIBumpDistortion",
      [.number("inputRadius", 300, 0...600), .number("inputScale", 0.5, -1...1, identity: 0)]
    ) { values in
      let (radius, scale) = (values.number("inputRadius"), min(0.99, values.number("inputScale")))
      return { offset in
        let distance = (offset * offset).sum().squareRoot()
        guard distance < radius else { return offset }
        let share = 1 - distance / radius
        // A bump enlarges its middle, a dent makes it smaller; the rim stays.
        return offset * (1 - scale * share * share)
      }
    },
    .bend(
      "CIPinchDistortion",
      [.number("inputRadius", 300, 0...1000), .number("inputScale", 0.5, 0...2, identity: 0)]
    ) {
      values in
      let (radius, scale) = (values.number("inputRadius"), values.number("inputScale"))
      return { offset in
        let distance = (offset * offset).sum().squareRoot()
        guard distance < radius, distance > 0 else { return offset }
        return offset * pow(radius / distance, scale * (1 - distance / radius))
      }
    },
    FilterDefinition(
      "CIPixellate", kCICategoryStylizeEffect,
      [.image, .vector("inputCenter", 150, 150), .number("inputScale", 8, 1...100, limits: 1 ... .infinity)]
    ) { values in
      guard let image = values.image() else { return nil }
      let (center, scale) = (values.point("inputCenter"), values.number("inputScale"))
      // Whole cells that touch the picture: those at its edge reach beyond.
      let extent =
        image.extent.isInfiniteExtent || image.extent.isNull
        ? image.extent : image.extent.cells(center, scale)
      let mean = image.recipe.transformed(
        by: CGAffineTransform(translationX: -center.x, y: -center.y).concatenating(
          CGAffineTransform(scaleX: 1 / scale, y: 1 / scale)), sampling: .linear)
      // One pixel for each cell, with the mean of what the cell holds.
      return image.changed(
        .work(
          WarpWork(source: mean) { x, y in
            SIMD2(
              ((x - center.x) / scale).rounded(.down) + 0.5, ((y - center.y) / scale).rounded(.down) + 0.5)
          }, extent: extent))
    },
    FilterDefinition(
      "CIKaleidoscope", kCICategoryTileEffect,
      [
        .image, .number("inputCount", 6, 1...64, limits: 1 ... .infinity), .vector("inputCenter", 150, 150),
        .number("inputAngle", 0, -Double.pi...Double.pi),
      ]
    ) { values in
      guard let image = values.image() else { return nil }
      let (center, start) = (values.point("inputCenter"), values.number("inputAngle"))
      let sector = 2 * Double.pi / values.number("inputCount").rounded()
      return image.warped(in: .infinite) { x, y in
        let offset = SIMD2(x, y) - center
        let distance = (offset * offset).sum().squareRoot()
        var angle = (atan2(offset.y, offset.x) - start).truncatingRemainder(dividingBy: sector)
        if angle < 0 { angle += sector }
        // Each mirror shows the half before it.
        angle = min(angle, sector - angle) + start
        return center + distance * SIMD2(cos(angle), sin(angle))
      }
    },
  ]

  /// A filter that looks around a centre for what is seen.
  private static func bend(
    _ name: String, _ inputs: [FilterInput],
    _ bent: @escaping @Sendable (FilterValues) -> @Sendable (SIMD2<Double>) -> SIMD2<Double>
  ) -> FilterDefinition {
    FilterDefinition(name, kCICategoryDistortionEffect, [.image, .vector("inputCenter", 150, 150)] + inputs) {
      values in
      guard let image = values.image() else { return nil }
      let (center, bend) = (values.point("inputCenter"), bent(values))
      return image.warped(in: image.extent) { x, y in center + bend(SIMD2(x, y) - center) }
    }
  }
}

extension CGRect {
  /// The rectangle of whole cells that this one touches, one of whose corners is `center`.
  fileprivate func cells(_ center: SIMD2<Double>, _ size: Double) -> CGRect {
    let left = ((minX - center.x) / size).rounded(.down) * size + center.x
    let bottom = ((minY - center.y) / size).rounded(.down) * size + center.y
    let right = ((maxX - center.x) / size).rounded(.up) * size + center.x
    let top = ((maxY - center.y) / size).rounded(.up) * size + center.y
    return CGRect(x: left, y: bottom, width: right - left, height: top - bottom)
  }
}
