internal import Foundation
internal import GraphicsCore
internal import PixelTransforms

/// A recipe for a picture: a step, and the recipes that it starts from.
///
/// Immutable, shared freely between images and threads. Coordinates are Core Image's: the origin at the lower left, a
/// pixel from one whole number to the next.
final class Recipe: Sendable {
  enum Step: Sendable {
    /// Clear everywhere.
    case nothing
    /// The same colour everywhere.
    case color(CIColor)
    /// A picture with its lower left corner at the origin.
    case picture(Picture)
    /// Clear outside the rectangle.
    case crop(Recipe, CGRect)
    /// Moved, turned, scaled, sheared.
    case transform(Recipe, CGAffineTransform, Sampling)
    /// The outermost pixels go on for ever.
    case clamp(Recipe, CGRect)
    /// The first lies on the second.
    case over(Recipe, Recipe)
    /// Only alpha changes, or only what it did to the colours.
    case alpha(Recipe, AlphaStep)
    /// The computation of a filter.
    case work(any PictureWork)
  }

  enum Sampling: Sendable, Hashable {
    /// Between the four nearest pixels; the mean of what one output pixel covers when pictures shrink.
    case linear
    case nearest
    /// The kernel that scaling filters ask for: for transforms that only scale.
    case scaling(ResamplingKernel)

    var kernel: ResamplingKernel? {
      if case .scaling(let kernel) = self { kernel } else { nil }
    }
  }

  enum AlphaStep: Sendable {
    case setOne(CGRect)
    case premultiply
    case unpremultiply
  }

  let step: Step
  /// The rectangle outside of which the picture is clear.
  let extent: CGRect

  private init(_ step: Step, _ extent: CGRect) {
    self.step = step
    self.extent = extent
  }

  static let nothing = Recipe(.nothing, .null)

  static func color(_ color: CIColor) -> Recipe {
    Recipe(.color(color), .infinite)
  }

  static func picture(_ picture: Picture) -> Recipe {
    Recipe(
      .picture(picture), CGRect(x: 0, y: 0, width: picture.size.width, height: picture.size.height))
  }

  func cropped(to rect: CGRect) -> Recipe {
    let rect = rect.standardized
    if rect.isInfiniteExtent || (!extent.isNull && rect.contains(extent)) { return self }
    let rest = extent.isInfiniteExtent ? rect : extent.intersection(rect)
    if rest.isNull || rest.isEmpty { return .nothing }
    if case .crop(let inner, _) = step { return Recipe(.crop(inner, rest), rest) }
    return Recipe(.crop(self, rest), rest)
  }

  func transformed(by matrix: CGAffineTransform, sampling: Sampling) -> Recipe {
    if extent.isNull || matrix.isIdentity { return self }
    guard matrix.isUsable else { return .nothing }
    switch step {
    case .color:
      return self
    case .transform(let inner, let first, let same) where same == sampling && sampling.kernel == nil:
      // One sampling of the product is sharper than two.
      return inner.transformed(by: first.concatenating(matrix), sampling: sampling)
    default:
      let moved = extent.isInfiniteExtent ? extent : extent.applying(matrix)
      guard moved.width > 0, moved.height > 0 else { return .nothing }
      return Recipe(.transform(self, matrix, sampling), moved.nearlyIntegral)
    }
  }

  func clamped(to rect: CGRect) -> Recipe {
    let rect = rect.isInfiniteExtent ? extent : extent.isInfiniteExtent ? rect : extent.intersection(rect)
    if rect.isNull || rect.isEmpty || rect.isInfiniteExtent { return self }
    return Recipe(.clamp(cropped(to: rect), rect), .infinite)
  }

  func over(_ other: Recipe) -> Recipe {
    if extent.isNull { return other }
    if other.extent.isNull { return self }
    let both =
      extent.isInfiniteExtent || other.extent.isInfiniteExtent ? .infinite : extent.union(other.extent)
    return Recipe(.over(self, other), both)
  }

  func alpha(_ change: AlphaStep) -> Recipe {
    if case .setOne(let rect) = change {
      if rect.isNull || rect.isEmpty { return .nothing }
      return Recipe(.alpha(self, change), rect)
    }
    return extent.isNull ? self : Recipe(.alpha(self, change), extent)
  }

  static func work(_ work: any PictureWork, extent: CGRect) -> Recipe {
    if extent.isNull || extent.isEmpty { return .nothing }
    return Recipe(.work(work), extent)
  }

  /// The same step, starting from what `change` makes of the recipes that it starts from, each of which keeps its extent.
  func mapSources(_ change: (Recipe) -> Recipe) -> Recipe {
    switch step {
    case .nothing, .color, .picture: return self
    case .crop(let inner, let rect): return Recipe(.crop(change(inner), rect), extent)
    case .transform(let inner, let matrix, let sampling):
      return Recipe(.transform(change(inner), matrix, sampling), extent)
    case .clamp(let inner, let rect): return Recipe(.clamp(change(inner), rect), extent)
    case .over(let top, let bottom): return Recipe(.over(change(top), change(bottom)), extent)
    case .alpha(let inner, let kind): return Recipe(.alpha(change(inner), kind), extent)
    case .work(var work):
      work.sources = work.sources.map(change)
      return Recipe(.work(work), extent)
    }
  }

  /// Whether the rows of the picture that the recipe starts from, the lowest of several, stand upright in it.
  var liesOnItsSide: Bool {
    switch step {
    case .nothing, .color, .picture: false
    case .transform(let inner, let matrix, _): inner.liesOnItsSide != (abs(matrix.b) > abs(matrix.a))
    case .crop(let inner, _), .clamp(let inner, _), .alpha(let inner, _): inner.liesOnItsSide
    case .over(_, let bottom): bottom.liesOnItsSide
    case .work(let work): work.sources.first?.liesOnItsSide ?? false
    }
  }

  /// Whether every pixel within ``extent`` is fully opaque.
  var isOpaque: Bool {
    switch step {
    case .nothing: false
    case .color(let color): color.alpha >= 1
    case .picture(let picture): picture.isOpaque
    case .crop(let inner, _): inner.isOpaque
    // The edges of a turned picture are mixed with nothing.
    case .transform(let inner, let matrix, _): inner.isOpaque && matrix.isPixelExact
    case .clamp(let inner, _): inner.isOpaque
    case .over(let top, let bottom):
      (top.isOpaque && top.extent.contains(extent)) || (bottom.isOpaque && bottom.extent.contains(extent))
    case .alpha(_, .setOne): true
    case .alpha(let inner, _): inner.isOpaque
    case .work(let work): work.isOpaque
    }
  }
}

extension CGRect {
  /// Whether the rectangle stands for all of the plane; sizes beyond any picture count.
  var isInfiniteExtent: Bool {
    isInfinite || width > 1e15 || height > 1e15
  }

  /// The same rectangle with sides that are off a whole number only by rounding put on it.
  var nearlyIntegral: CGRect {
    if isInfiniteExtent || isNull { return self }
    func snapped(_ value: CGFloat) -> CGFloat {
      abs(value - value.rounded()) < 1e-6 ? value.rounded() : value
    }
    let x = snapped(minX)
    let y = snapped(minY)
    return CGRect(x: x, y: y, width: snapped(maxX) - x, height: snapped(maxY) - y)
  }
}

extension CGAffineTransform {
  /// Whether pictures survive the transform: no flattening to a line, no numbers beyond any picture.
  var isUsable: Bool {
    let determinant = a * d - b * c
    guard determinant.isFinite, abs(determinant) > 1e-14 else { return false }
    let back = inverted()
    let scales = [a, b, c, d, back.a, back.b, back.c, back.d]
    return scales.allSatisfy { abs($0) <= 1e7 } && abs(tx) <= 1e12 && abs(ty) <= 1e12
  }

  /// Whether pixels land exactly on pixels: quarter turns, mirror images, whole steps.
  var isPixelExact: Bool {
    func isWhole(_ value: CGFloat) -> Bool { abs(value - value.rounded()) < 1e-6 }
    let isUpright = abs(abs(a) - 1) < 1e-9 && abs(abs(d) - 1) < 1e-9 && abs(b) < 1e-9 && abs(c) < 1e-9
    let isLying = abs(abs(b) - 1) < 1e-9 && abs(abs(c) - 1) < 1e-9 && abs(a) < 1e-9 && abs(d) < 1e-9
    return (isUpright || isLying) && isWhole(tx) && isWhole(ty)
  }
}
