package import CoreVideo
internal import Foundation
package import PixelTransforms

/// Segments the people in the pictures of a stream, in a region of interest that follows them.
///
/// Runs the model once for each picture, and in every fifteenth picture once more on the whole, to find people outside of the region. One
/// call at a time.
package final class LivePersonSegmenter {
  private let segmenter: PersonSegmenter
  private var place: SegmentedPart?
  private var bounds = CGRect.null
  private var step = 0

  private static let picturesBetweenSearches = 15

  /// A segmenter for one stream; see ``PersonSegmenter/init(_:)``.
  package init(_ folder: ModelFolder = .current) throws(ModelError) {
    segmenter = try PersonSegmenter(folder)
  }

  /// The segmentation of the next picture; `nil` when it has no pixels.
  ///
  /// See ``PersonSegmenter/segmentation(of:part:turn:)``. A picture of another size resets the region.
  ///
  /// - Parameter turn: The clockwise turn that makes people upright.
  /// - Throws: `ModelError`, or `PixelTransformError` when the picture cannot be read.
  package func segmentation(of pixels: CVPixelBuffer, turn: QuarterTurn = .none) throws -> PersonSegmentation?
  {
    let whole = pixels.bounds
    var place = bounds == whole ? place ?? SegmentedPart(of: whole) : SegmentedPart(of: whole)
    bounds = whole
    step += 1
    if place.isAll || step % Self.picturesBetweenSearches == 0 {
      let all = try segmenter.segmentation(of: pixels, turn: turn)
      place.follow(all?.bounds())
      if place.isAll {
        self.place = place
        return all
      }
    }
    let seen = try segmenter.segmentation(of: pixels, part: place.part, turn: turn)
    place.follow(seen?.bounds())
    self.place = place
    return seen
  }

  /// Resets the region, for a picture that does not follow the last one.
  package func forget() {
    place = nil
  }
}
