public import Foundation

/// A joint that was found.
///
/// Apple: `Joint`.
public struct Joint: Sendable, Hashable {
  /// The place, in fractions of the searched part, y upwards.
  public let location: NormalizedPoint
  /// How sure it is, from 0 to 1.
  public let confidence: Float
}

/// A hand, with the places of its joints.
///
/// Apple: `HumanHandPoseObservation`.
public struct HumanHandPoseObservation: Sendable, Hashable {
  /// The name of a joint or a tip.
  ///
  /// Apple: `HumanHandPoseObservation.JointName`.
  public enum JointName: String, Codable, Sendable, Hashable, CaseIterable {
    case wrist
    case thumbCMC, thumbMP, thumbIP, thumbTip
    case indexMCP, indexPIP, indexDIP, indexTip
    case middleMCP, middlePIP, middleDIP, middleTip
    case ringMCP, ringPIP, ringDIP, ringTip
    case littleMCP, littlePIP, littleDIP, littleTip
  }

  /// The joints of a finger.
  ///
  /// Apple: `HumanHandPoseObservation.JointsGroupName`.
  public enum JointsGroupName: String, Codable, Sendable, Hashable, CaseIterable {
    case thumb, indexFinger, middleFinger, ringFinger, littleFinger

    fileprivate var names: ArraySlice<JointName> {
      let all = JointName.allCases
      return switch self {
      case .thumb: all[1..<5]
      case .indexFinger: all[5..<9]
      case .middleFinger: all[9..<13]
      case .ringFinger: all[13..<17]
      case .littleFinger: all[17..<21]
      }
    }
  }

  /// The left or the right hand.
  ///
  /// Apple: `HumanHandPoseObservation.Chirality`.
  public enum Chirality: Sendable, Hashable {
    case left, right
  }

  /// Its own number.
  public let uuid: UUID
  /// How sure it is, from 0 to 1.
  public let confidence: Float
  /// The left or the right hand; `nil` where that cannot be told.
  public let chirality: Chirality?
  private let joints: [JointName: Joint]

  init(_ observation: VNHumanHandPoseObservation) throws {
    uuid = observation.uuid
    confidence = observation.confidence
    chirality =
      switch observation.chirality {
      case .left: .left
      case .right: .right
      case .unknown: nil
      }
    var joints: [JointName: Joint] = [:]
    for (name, older) in zip(JointName.allCases, VNHumanHandPoseObservation.JointName.all) {
      let point = try observation.recognizedPoint(older)
      joints[name] = Joint(location: NormalizedPoint(point.location), confidence: point.confidence)
    }
    self.joints = joints
  }

  /// The joints that are known.
  public var availableJointNames: [JointName] { JointName.allCases }

  /// The groups of them that are known: all of them.
  ///
  /// Apple: `HumanHandPoseObservation.availableJointsGroupNames`.
  public var availableJointsGroupNames: [JointsGroupName] { JointsGroupName.allCases }

  /// A joint.
  ///
  /// Apple: `HumanHandPoseObservation.joint(for:)`.
  public func joint(for jointName: JointName) -> Joint? { joints[jointName] }

  /// The joints of a finger; of `nil` all of the hand.
  ///
  /// Apple: `HumanHandPoseObservation.allJoints(in:)`.
  public func allJoints(in groupName: JointsGroupName? = nil) -> [JointName: Joint] {
    guard let groupName else { return joints }
    let names = Set(groupName.names)
    return joints.filter { names.contains($0.key) }
  }
}

/// A search for hands and their joints; see ``VNDetectHumanHandPoseRequest``.
///
/// Apple: `DetectHumanHandPoseRequest`.
public struct DetectHumanHandPoseRequest: ImageProcessingRequest {
  /// As ``ImageProcessingRequest/regionOfInterest``; all of the picture at first.
  public var regionOfInterest = NormalizedRect.fullImage
  /// How many hands are reported at most, the surest first; 2 at first.
  public var maximumHandCount = 2

  /// The joints that are looked for.
  ///
  /// Apple: `DetectHumanHandPoseRequest.supportedJointNames`.
  public var supportedJointNames: [HumanHandPoseObservation.JointName] {
    HumanHandPoseObservation.JointName.allCases
  }

  /// The groups of them.
  ///
  /// Apple: `DetectHumanHandPoseRequest.supportedJointsGroupNames`.
  public var supportedJointsGroupNames: [HumanHandPoseObservation.JointsGroupName] {
    HumanHandPoseObservation.JointsGroupName.allCases
  }

  /// A search for two hands.
  public init() {}

  /// As ``VisionRequest/result(of:)``.
  public func result(of picture: VisionPicture) throws -> [HumanHandPoseObservation] {
    let request = VNDetectHumanHandPoseRequest()
    request.regionOfInterest = regionOfInterest.cgRect
    request.maximumHandCount = maximumHandCount
    try request.perform(on: picture.picture)
    return try (request.results ?? []).map { try HumanHandPoseObservation($0) }
  }
}
