import AVFoundation
import CameraModel
import GTKKit

/// The interface's words for video effects.
extension Words {
  static var effects: String { tr("Effects") }

  static func effect(_ effect: VideoEffect) -> String {
    switch effect {
    case .centerStage: tr("Center Stage")
    case .portrait: tr("Portrait")
    case .studioLight: tr("Studio Light")
    case .background: tr("Background")
    case .reactions: tr("Reactions")
    case .gestures: tr("By hand signs")
    case .edgeLight: tr("Edge Light")
    case .voiceIsolation: tr("Voice Isolation")
    }
  }

  static func reaction(_ reaction: ReactionChoice) -> String {
    switch reaction {
    case .thumbsUp: tr("Thumbs up")
    case .thumbsDown: tr("Thumbs down")
    case .heart: tr("Hearts")
    case .balloons: tr("Balloons")
    case .confetti: tr("Confetti")
    case .fireworks: tr("Fireworks")
    case .rain: tr("Rain")
    case .lasers: tr("Lasers")
    }
  }

  /// Why effects cannot be had, and what to do.
  static func obstacle(_ obstacle: EffectsState.Obstacle) -> String {
    switch obstacle {
    case .noCamera: tr("Effects need a camera that is running.")
    case .format:
      tr("Nothing can be drawn into this camera's pictures, because they are too large or too fast.")
    case .models: tr("These need models that find people; run scripts/setup --models to fetch them.")
    }
  }
}
