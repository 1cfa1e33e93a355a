public import Foundation

/// A person's body, with the places of its joints; left and right are the person's own.
///
/// Apple: `HumanBodyPoseObservation`.
public struct HumanBodyPoseObservation: Sendable, Hashable {
  /// The name of a joint or a part of the head.
  ///
  /// Apple: `HumanBodyPoseObservation.JointName`.
  public enum JointName: String, Codable, Sendable, Hashable, CaseIterable {
    case nose, leftEye, rightEye, leftEar, rightEar
    case leftShoulder, rightShoulder, neck
    case leftElbow, rightElbow, leftWrist, rightWrist
    case leftHip, rightHip, root
    case leftKnee, rightKnee, leftAnkle, rightAnkle
  }

  /// The joints of a part of the body.
  ///
  /// Apple: `HumanBodyPoseObservation.JointsGroupName`.
  public enum JointsGroupName: String, Codable, Sendable, Hashable, CaseIterable {
    case face, torso, leftArm, rightArm, leftLeg, rightLeg

    fileprivate var older: VNHumanBodyPoseObservation.JointsGroupName {
      switch self {
      case .face: .face
      case .torso: .torso
      case .leftArm: .leftArm
      case .rightArm: .rightArm
      case .leftLeg: .leftLeg
      case .rightLeg: .rightLeg
      }
    }
  }

  /// Its own number.
  public let uuid: UUID
  /// How sure it is, from 0 to 1.
  public let confidence: Float
  private let joints: [JointName: Joint]
  private let groups: [JointsGroupName: Set<JointName>]

  init(_ observation: VNHumanBodyPoseObservation) throws {
    uuid = observation.uuid
    confidence = observation.confidence
    let names = Dictionary(
      uniqueKeysWithValues: zip(VNHumanBodyPoseObservation.JointName.all, JointName.allCases))
    joints = Dictionary(
      uniqueKeysWithValues: try names.map { older, name in
        let point = try observation.recognizedPoint(older)
        return (name, Joint(location: NormalizedPoint(point.location), confidence: point.confidence))
      })
    groups = Dictionary(
      uniqueKeysWithValues: try JointsGroupName.allCases.map { group in
        (group, Set(try observation.recognizedPoints(group.older).keys.compactMap { names[$0] }))
      })
  }

  /// The joints that are known: all of them, with the confidence 0 where one is not in the picture.
  public var availableJointNames: [JointName] { JointName.allCases }

  /// The groups of them that are known: all of them.
  ///
  /// Apple: `HumanBodyPoseObservation.availableJointsGroupNames`.
  public var availableJointsGroupNames: [JointsGroupName] { JointsGroupName.allCases }

  /// A joint.
  ///
  /// Apple: `HumanBodyPoseObservation.joint(for:)`.
  public func joint(for jointName: JointName) -> Joint? { joints[jointName] }

  /// The joints of a part of the body; of `nil` all of them.
  ///
  /// Apple: `HumanBodyPoseObservation.allJoints(in:)`.
  public func allJoints(in groupName: JointsGroupName? = nil) -> [JointName: Joint] {
    guard let groupName else { return joints }
    return joints.filter { groups[groupName]?.contains($0.key) == true }
  }
}

/// A search for people and the joints of their bodies; see ``VNDetectHumanBodyPoseRequest``.
///
/// Apple: `DetectHumanBodyPoseRequest`.
public struct DetectHumanBodyPoseRequest: ImageProcessingRequest {
  /// As ``ImageProcessingRequest/regionOfInterest``; all of the picture at first.
  public var regionOfInterest = NormalizedRect.fullImage

  /// The joints that are looked for.
  ///
  /// Apple: `DetectHumanBodyPoseRequest.supportedJointNames`.
  public var supportedJointNames: [HumanBodyPoseObservation.JointName] {
    HumanBodyPoseObservation.JointName.allCases
  }

  /// The groups of them.
  ///
  /// Apple: `DetectHumanBodyPoseRequest.supportedJointsGroupNames`.
  public var supportedJointsGroupNames: [HumanBodyPoseObservation.JointsGroupName] {
    HumanBodyPoseObservation.JointsGroupName.allCases
  }

  /// A search for bodies.
  public init() {}

  /// As ``VisionRequest/result(of:)``.
  public func result(of picture: VisionPicture) throws -> [HumanBodyPoseObservation] {
    let request = VNDetectHumanBodyPoseRequest()
    request.regionOfInterest = regionOfInterest.cgRect
    try request.perform(on: picture.picture)
    return try (request.results ?? []).map { try HumanBodyPoseObservation($0) }
  }
}
