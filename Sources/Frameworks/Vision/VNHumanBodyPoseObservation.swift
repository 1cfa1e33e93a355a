internal import Foundation
internal import PeopleFinding

/// A person's body, with the places of its joints; left and right are the person's own.
///
/// Source: [VNHumanBodyPoseObservation](https://developer.apple.com/documentation/vision/vnhumanbodyposeobservation).
open class VNHumanBodyPoseObservation: VNRecognizedPointsObservation, @unchecked Sendable {
  // Safe: constants.

  /// The name of a joint or a part of the head.
  ///
  /// Apple: `VNHumanBodyPoseObservation.JointName`.
  public struct JointName: RawRepresentable, Hashable, Sendable {
    /// The name of the place.
    public let rawValue: VNRecognizedPointKey

    /// A joint of that name.
    public init(rawValue: VNRecognizedPointKey) { self.rawValue = rawValue }

    private init(_ name: String) { rawValue = VNRecognizedPointKey(rawValue: name) }

    /// The nose.
    public static let nose = JointName("head_joint")
    /// The left eye.
    public static let leftEye = JointName("left_eye_joint")
    /// The right eye.
    public static let rightEye = JointName("right_eye_joint")
    /// The left ear.
    public static let leftEar = JointName("left_ear_joint")
    /// The right ear.
    public static let rightEar = JointName("right_ear_joint")
    /// The left shoulder.
    public static let leftShoulder = JointName("left_shoulder_1_joint")
    /// The right shoulder.
    public static let rightShoulder = JointName("right_shoulder_1_joint")
    /// The middle between the shoulders.
    public static let neck = JointName("neck_1_joint")
    /// The left elbow.
    public static let leftElbow = JointName("left_forearm_joint")
    /// The right elbow.
    public static let rightElbow = JointName("right_forearm_joint")
    /// The left wrist.
    public static let leftWrist = JointName("left_hand_joint")
    /// The right wrist.
    public static let rightWrist = JointName("right_hand_joint")
    /// The left hip.
    public static let leftHip = JointName("left_upLeg_joint")
    /// The right hip.
    public static let rightHip = JointName("right_upLeg_joint")
    /// The middle between the hips.
    public static let root = JointName("root")
    /// The left knee.
    public static let leftKnee = JointName("left_leg_joint")
    /// The right knee.
    public static let rightKnee = JointName("right_leg_joint")
    /// The left ankle.
    public static let leftAnkle = JointName("left_foot_joint")
    /// The right ankle.
    public static let rightAnkle = JointName("right_foot_joint")

    static let all: [JointName] = [
      .nose, .leftEye, .rightEye, .leftEar, .rightEar, .leftShoulder, .rightShoulder, .neck, .leftElbow,
      .rightElbow, .leftWrist, .rightWrist, .leftHip, .rightHip, .root, .leftKnee, .rightKnee, .leftAnkle,
      .rightAnkle,
    ]

    /// The marks of the model whose middle the joint is.
    fileprivate var marks: [BodyJoint] {
      switch self {
      case .neck: [.leftShoulder, .rightShoulder]
      case .root: [.leftHip, .rightHip]
      default: Self.single[self].map { [$0] } ?? []
      }
    }

    private static let single: [JointName: BodyJoint] = [
      .nose: .nose, .leftEye: .leftEye, .rightEye: .rightEye, .leftEar: .leftEar, .rightEar: .rightEar,
      .leftShoulder: .leftShoulder, .rightShoulder: .rightShoulder, .leftElbow: .leftElbow,
      .rightElbow: .rightElbow, .leftWrist: .leftWrist, .rightWrist: .rightWrist, .leftHip: .leftHip,
      .rightHip: .rightHip, .leftKnee: .leftKnee, .rightKnee: .rightKnee, .leftAnkle: .leftAnkle,
      .rightAnkle: .rightAnkle,
    ]
  }

  /// The name of joints that belong together.
  ///
  /// Apple: `VNHumanBodyPoseObservation.JointsGroupName`.
  public struct JointsGroupName: RawRepresentable, Hashable, Sendable {
    /// The name of the group.
    public let rawValue: VNRecognizedPointGroupKey

    /// A group of that name.
    public init(rawValue: VNRecognizedPointGroupKey) { self.rawValue = rawValue }

    private init(_ name: String) { rawValue = VNRecognizedPointGroupKey(rawValue: name) }

    /// Nose, eyes and ears.
    public static let face = JointsGroupName("VNBLKFACE")
    /// Shoulders, neck, hips and root.
    public static let torso = JointsGroupName("VNBLKTORSO")
    /// The left arm from the shoulder to the wrist.
    public static let leftArm = JointsGroupName("VNBLKLARM")
    /// The right arm from the shoulder to the wrist.
    public static let rightArm = JointsGroupName("VNBLKRARM")
    /// The left leg from the hip to the ankle.
    public static let leftLeg = JointsGroupName("VNBLKLLEG")
    /// The right leg from the hip to the ankle.
    public static let rightLeg = JointsGroupName("VNBLKRLEG")
    /// All of them.
    public static let all = JointsGroupName("VNIPOAll")

    static var everyGroup: [JointsGroupName] { members.map(\.0) }

    fileprivate static let members: [(JointsGroupName, [JointName])] = [
      (.face, [.nose, .leftEye, .rightEye, .leftEar, .rightEar]),
      (.torso, [.leftShoulder, .rightShoulder, .neck, .leftHip, .rightHip, .root]),
      (.leftArm, [.leftShoulder, .leftElbow, .leftWrist]),
      (.rightArm, [.rightShoulder, .rightElbow, .rightWrist]),
      (.leftLeg, [.leftHip, .leftKnee, .leftAnkle]),
      (.rightLeg, [.rightHip, .rightKnee, .rightAnkle]),
      (.all, JointName.all),
    ]
  }

  init(_ body: FoundBody, _ places: PartPlaces) {
    let found = Dictionary(uniqueKeysWithValues: zip(BodyJoint.allCases, body.joints))
    let points = JointName.all.map { name in
      let marks = name.marks.compactMap { found[$0] }
      let count = CGFloat(max(marks.count, 1))
      let middle = CGPoint(
        x: marks.reduce(0) { $0 + $1.place.x } / count, y: marks.reduce(0) { $0 + $1.place.y } / count)
      return VNRecognizedPoint(
        places.point(middle), name.rawValue, confidence: marks.map(\.confidence).min() ?? 0)
    }
    super.init(
      points, JointsGroupName.members.map { ($0.rawValue, $1.map(\.rawValue)) }, confidence: body.score)
  }

  /// The joints that are known: all of them, with the confidence 0 where one is not in the picture.
  ///
  /// Apple: `VNHumanBodyPoseObservation.availableJointNames`.
  open var availableJointNames: [JointName] { JointName.all }

  /// The groups of them that are known.
  ///
  /// Apple: `VNHumanBodyPoseObservation.availableJointsGroupNames`.
  open var availableJointsGroupNames: [JointsGroupName] { JointsGroupName.everyGroup }

  /// The place of a joint.
  ///
  /// - Throws: `invalidArgument` for a name that no body has.
  ///
  /// Apple: `VNHumanBodyPoseObservation.recognizedPoint(_:)`.
  open func recognizedPoint(_ jointName: JointName) throws -> VNRecognizedPoint {
    try recognizedPoint(forKey: jointName.rawValue)
  }

  /// The places of the joints of a group.
  ///
  /// - Throws: `invalidArgument` for a name that no body has.
  ///
  /// Apple: `VNHumanBodyPoseObservation.recognizedPoints(_:)`.
  open func recognizedPoints(_ jointsGroupName: JointsGroupName) throws -> [JointName: VNRecognizedPoint] {
    let points = try recognizedPoints(forGroupKey: jointsGroupName.rawValue)
    return Dictionary(uniqueKeysWithValues: points.map { (JointName(rawValue: $0.key), $0.value) })
  }
}
