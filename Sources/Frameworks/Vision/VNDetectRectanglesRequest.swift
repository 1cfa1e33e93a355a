internal import CoreVideo
internal import Foundation
internal import RectangleFinding

/// A search for rectangles in perspective, such as documents and cards.
///
/// Source: [VNDetectRectanglesRequest](https://developer.apple.com/documentation/vision/vndetectrectanglesrequest).
open class VNDetectRectanglesRequest: VNImageBasedRequest, @unchecked Sendable {  // Safe as the base.
  /// The least ratio of a rectangle's shorter side to its longer one; 0.5 at first.
  ///
  /// Apple: `VNDetectRectanglesRequest.minimumAspectRatio`.
  open var minimumAspectRatio: VNAspectRatio = 0.5
  /// The greatest such ratio; 1 at first.
  ///
  /// Apple: `VNDetectRectanglesRequest.maximumAspectRatio`.
  open var maximumAspectRatio: VNAspectRatio = 1
  /// By how many degrees a corner may miss a right angle as it is seen; 30 at first.
  ///
  /// Apple: `VNDetectRectanglesRequest.quadratureTolerance`.
  open var quadratureTolerance: VNDegrees = 30
  /// The least length of a rectangle's longer side, as a part of the picture's shorter one; 0.2 at first.
  ///
  /// Apple: `VNDetectRectanglesRequest.minimumSize`.
  open var minimumSize: Float = 0.2
  /// The least confidence; 0 at first.
  ///
  /// Apple: `VNDetectRectanglesRequest.minimumConfidence`.
  open var minimumConfidence: VNConfidence = 0
  /// How many rectangles are reported at most, the largest first; 1 at first, and 0 for all.
  ///
  /// Apple: `VNDetectRectanglesRequest.maximumObservations`.
  open var maximumObservations = 1
  private let finder = RectangleFinder()

  /// The rectangles that were found last; `nil` before the request was performed, and after it failed.
  ///
  /// Apple: `VNDetectRectanglesRequest.results`.
  open var results: [VNRectangleObservation]? { observations as? [VNRectangleObservation] }

  override func search(_ part: CVPixelBuffer, _ places: PartPlaces) throws -> [VNObservation] {
    let ratios = minimumAspectRatio...max(minimumAspectRatio, maximumAspectRatio)
    let least = Double(minimumSize) * Double(min(part.width, part.height))
    let found = try finder.rectangles(in: part, least: least).filter { rectangle in
      let ratio = Float(min(rectangle.aspect, 1 / max(rectangle.aspect, 1e-9)))
      return ratios.contains(ratio) && Float(rectangle.score) >= minimumConfidence
        && rectangle.corners.largestMiss <= Double(quadratureTolerance)
    }
    let most = maximumObservations > 0 ? maximumObservations : .max
    return found.prefix(most).map {
      VNRectangleObservation(corners: $0.corners.map(places.point), confidence: $0.score)
    }
  }
}

extension [CGPoint] {
  /// By how many degrees one of the corners misses a right angle at most.
  fileprivate var largestMiss: Double {
    indices.map { index in
      let (corner, before, after) = (
        self[index], self[(index + count - 1) % count], self[(index + 1) % count]
      )
      let (a, b) = (
        CGPoint(x: before.x - corner.x, y: before.y - corner.y),
        CGPoint(x: after.x - corner.x, y: after.y - corner.y)
      )
      let cosine: Double = (a.x * b.x + a.y * b.y) / Swift.max(hypot(a.x, a.y) * hypot(b.x, b.y), 1e-9)
      return abs(Foundation.acos(Swift.min(Swift.max(cosine, -1), 1)) * 180 / .pi - 90)
    }.max() ?? 90
  }
}
