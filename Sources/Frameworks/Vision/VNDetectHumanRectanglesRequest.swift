internal import CoreVideo
public import Foundation
internal import PeopleFinding

/// A person.
///
/// Source: [VNHumanObservation](https://developer.apple.com/documentation/vision/vnhumanobservation).
open class VNHumanObservation: VNDetectedObjectObservation, @unchecked Sendable {  // Safe: constants.
  /// Whether the box is that of the upper body alone.
  ///
  /// Apple: `VNHumanObservation.upperBodyOnly`.
  public let upperBodyOnly: Bool

  init(_ box: CGRect, upperBodyOnly: Bool, confidence: Double) {
    self.upperBodyOnly = upperBodyOnly
    super.init(boundingBox: box, confidence: confidence)
  }
}

/// A search for people.
///
/// It needs a model, which `scripts/setup --models` fetches; without, it fails with `invalidModel`.
///
/// Source: [VNDetectHumanRectanglesRequest](https://developer.apple.com/documentation/vision/vndetecthumanrectanglesrequest).
open class VNDetectHumanRectanglesRequest: VNImageBasedRequest, @unchecked Sendable {  // Safe as the base.
  /// Whether upper bodies are wanted, from the head to the hips; `true` at first.
  ///
  /// Else whole people, as far as the picture goes; those who are seen to above the knees alone are left out.
  ///
  /// Apple: `VNDetectHumanRectanglesRequest.upperBodyOnly`.
  open var upperBodyOnly = true
  private var finder: BodyFinder?

  /// The people that were found last, the surest first; `nil` before the request was performed, and after it failed.
  ///
  /// Apple: `VNDetectHumanRectanglesRequest.results`.
  open var results: [VNHumanObservation]? { observations as? [VNHumanObservation] }

  /// The first two versions, which find the same.
  ///
  /// Apple: `VNRequest.supportedRevisions`.
  open override class var supportedRevisions: IndexSet { IndexSet(1...2) }

  override func search(_ part: CVPixelBuffer, _ places: PartPlaces) throws -> [VNObservation] {
    let finder = try self.finder ?? loaded { try BodyFinder() }
    self.finder = finder
    return try finder.bodies(in: part).compactMap { body in
      (upperBodyOnly ? body.upperBody : body.fullBody).map {
        VNHumanObservation(places.rect($0), upperBodyOnly: upperBodyOnly, confidence: body.score)
      }
    }
  }
}
