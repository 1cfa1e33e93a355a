/// The place of an arm and the shape of its hand, as numbers that can be mixed: of the right arm, which the left one mirrors.
///
/// Metres of the figure: x to the right of the picture, y down from the crown, z towards the viewer.
struct ArmPose: Sendable, Hashable {
  /// The wrist.
  var wrist: SIMD3<Float>
  /// Where the elbow wants to be, seen from the line between shoulder and wrist.
  var elbow: SIMD3<Float>
  /// Degrees: of the fingers clockwise from up, of the palm around the fingers, and of the fingers towards the viewer.
  var roll: Float
  var turn: Float = 0
  var tilt: Float = 0
  /// How bent the fingers are, from the index to the little one: 0 is straight, 1 a fist.
  var curls: SIMD4<Float>
  /// How far the fingers are apart: 1 is a spread hand.
  var spread: Float
  /// The thumb's joints and tip in the hand's own axes: away from the little finger, along the fingers, out of the palm.
  var thumb: Thumb
  /// How far the hand swings from side to side, as when it waves: degrees.
  var swing: Float = 0

  /// The places of the thumb's knuckle, joint and tip.
  struct Thumb: Sendable, Hashable {
    var knuckle, joint, tip: SIMD3<Float>

    /// Stretched away from the fingers.
    static let out = Thumb(
      knuckle: SIMD3(0.050, 0.034, 0.006), joint: SIMD3(0.083, 0.040, 0.006), tip: SIMD3(0.112, 0.037, 0.004))
    /// As it rests beside an open palm.
    static let aside = Thumb(
      knuckle: SIMD3(0.047, 0.048, 0.010), joint: SIMD3(0.069, 0.074, 0.012), tip: SIMD3(0.084, 0.100, 0.012))
    /// Away from the fingers and back, as the lower half of a heart.
    static let down = Thumb(
      knuckle: SIMD3(0.046, 0.034, 0.012), joint: SIMD3(0.074, 0.022, 0.014), tip: SIMD3(0.098, 0.006, 0.012))
    /// Across the palm, over bent fingers.
    static let folded = Thumb(
      knuckle: SIMD3(0.038, 0.050, 0.024), joint: SIMD3(0.016, 0.068, 0.044), tip: SIMD3(-0.012, 0.072, 0.049)
    )
  }

  /// Between this pose and another; `share` 0 is this one.
  func mixed(with other: ArmPose, _ share: Float) -> ArmPose {
    func mix(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> SIMD3<Float> { a + (b - a) * share }
    func mix(_ a: Float, _ b: Float) -> Float { a + (b - a) * share }
    return ArmPose(
      wrist: mix(wrist, other.wrist), elbow: mix(elbow, other.elbow), roll: mix(roll, other.roll),
      turn: mix(turn, other.turn), tilt: mix(tilt, other.tilt), curls: curls + (other.curls - curls) * share,
      spread: mix(spread, other.spread),
      thumb: Thumb(
        knuckle: mix(thumb.knuckle, other.thumb.knuckle), joint: mix(thumb.joint, other.thumb.joint),
        tip: mix(thumb.tip, other.thumb.tip)), swing: mix(swing, other.swing))
  }
}

extension ArmPose {
  static let down = ArmPose(
    wrist: SIMD3(-0.250, 0.870, 0.03), elbow: SIMD3(-1, 0, -0.4), roll: -178, turn: 60,
    curls: SIMD4(0.22, 0.26, 0.30, 0.34), spread: 0.1, thumb: .aside)
  static let thumbUp = ArmPose(
    wrist: SIMD3(-0.335, 0.490, 0.13), elbow: SIMD3(0.6, 1, -0.5), roll: -86, turn: -25,
    curls: SIMD4(1, 1, 1, 1), spread: 0, thumb: .out)
  static let thumbDown = ArmPose(
    wrist: SIMD3(-0.290, 0.420, 0.16), elbow: SIMD3(-1, 0.5, -0.2), roll: 88,
    curls: SIMD4(1, 1, 1, 1), spread: 0, thumb: .out)
  /// Of the left arm beside it: light comes from the upper left, and so a fist that is turned a little looks like one.
  static let otherThumbDown: ArmPose = {
    var pose = thumbDown
    pose.turn = -15
    return pose
  }()
  static let victory = ArmPose(
    wrist: SIMD3(-0.285, 0.430, 0.13), elbow: SIMD3(-0.5, 1, -0.2), roll: -6,
    curls: SIMD4(0, 0, 1, 1), spread: 1.3, thumb: .folded)
  static let horns = ArmPose(
    wrist: SIMD3(-0.285, 0.430, 0.13), elbow: SIMD3(-0.5, 1, -0.2), roll: -6,
    curls: SIMD4(0, 1, 1, 0), spread: 0.6, thumb: .folded)
  static let open = ArmPose(
    wrist: SIMD3(-0.300, 0.430, 0.13), elbow: SIMD3(-0.5, 1, -0.2), roll: -8,
    curls: SIMD4(0.03, 0, 0.02, 0.05), spread: 0.9, thumb: .aside, swing: 0)
  static let waving: ArmPose = {
    var pose = open
    pose.swing = 16
    return pose
  }()
  static let half = ArmPose(
    wrist: SIMD3(-0.094, 0.500, 0.20), elbow: SIMD3(-1, 0.7, -0.2), roll: 22, turn: 25,
    curls: SIMD4(0.36, 0.40, 0.42, 0.44), spread: 0.1, thumb: .down)
}

/// A named pose of a person's arms.
public enum PersonPose: String, Sendable, Hashable, CaseIterable {
  /// Both arms hang down.
  case armsDown
  /// The right hand waves.
  case wave
  /// The right hand is open and still.
  case openHand
  /// A sign of the right hand.
  case thumbsUp, thumbsDown, victory, horns
  /// A sign of both hands.
  case twoThumbsUp, twoThumbsDown, twoVictory, twoHorns
  /// Both hands together form a heart.
  case heart

  /// The right arm, and the left one as if it were a right one.
  var arms: (right: ArmPose, left: ArmPose) {
    switch self {
    case .armsDown: (.down, .down)
    case .wave: (.waving, .down)
    case .openHand: (.open, .down)
    case .thumbsUp: (.thumbUp, .down)
    case .thumbsDown: (.thumbDown, .down)
    case .victory: (.victory, .down)
    case .horns: (.horns, .down)
    case .twoThumbsUp: (.thumbUp, .thumbUp)
    case .twoThumbsDown: (.thumbDown, .otherThumbDown)
    case .twoVictory: (.victory, .victory)
    case .twoHorns: (.horns, .horns)
    case .heart: (.half, .half)
    }
  }
}
