import AVFoundation

/// A reaction that the person can start.
package enum ReactionChoice: String, Sendable, Hashable, CaseIterable {
  case thumbsUp, thumbsDown, heart, balloons, confetti, fireworks, rain, lasers

  /// Apple's word.
  var type: AVCaptureReactionType {
    switch self {
    case .thumbsUp: .thumbsUp
    case .thumbsDown: .thumbsDown
    case .heart: .heart
    case .balloons: .balloons
    case .confetti: .confetti
    case .fireworks: .fireworks
    case .rain: .rain
    case .lasers: .lasers
    }
  }

  /// The picture for its button.
  package var picture: Thumbnail? {
    UIImage(systemName: type.systemImageName)?.cgImage.flatMap { PictureReader.thumbnail(of: $0) }
  }
}
