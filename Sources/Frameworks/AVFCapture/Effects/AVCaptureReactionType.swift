internal import VideoEffects

/// A type of reaction: an animation over the picture, such as balloons.
///
/// Apple: `AVCaptureReactionType`.
public struct AVCaptureReactionType: RawRepresentable, Hashable, Sendable {
  /// Apple's word for it.
  ///
  /// Apple: `AVCaptureReactionType.rawValue`.
  public let rawValue: String

  /// The type of that word.
  ///
  /// Apple: `AVCaptureReactionType.init(rawValue:)`.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A thumb up in a bubble beside the face.
  ///
  /// Apple: `AVCaptureReactionType.thumbsUp`.
  public static let thumbsUp = AVCaptureReactionType(rawValue: "ReactionThumbsUp")
  /// A thumb down in a bubble beside the face.
  ///
  /// Apple: `AVCaptureReactionType.thumbsDown`.
  public static let thumbsDown = AVCaptureReactionType(rawValue: "ReactionThumbsDown")
  /// Balloons that rise, in front of people and behind them.
  ///
  /// Apple: `AVCaptureReactionType.balloons`.
  public static let balloons = AVCaptureReactionType(rawValue: "ReactionBalloons")
  /// Hearts that stream upwards.
  ///
  /// Apple: `AVCaptureReactionType.heart`.
  public static let heart = AVCaptureReactionType(rawValue: "ReactionHeart")
  /// Fireworks behind people.
  ///
  /// Apple: `AVCaptureReactionType.fireworks`.
  public static let fireworks = AVCaptureReactionType(rawValue: "ReactionFireworks")
  /// A cloud, rain, and a darker scene.
  ///
  /// Apple: `AVCaptureReactionType.rain`.
  public static let rain = AVCaptureReactionType(rawValue: "ReactionRain")
  /// Bits of coloured paper that flutter down.
  ///
  /// Apple: `AVCaptureReactionType.confetti`.
  public static let confetti = AVCaptureReactionType(rawValue: "ReactionConfetti")
  /// Beams of light behind people.
  ///
  /// Apple: `AVCaptureReactionType.lasers`.
  public static let lasers = AVCaptureReactionType(rawValue: "ReactionLasers")

  /// The name of the system's picture of it, for a button; empty for a word that is none of the eight.
  ///
  /// `UIImage(systemName:)` knows these eight, with pictures of our own.
  ///
  /// Apple: `AVCaptureReactionType.systemImageName`.
  public var systemImageName: String { kind?.systemImageName ?? "" }

  private static let kinds: [AVCaptureReactionType: ReactionKind] = [
    .thumbsUp: .thumbsUp, .thumbsDown: .thumbsDown, .balloons: .balloons, .heart: .heart,
    .fireworks: .fireworks, .rain: .rain, .confetti: .confetti, .lasers: .lasers,
  ]

  static let all = Set(kinds.keys)

  /// The engine's kind; `nil` for a word that is none of the eight.
  var kind: ReactionKind? { Self.kinds[self] }
}
