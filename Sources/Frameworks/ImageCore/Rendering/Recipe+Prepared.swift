internal import Foundation
internal import GraphicsCore
internal import StillCodecs

extension Recipe {
  /// The same picture, with what all tiles of `rect` have in common computed already.
  ///
  /// Where a step moves pixels about, what lies below it is computed by each tile for itself.
  func prepared(for rect: GridRect, _ renderer: TileRenderer) -> Recipe {
    guard isPreparable else { return self }
    let covered = extent.pixels(within: rect)
    if covered.isEmpty { return self }
    switch step {
    case .nothing, .color, .picture: return self
    case .crop(_, let limits):
      return mapSources { $0.prepared(for: limits.pixelCenters(within: covered), renderer) }
    case .clamp(_, let limits):
      let needed = covered.nearest(in: limits.allPixels)
      return mapSources { $0.prepared(for: needed, renderer) }
    case .over, .alpha: return mapSources { $0.prepared(for: covered, renderer) }
    case .transform(_, let matrix, let sampling):
      let reach = sampling.kernel?.reach ?? 1
      let back = matrix.inverted()
      let needed = CGRect(
        x: CGFloat(covered.x), y: CGFloat(covered.y), width: CGFloat(covered.width),
        height: CGFloat(covered.height)
      ).applying(back).insetBy(
        dx: -reach * max(1, abs(back.a) + abs(back.c)), dy: -reach * max(1, abs(back.b) + abs(back.d)))
      return mapSources { $0.prepared(for: needed.allPixels, renderer) }
    case .work(let work):
      return .work(work.prepared(for: covered, renderer), extent: extent)
    }
  }

  /// The same picture, in which files that are made smaller are not decoded whole.
  ///
  /// A codec means coded numbers, which makes fine contrast darker than light does: three pixels by three are left at least for
  /// each pixel, whose mean is taken in light.
  var withSmallerFiles: Recipe {
    if case .transform(let inner, let matrix, .linear) = step, case .picture(let picture) = inner.step {
      let across = (matrix.a * matrix.a + matrix.b * matrix.b).squareRoot()
      let along = (matrix.c * matrix.c + matrix.d * matrix.d).squareRoot()
      guard let (small, scale) = picture.smaller(by: 1 / (3 * max(across, along))) else { return self }
      let growing = CGAffineTransform(scaleX: CGFloat(scale.rawValue), y: CGFloat(scale.rawValue))
      return .picture(small).transformed(by: growing.concatenating(matrix), sampling: .linear)
    }
    return mapSources { $0.withSmallerFiles }
  }

  /// Whether a part of the recipe can be prepared.
  private var isPreparable: Bool {
    switch step {
    case .nothing, .color, .picture: false
    case .crop(let inner, _), .transform(let inner, _, _), .clamp(let inner, _), .alpha(let inner, _):
      inner.isPreparable
    case .over(let top, let bottom): top.isPreparable || bottom.isPreparable
    case .work(let work): work.isPreparable || work.sources.contains(where: \.isPreparable)
    }
  }
}
