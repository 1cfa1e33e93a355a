internal import CoreVideo
internal import PeopleFinding

/// A search for people and the joints of their bodies.
///
/// It needs models, which `scripts/setup --models` fetches; without, it fails with `invalidModel`. Finds people who stand upright
/// in the picture as it is looked at.
///
/// Source: [VNDetectHumanBodyPoseRequest](https://developer.apple.com/documentation/vision/vndetecthumanbodyposerequest).
open class VNDetectHumanBodyPoseRequest: VNImageBasedRequest, @unchecked Sendable {  // Safe as the base.
  private var finder: BodyFinder?

  /// The bodies that were found last, the surest first; `nil` before the request was performed, and after it failed.
  ///
  /// Apple: `VNDetectHumanBodyPoseRequest.results`.
  open var results: [VNHumanBodyPoseObservation]? { observations as? [VNHumanBodyPoseObservation] }

  /// The joints that are found.
  ///
  /// Apple: `VNDetectHumanBodyPoseRequest.supportedJointNames()`.
  open func supportedJointNames() throws -> [VNHumanBodyPoseObservation.JointName] {
    VNHumanBodyPoseObservation.JointName.all
  }

  /// The groups of joints that are found.
  ///
  /// Apple: `VNDetectHumanBodyPoseRequest.supportedJointsGroupNames()`.
  open func supportedJointsGroupNames() throws -> [VNHumanBodyPoseObservation.JointsGroupName] {
    VNHumanBodyPoseObservation.JointsGroupName.everyGroup
  }

  override func search(_ part: CVPixelBuffer, _ places: PartPlaces) throws -> [VNObservation] {
    let finder = try self.finder ?? loaded { try BodyFinder() }
    self.finder = finder
    return try finder.bodies(in: part).map { VNHumanBodyPoseObservation($0, places) }
  }
}
