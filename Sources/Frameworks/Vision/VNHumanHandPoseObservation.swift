internal import Foundation
internal import PeopleFinding

/// The left or the right hand.
///
/// Apple: `VNChirality`.
public enum VNChirality: Int, Sendable {
  /// It cannot be told.
  case unknown = 0
  /// The left hand.
  case left = -1
  /// The right hand.
  case right = 1
}

/// A hand, with the places of its joints.
///
/// Source: [VNHumanHandPoseObservation](https://developer.apple.com/documentation/vision/vnhumanhandposeobservation).
open class VNHumanHandPoseObservation: VNRecognizedPointsObservation, @unchecked Sendable {
  // Safe: constants.

  /// The name of a joint or a tip.
  ///
  /// Apple: `VNHumanHandPoseObservation.JointName`.
  public struct JointName: RawRepresentable, Hashable, Sendable {
    /// The name of the place.
    public let rawValue: VNRecognizedPointKey

    /// A joint of that name.
    public init(rawValue: VNRecognizedPointKey) { self.rawValue = rawValue }

    private init(_ letters: String) { rawValue = VNRecognizedPointKey(rawValue: "VNHLK\(letters)") }

    /// The wrist.
    public static let wrist = JointName("WRI")
    /// The thumb's root.
    public static let thumbCMC = JointName("TCMC")
    /// The thumb's knuckle.
    public static let thumbMP = JointName("TMP")
    /// The thumb's joint.
    public static let thumbIP = JointName("TIP")
    /// The thumb's tip.
    public static let thumbTip = JointName("TTIP")
    /// The index finger's knuckle.
    public static let indexMCP = JointName("IMCP")
    /// The index finger's middle joint.
    public static let indexPIP = JointName("IPIP")
    /// The index finger's outer joint.
    public static let indexDIP = JointName("IDIP")
    /// The index finger's tip.
    public static let indexTip = JointName("ITIP")
    /// The middle finger's knuckle.
    public static let middleMCP = JointName("MMCP")
    /// The middle finger's middle joint.
    public static let middlePIP = JointName("MPIP")
    /// The middle finger's outer joint.
    public static let middleDIP = JointName("MDIP")
    /// The middle finger's tip.
    public static let middleTip = JointName("MTIP")
    /// The ring finger's knuckle.
    public static let ringMCP = JointName("RMCP")
    /// The ring finger's middle joint.
    public static let ringPIP = JointName("RPIP")
    /// The ring finger's outer joint.
    public static let ringDIP = JointName("RDIP")
    /// The ring finger's tip.
    public static let ringTip = JointName("RTIP")
    /// The little finger's knuckle.
    public static let littleMCP = JointName("PMCP")
    /// The little finger's middle joint.
    public static let littlePIP = JointName("PPIP")
    /// The little finger's outer joint.
    public static let littleDIP = JointName("PDIP")
    /// The little finger's tip.
    public static let littleTip = JointName("PTIP")

    /// In the order of the model's marks.
    static let all: [JointName] = [
      .wrist, .thumbCMC, .thumbMP, .thumbIP, .thumbTip, .indexMCP, .indexPIP, .indexDIP, .indexTip,
      .middleMCP, .middlePIP, .middleDIP, .middleTip, .ringMCP, .ringPIP, .ringDIP, .ringTip, .littleMCP,
      .littlePIP, .littleDIP, .littleTip,
    ]
  }

  /// The name of joints that belong together.
  ///
  /// Apple: `VNHumanHandPoseObservation.JointsGroupName`.
  public struct JointsGroupName: RawRepresentable, Hashable, Sendable {
    /// The name of the group.
    public let rawValue: VNRecognizedPointGroupKey

    /// A group of that name.
    public init(rawValue: VNRecognizedPointGroupKey) { self.rawValue = rawValue }

    private init(_ letters: String) { rawValue = VNRecognizedPointGroupKey(rawValue: "VNHLRK\(letters)") }

    /// The thumb.
    public static let thumb = JointsGroupName("T")
    /// The index finger.
    public static let indexFinger = JointsGroupName("I")
    /// The middle finger.
    public static let middleFinger = JointsGroupName("M")
    /// The ring finger.
    public static let ringFinger = JointsGroupName("R")
    /// The little finger.
    public static let littleFinger = JointsGroupName("P")
    /// All of them, and the wrist.
    public static let all = JointsGroupName(rawValue: VNRecognizedPointGroupKey(rawValue: "VNIPOAll"))

    static let fingers: [JointsGroupName] = [.thumb, .indexFinger, .middleFinger, .ringFinger, .littleFinger]

    /// The places of its joints among the model's marks.
    var places: Range<Int>? {
      if self == .all { return 0..<JointName.all.count }
      return Self.fingers.firstIndex(of: self).map { 1 + 4 * $0..<5 + 4 * $0 }
    }
  }

  /// The left or the right hand.
  ///
  /// Apple: `VNHumanHandPoseObservation.chirality`.
  public let chirality: VNChirality

  init(_ hand: FoundHand, _ places: PartPlaces) {
    chirality = hand.side == .left ? .left : .right
    let points = zip(JointName.all, hand.places).map { name, place in
      VNRecognizedPoint(places.point(place), name.rawValue, confidence: hand.score)
    }
    let groups = (JointsGroupName.fingers + [.all]).map { group in
      (group.rawValue, JointName.all[group.places ?? 0..<0].map(\.rawValue))
    }
    super.init(points, groups, confidence: hand.score)
  }

  /// The joints that are known.
  ///
  /// Apple: `VNHumanHandPoseObservation.availableJointNames`.
  open var availableJointNames: [JointName] { JointName.all }

  /// The groups of them that are known.
  ///
  /// Apple: `VNHumanHandPoseObservation.availableJointsGroupNames`.
  open var availableJointsGroupNames: [JointsGroupName] { JointsGroupName.fingers + [.all] }

  /// The place of a joint.
  ///
  /// - Throws: `invalidArgument` for a name that no hand has.
  ///
  /// Apple: `VNHumanHandPoseObservation.recognizedPoint(_:)`.
  open func recognizedPoint(_ jointName: JointName) throws -> VNRecognizedPoint {
    try recognizedPoint(forKey: jointName.rawValue)
  }

  /// The places of the joints of a group.
  ///
  /// - Throws: `invalidArgument` for a name that no hand has.
  ///
  /// Apple: `VNHumanHandPoseObservation.recognizedPoints(_:)`.
  open func recognizedPoints(_ jointsGroupName: JointsGroupName) throws -> [JointName: VNRecognizedPoint] {
    let points = try recognizedPoints(forGroupKey: jointsGroupName.rawValue)
    return Dictionary(uniqueKeysWithValues: points.map { (JointName(rawValue: $0.key), $0.value) })
  }
}
