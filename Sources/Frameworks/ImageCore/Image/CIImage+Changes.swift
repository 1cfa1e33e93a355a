public import Foundation
public import GraphicsCore

extension CIImage {
  /// The part of the image within `rect`; clear outside it, but not moved.
  public func cropped(to rect: CGRect) -> CIImage {
    changed(recipe.cropped(to: rect))
  }

  /// The image moved, turned, scaled or sheared by `matrix`.
  ///
  /// Where it shrinks, each pixel is the mean of what it covers; where it grows, values lie between the nearest four.
  public func transformed(by matrix: CGAffineTransform) -> CIImage {
    changed(recipe.transformed(by: matrix, sampling: facts.sampling))
  }

  /// The image transformed by `matrix`.
  ///
  /// - Parameter highQualityDownsample: Shrinking always takes the mean of what a pixel covers, unless the image is
  ///   ``samplingNearest()``; `true` asks for that in any case.
  public func transformed(by matrix: CGAffineTransform, highQualityDownsample: Bool) -> CIImage {
    changed(recipe.transformed(by: matrix, sampling: highQualityDownsample ? .linear : facts.sampling))
  }

  /// The image with its outermost pixels repeated outwards for ever.
  public func clampedToExtent() -> CIImage {
    changed(recipe.clamped(to: .infinite))
  }

  /// The part of the image within `rect` with its outermost pixels repeated outwards for ever.
  public func clamped(to rect: CGRect) -> CIImage {
    changed(recipe.clamped(to: rect))
  }

  /// The image laid over `dest`, by its alpha.
  public func composited(over dest: CIImage) -> CIImage {
    changed(recipe.over(dest.recipe))
  }

  /// The image within `extent`, opaque there: colours stay as they are when premultiplied.
  public func settingAlphaOne(in extent: CGRect) -> CIImage {
    changed(recipe.alpha(.setOne(extent)))
  }

  /// The image with its colours multiplied by its alpha once more.
  public func premultiplyingAlpha() -> CIImage {
    changed(recipe.alpha(.premultiply))
  }

  /// The image with its colours divided by its alpha.
  public func unpremultiplyingAlpha() -> CIImage {
    changed(recipe.alpha(.unpremultiply))
  }

  /// The image with other properties.
  public func settingProperties(_ properties: [AnyHashable: Any]) -> CIImage {
    var facts = facts.changed
    facts.setProperties(
      Dictionary(
        properties.compactMap { key, value in (key as? String).map { ($0, value) } }, uniquingKeysWith: { $1 }
      ))
    return CIImage(recipe, facts: facts)
  }

  /// The image, its later transforms interpolating between pixels; the default of images.
  public func samplingLinear() -> CIImage {
    sampling(.linear)
  }

  /// The image, its later transforms taking the nearest pixel.
  public func samplingNearest() -> CIImage {
    sampling(.nearest)
  }

  private func sampling(_ sampling: Recipe.Sampling) -> CIImage {
    var facts = facts
    facts.sampling = sampling
    return CIImage(recipe, facts: facts)
  }
}

extension CIImage {
  /// The image turned upright as an EXIF orientation says, its lower left corner at the origin.
  ///
  /// - Parameter orientation: 1…8; anything else leaves the image as it is.
  public func oriented(forExifOrientation orientation: Int32) -> CIImage {
    transformed(by: orientationTransform(forExifOrientation: orientation))
  }

  /// The transform that ``oriented(forExifOrientation:)`` applies.
  public func orientationTransform(forExifOrientation orientation: Int32) -> CGAffineTransform {
    CIImage.transform(forExifOrientation: Int(orientation), extent: extent)
  }

  /// What turns a picture of `extent` upright whose EXIF orientation is `number` (TIFF 6.0, tag 274).
  static func transform(forExifOrientation number: Int, extent: CGRect) -> CGAffineTransform {
    if extent.isNull || extent.isInfiniteExtent || !(2...8).contains(number) { return .identity }
    let width = extent.width
    let height = extent.height
    let matrix: CGAffineTransform
    switch number {
    case 2: matrix = CGAffineTransform(a: -1, b: 0, c: 0, d: 1, tx: width, ty: 0)
    case 3: matrix = CGAffineTransform(a: -1, b: 0, c: 0, d: -1, tx: width, ty: height)
    case 4: matrix = CGAffineTransform(a: 1, b: 0, c: 0, d: -1, tx: 0, ty: height)
    case 5: matrix = CGAffineTransform(a: 0, b: -1, c: -1, d: 0, tx: height, ty: width)
    case 6: matrix = CGAffineTransform(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: width)
    case 7: matrix = CGAffineTransform(a: 0, b: 1, c: 1, d: 0, tx: 0, ty: 0)
    default: matrix = CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: height, ty: 0)
    }
    return CGAffineTransform(translationX: -extent.minX, y: -extent.minY).concatenating(matrix)
  }
}

extension CIImage {
  /// Opaque black everywhere.
  public static var black: CIImage { CIImage(color: .black) }
  /// Opaque white everywhere.
  public static var white: CIImage { CIImage(color: .white) }
  /// Opaque gray everywhere.
  public static var gray: CIImage { CIImage(color: .gray) }
  /// Opaque red everywhere.
  public static var red: CIImage { CIImage(color: .red) }
  /// Opaque green everywhere.
  public static var green: CIImage { CIImage(color: .green) }
  /// Opaque blue everywhere.
  public static var blue: CIImage { CIImage(color: .blue) }
  /// Opaque cyan everywhere.
  public static var cyan: CIImage { CIImage(color: .cyan) }
  /// Opaque magenta everywhere.
  public static var magenta: CIImage { CIImage(color: .magenta) }
  /// Opaque yellow everywhere.
  public static var yellow: CIImage { CIImage(color: .yellow) }
  /// Nothing everywhere.
  public static var clear: CIImage { CIImage(color: .clear) }
}
