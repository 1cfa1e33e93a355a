internal import CoreVideo
internal import PeopleFinding

/// A search for hands and their joints.
///
/// It needs models, which `scripts/setup --models` fetches; without, it fails with `invalidModel`.
///
/// Source: [VNDetectHumanHandPoseRequest](https://developer.apple.com/documentation/vision/vndetecthumanhandposerequest).
open class VNDetectHumanHandPoseRequest: VNImageBasedRequest, @unchecked Sendable {  // Safe as the base.
  /// How many hands are reported at most, the surest first; 2 at first.
  ///
  /// Apple: `VNDetectHumanHandPoseRequest.maximumHandCount`.
  open var maximumHandCount = 2
  private var finder: HandFinder?

  /// The hands that were found last; `nil` before the request was performed, and after it failed.
  ///
  /// Apple: `VNDetectHumanHandPoseRequest.results`.
  open var results: [VNHumanHandPoseObservation]? { observations as? [VNHumanHandPoseObservation] }

  /// The joints that are found.
  ///
  /// Apple: `VNDetectHumanHandPoseRequest.supportedJointNames()`.
  open func supportedJointNames() throws -> [VNHumanHandPoseObservation.JointName] {
    VNHumanHandPoseObservation.JointName.all
  }

  override func search(_ part: CVPixelBuffer, _ places: PartPlaces) throws -> [VNObservation] {
    let finder = try self.finder ?? loaded { try HandFinder() }
    self.finder = finder
    return try finder.hands(in: part).prefix(max(maximumHandCount, 0)).map {
      VNHumanHandPoseObservation($0, places)
    }
  }
}
