internal import Foundation
internal import GraphicsCore

extension FilterDefinition {
  /// Filters that move, turn, scale, cut and repeat.
  static let geometryFilters: [FilterDefinition] = [
    FilterDefinition(
      "CIAffineTransform", kCICategoryGeometryAdjustment,
      [.image, FilterInput(key: "inputTransform", kind: .transform)]
    ) { values in values.image()?.transformed(by: values.transform("inputTransform")) },
    FilterDefinition(
      "CICrop", kCICategoryGeometryAdjustment, [.image, .vector("inputRectangle", -1e30, -1e30, 2e30, 2e30)]
    ) { values in values.image()?.cropped(to: values.vector("inputRectangle").cgRectValue) },
    FilterDefinition(
      "CIStraightenFilter", kCICategoryGeometryAdjustment,
      [.image, .number("inputAngle", 0, -Double.pi...Double.pi, identity: 0)]
    ) { values in
      guard let image = values.image() else { return nil }
      if image.extent.isInfiniteExtent || image.extent.isNull { return image }
      // Turned about the middle, and so large that the turned picture fills the old extent.
      let (angle, extent) = (values.number("inputAngle"), image.extent)
      let (sine, cosine) = (abs(sin(angle)), abs(cos(angle)))
      let scale = max(
        cosine + sine * extent.height / extent.width, cosine + sine * extent.width / extent.height)
      let turn = CGAffineTransform(translationX: -extent.midX, y: -extent.midY)
        .concatenating(CGAffineTransform(rotationAngle: angle))
        .concatenating(CGAffineTransform(scaleX: scale, y: scale))
        .concatenating(CGAffineTransform(translationX: extent.midX, y: extent.midY))
      return image.transformed(by: turn).cropped(to: extent)
    },
    FilterDefinition(
      "CILanczosScaleTransform", kCICategoryGeometryAdjustment,
      [
        .image, .number("inputScale", 1, 0.05...1.5, identity: 1),
        .number("inputAspectRatio", 1, 0.5...2, identity: 1),
      ]
    ) { values in values.image()?.scaled(values, with: .lanczos) },
    FilterDefinition(
      "CIBicubicScaleTransform", kCICategoryGeometryAdjustment,
      [
        .image, .number("inputScale", 1, 0.05...1.5, identity: 1),
        .number("inputAspectRatio", 1, 0.5...2, identity: 1),
        .number("inputB", 0, 0...1, limits: 0...1), .number("inputC", 0.75, 0...1, limits: 0...1),
      ]
    ) { values in
      values.image()?.scaled(values, with: .cubic(b: values.number("inputB"), c: values.number("inputC")))
    },
    FilterDefinition(
      "CIAffineClamp", kCICategoryTileEffect, [.image, FilterInput(key: "inputTransform", kind: .transform)]
    ) { values in values.image()?.transformed(by: values.transform("inputTransform")).clampedToExtent() },
    FilterDefinition(
      "CIAffineTile", kCICategoryTileEffect, [.image, FilterInput(key: "inputTransform", kind: .transform)]
    ) { values in
      guard let image = values.image() else { return nil }
      let (extent, transform) = (image.extent, values.transform("inputTransform"))
      if extent.isInfiniteExtent || extent.isNull || !transform.isUsable { return image }
      if extent.isWhole {
        let repeated = Recipe.work(
          RepeatWork(source: image.recipe, period: extent.allPixels), extent: .infinite)
        return image.changed(repeated.transformed(by: transform, sampling: .linear))
      }
      let back = transform.inverted()
      return image.warped(in: .infinite) { x, y in
        let point = CGPoint(x: x, y: y).applying(back)
        func wrapped(_ value: CGFloat, _ low: CGFloat, _ length: CGFloat) -> Double {
          low + (value - low) - length * ((value - low) / length).rounded(.down)
        }
        return SIMD2(
          wrapped(point.x, extent.minX, extent.width), wrapped(point.y, extent.minY, extent.height))
      }
    },
    FilterDefinition(
      "CIPerspectiveCorrection", kCICategoryGeometryAdjustment,
      [
        .image, .vector("inputTopLeft", 118, 484), .vector("inputTopRight", 646, 507),
        .vector("inputBottomRight", 548, 140), .vector("inputBottomLeft", 155, 153),
      ]
    ) { values in
      let corners = ["TopLeft", "TopRight", "BottomRight", "BottomLeft"].map { values.point("input\($0)") }
      guard let image = values.image(), let plane = PerspectiveSquare(corners) else { return nil }
      // As wide and high as the longer of opposite sides.
      func length(_ a: Int, _ b: Int) -> Double {
        let side = corners[a] - corners[b]
        return (side * side).sum().squareRoot()
      }
      let width = max(1, max(length(0, 1), length(3, 2)).rounded())
      let height = max(1, max(length(0, 3), length(1, 2)).rounded())
      return image.warped(in: CGRect(x: 0, y: 0, width: width, height: height)) { x, y in
        plane.place(x / width, 1 - y / height)
      }
    },
  ]
}

extension CIImage {
  /// The picture as many times larger as a scaling filter's inputs say.
  fileprivate func scaled(_ values: FilterValues, with kernel: ResamplingKernel) -> CIImage {
    let scale = values.number("inputScale")
    let matrix = CGAffineTransform(scaleX: scale * values.number("inputAspectRatio"), y: scale)
    return changed(recipe.transformed(by: matrix, sampling: .scaling(kernel)))
  }

  /// A picture each pixel of which is looked up at a place of this one.
  func warped(
    in extent: CGRect, _ place: @escaping @Sendable (_ x: Double, _ y: Double) -> SIMD2<Double>?
  ) -> CIImage {
    changed(.work(WarpWork(source: recipe, place: place), extent: extent))
  }
}

/// A square seen in perspective (Heckbert 1989, 2.2.3).
struct PerspectiveSquare: Sendable {
  private let origin: SIMD2<Double>
  private let right: SIMD2<Double>
  private let down: SIMD2<Double>
  private let depth: SIMD2<Double>

  /// The square whose top left, top right, bottom right and bottom left are seen at `corners`; `nil` where they lie on a line.
  init?(_ corners: [SIMD2<Double>]) {
    guard corners.count == 4 else { return nil }
    let (d1, d2) = (corners[1] - corners[2], corners[3] - corners[2])
    let d3 = corners[0] - corners[1] + corners[2] - corners[3]
    let divisor = d1.x * d2.y - d2.x * d1.y
    guard abs(divisor) > 1e-9 else { return nil }
    depth = SIMD2((d3.x * d2.y - d2.x * d3.y) / divisor, (d1.x * d3.y - d3.x * d1.y) / divisor)
    origin = corners[0]
    right = corners[1] - corners[0] + corners[1] * depth.x
    down = corners[3] - corners[0] + corners[3] * depth.y
  }

  /// Where the place of the unit square is seen, `v` downwards; `nil` where that is behind the eye.
  func place(_ u: Double, _ v: Double) -> SIMD2<Double>? {
    let away = depth.x * u + depth.y * v + 1
    guard away > 1e-9 else { return nil }
    return (right * u + down * v + origin) / away
  }
}
