internal import AVFoundation

/// The words of the command for reactions.
enum ReactionWord: String, CaseIterable {
  case thumbsUp = "thumbs-up"
  case thumbsDown = "thumbs-down"
  case balloons, heart, fireworks, rain, confetti, lasers

  var type: AVCaptureReactionType {
    switch self {
    case .thumbsUp: .thumbsUp
    case .thumbsDown: .thumbsDown
    case .balloons: .balloons
    case .heart: .heart
    case .fireworks: .fireworks
    case .rain: .rain
    case .confetti: .confetti
    case .lasers: .lasers
    }
  }
}
