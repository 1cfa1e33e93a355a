import AVFoundation

/// The person's choices of video effects, and what the camera in use lacks for them.
package struct EffectsState: Sendable, Equatable {
  /// A reason for which an effect cannot be had now.
  package enum Obstacle: Sendable, Equatable {
    /// No camera is in use.
    case noCamera
    /// Its pictures are too large, too fast, or of a kind that nothing is drawn into.
    case format
    /// The models that tell people from the background are missing.
    case models
  }

  package var centerStage = VideoEffectChoice(isOn: false)
  package var portrait = VideoEffectChoice(isOn: false)
  package var studioLight = VideoEffectChoice(isOn: false)
  package var background = VideoEffectChoice(isOn: false)
  package var reactions = VideoEffectChoice(isOn: true)
  package var gestures = VideoEffectChoice(isOn: false)
  package var edgeLight = VideoEffectChoice(isOn: false)
  package var voiceIsolation = VideoEffectChoice(isOn: false)
  /// Why faces cannot be followed; `nil` where they can.
  package var facesObstacle: Obstacle? = .noCamera
  /// Why people cannot be told from the background, which the other effects but reactions need; `nil` where they can.
  package var peopleObstacle: Obstacle? = .noCamera
  /// Why no reaction can be shown, whatever the person wants; `nil` where one can.
  package var drawingObstacle: Obstacle? = .noCamera

  package init() {}

  /// Whether a reaction can be started now.
  package var canReact: Bool { drawingObstacle == nil && reactions.isOn }

  /// Whether signs of hands can start one: what finds people finds hands.
  package var canWatchHands: Bool { canReact && peopleObstacle == nil }

  /// Whether the picture is changed by an effect that stays.
  package var isAnyActive: Bool {
    (peopleObstacle == nil && (portrait.isOn || studioLight.isOn || background.isOn))
      || (facesObstacle == nil && centerStage.isOn)
  }

  /// The choice of one effect.
  package subscript(effect: VideoEffect) -> VideoEffectChoice {
    get {
      switch effect {
      case .centerStage: centerStage
      case .portrait: portrait
      case .studioLight: studioLight
      case .background: background
      case .reactions: reactions
      case .gestures: gestures
      case .edgeLight: edgeLight
      case .voiceIsolation: voiceIsolation
      }
    }
    set {
      switch effect {
      case .centerStage: centerStage = newValue
      case .portrait: portrait = newValue
      case .studioLight: studioLight = newValue
      case .background: background = newValue
      case .reactions: reactions = newValue
      case .gestures: gestures = newValue
      case .edgeLight: edgeLight = newValue
      case .voiceIsolation: voiceIsolation = newValue
      }
    }
  }
}

extension EffectsState {
  /// What holds now, with a camera or without one.
  init(_ device: AVCaptureDevice?) {
    self.init()
    for effect in VideoEffect.allCases { self[effect] = VideoEffectPreferences.choice(of: effect) }
    guard let format = device?.activeFormat else { return }
    drawingObstacle = format.reactionEffectsSupported ? nil : .format
    // What can be drawn into, and has no people, lacks the models.
    facesObstacle = drawingObstacle ?? (format.isCenterStageSupported ? nil : .models)
    peopleObstacle = drawingObstacle ?? (format.isPortraitEffectSupported ? nil : .models)
  }
}
