/// The kinds of reactions.
package enum ReactionKind: String, CaseIterable, Sendable, Codable {
  case thumbsUp, thumbsDown, balloons, heart, fireworks, rain, confetti, lasers

  /// How long a reaction is seen, from its first frame to the first one without it.
  package var durationNanoseconds: Int64 {
    switch self {
    case .thumbsUp, .thumbsDown: 3_000_000_000
    case .heart: 4_000_000_000
    case .confetti: 4_500_000_000
    case .balloons, .fireworks, .rain, .lasers: 5_000_000_000
    }
  }

  /// Apple's name of the picture for its button.
  package var systemImageName: String {
    switch self {
    case .thumbsUp: "hand.thumbsup.fill"
    case .thumbsDown: "hand.thumbsdown.fill"
    case .balloons: "balloon.2.fill"
    case .heart: "heart.fill"
    case .fireworks: "fireworks"
    case .rain: "cloud.rain.fill"
    case .confetti: "party.popper.fill"
    case .lasers: "laser.burst"
    }
  }

  /// The kind whose picture has that name; `nil` for any other name.
  package init?(systemImageName name: String) {
    guard let kind = Self.allCases.first(where: { $0.systemImageName == name }) else { return nil }
    self = kind
  }

  /// Whether part of it is drawn behind the person, so that a ``PersonMask`` makes it better.
  package var isPartlyBehind: Bool {
    switch self {
    case .thumbsUp, .thumbsDown, .heart: false
    case .balloons, .fireworks, .rain, .confetti, .lasers: true
    }
  }
}
