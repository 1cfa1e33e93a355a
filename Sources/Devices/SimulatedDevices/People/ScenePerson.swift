/// A drawn person for a scene: a look, and what the arms, the head and the eyes do when.
///
/// Models that find faces, bodies and hands in pictures find it. A value; the same person at the same second is drawn alike in
/// every process. Times are seconds since the device started.
public struct ScenePerson: Sendable, Hashable {
  /// A pose and when it begins; the arms get there within 0.3 seconds.
  public struct PoseChange: Sendable, Hashable {
    /// Seconds since the device started.
    public var at: Double
    /// The pose.
    public var pose: PersonPose

    /// A pose that begins at a time.
    public init(at: Double, _ pose: PersonPose) {
      self.at = at
      self.pose = pose
    }
  }

  /// A direction of the head and when it begins to turn there.
  public struct Turn: Sendable, Hashable {
    /// Seconds since the device started.
    public var at: Double
    /// Degrees to the right of the picture, up to 35 to each side.
    public var turn: Double
    /// Degrees down, up to 25 each way.
    public var nod: Double

    /// A direction from a time on.
    public init(at: Double, turn: Double = 0, nod: Double = 0) {
      self.at = at
      self.turn = turn
      self.nod = nod
    }
  }

  /// Skin, hair and clothes.
  public var look: PersonLook
  /// The pose before the first change.
  public var pose: PersonPose
  /// The later ones, in the order of their times.
  public var poses: [PoseChange]
  /// Where the head turns, in the order of their times; at first it faces the camera.
  public var turns: [Turn]
  /// When the eyes blink; `nil` is now and then, as the seed says, and never while not ``isIdle``.
  public var blinks: [Double]?
  /// Whether the person breathes, sways a little, and looks around, as people do who sit still.
  public var isIdle: Bool

  /// A person who faces the camera.
  public init(
    _ look: PersonLook = PersonLook(), pose: PersonPose = .armsDown, poses: [PoseChange] = [],
    turns: [Turn] = [],
    blinks: [Double]? = nil, isIdle: Bool = true
  ) {
    self.look = look
    self.pose = pose
    self.poses = poses
    self.turns = turns
    self.blinks = blinks
    self.isIdle = isIdle
  }
}
