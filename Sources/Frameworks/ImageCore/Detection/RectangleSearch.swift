internal import CoreVideo
internal import Foundation
internal import RectangleFinding

/// Rectangles.
final class RectangleSearch: FeatureSearch {
  private let finder = RectangleFinder()
  private let standard: DetectorOptions

  init(_ options: DetectorOptions) {
    standard = options
  }

  func features(in picture: CVPixelBuffer, _ place: PictureToImageTransform, _ options: DetectorOptions)
    -> [CIFeature]
  {
    let least = place.leastSide(options.leastShare ?? standard.leastShare ?? 0.2)
    let aspect = options.aspect ?? standard.aspect ?? 1.6
    let most = options.mostFeatures ?? standard.mostFeatures ?? 1
    // A picture that cannot be searched has no rectangles that are known of.
    let found = (try? finder.rectangles(in: picture, least: least)) ?? []
    // Large ones first, but for those whose shape is far from what was asked for.
    let ranked = found.sorted {
      $0.area * Self.likeness($0.aspect, aspect) > $1.area * Self.likeness($1.aspect, aspect)
    }
    return ranked.prefix(most).map { CIRectangleFeature($0.corners.map(place.point)) }
  }

  /// 1 for the same shape, 0.5 for one that is twice as wide; upright or lying is no difference.
  private static func likeness(_ seen: Double, _ wanted: Double) -> Double {
    guard seen > 0, wanted > 0 else { return 1 }
    let (a, b) = (max(seen, 1 / seen), max(wanted, 1 / wanted))
    return min(a, b) / max(a, b)
  }
}
