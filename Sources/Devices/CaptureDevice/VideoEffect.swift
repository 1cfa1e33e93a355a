/// An effect on a camera's pictures, or a microphone's sound, that the user switches on, for all programs or for one.
///
/// Apple has these switches in Control Center; here they are in a file (``VideoEffectsFile``), in which the raw values are the names.
public enum VideoEffect: String, Sendable, Hashable, CaseIterable {
  /// Shows the part of the picture in which the people are, and follows them.
  case centerStage = "center-stage"
  /// Blurs the background, as a lens with a wide aperture does.
  case portrait
  /// Lights faces and dims the background.
  case studioLight = "studio-light"
  /// Replaces the background with a picture.
  case background
  /// Lets programs perform reactions: animations over the picture that last some seconds.
  case reactions
  /// Lets hand signs perform reactions, too; without effect while ``reactions`` is off.
  case gestures
  /// Lights who sits before the screen, by a frame on it.
  case edgeLight = "edge-light"
  /// Lowers steady noise under voices in the sound of microphones.
  case voiceIsolation = "voice-isolation"

  /// Whether ``VideoEffectChoice/strength`` has a meaning for it.
  package var hasStrength: Bool { self == .portrait || self == .studioLight || self == .edgeLight }
}

/// The user's choice of one effect.
public struct VideoEffectChoice: Sendable, Hashable {
  /// Whether it is switched on.
  public var isOn: Bool
  /// The strength, from 0 to 1, of ``VideoEffect/portrait`` (the aperture), ``VideoEffect/studioLight`` and ``VideoEffect/edgeLight``; ignored for the others.
  public var strength: Double
  /// The path of the picture for ``VideoEffect/background``; `nil` blurs the background instead.
  public var picture: String?

  /// A choice.
  public init(isOn: Bool, strength: Double = 0.5, picture: String? = nil) {
    self.isOn = isOn
    self.strength = strength
    self.picture = picture
  }
}

/// The user's choices of all effects, for one program.
public struct VideoEffectChoices: Sendable, Hashable {
  private var choices: [VideoEffect: VideoEffectChoice] = [:]

  /// The defaults: reactions are on and everything else is off, as on a Mac.
  public static let standard = VideoEffectChoices()

  private init() {}

  /// The choice of one effect.
  public subscript(effect: VideoEffect) -> VideoEffectChoice {
    get { choices[effect] ?? VideoEffectChoice(isOn: effect == .reactions) }
    set { choices[effect] = newValue }
  }
}
