package import Foundation

/// A sign of one hand or of both.
package enum HandSign: String, Sendable, Hashable, CaseIterable {
  /// A sign of one hand: thumb up, thumb down, two fingers spread, index and little finger.
  case thumbsUp, thumbsDown, victory, horns
  /// The same sign with both hands.
  case twoThumbsUp, twoThumbsDown, twoVictory, twoHorns
  /// A heart of both hands: the index fingers meet, and the thumbs meet.
  case heart

  /// The sign of both hands that consists of two of this one; `nil` for signs of both hands.
  package var pair: HandSign? {
    switch self {
    case .thumbsUp: .twoThumbsUp
    case .thumbsDown: .twoThumbsDown
    case .victory: .twoVictory
    case .horns: .twoHorns
    case .twoThumbsUp, .twoThumbsDown, .twoVictory, .twoHorns, .heart: nil
    }
  }

  /// Classifies one hand; `nil` when it shows no sign, or when a finger is neither straight nor bent.
  ///
  /// - Parameter up: The upward direction in the picture.
  package init?(_ hand: FoundHand, up: CGPoint = HandSign.upright) {
    guard hand.palm > 0 else { return nil }
    let fingers = HandShape.Finger.allCases.map { HandShape.bend(of: $0, hand) }
    switch fingers {
    case [.bent, .bent, .bent, .bent]:
      guard HandShape.isThumbOut(hand) else { return nil }
      let lift = HandShape.thumbDirection(hand, along: up)
      guard abs(lift) > Self.leastLift else { return nil }
      self = lift > 0 ? .thumbsUp : .thumbsDown
    case [.straight, .straight, .bent, .bent]:
      let apart = hand[.indexTip].distance(to: hand[.middleTip])
      guard apart >= Self.leastSpread * hand.palm else { return nil }
      self = .victory
    case [.straight, .bent, .bent, .straight]: self = .horns
    default: return nil
    }
  }

  /// Classifies two hands together; `nil` when they form no sign of both hands.
  package init?(_ first: FoundHand, _ second: FoundHand, up: CGPoint = HandSign.upright) {
    // One hand may be detected twice.
    guard first.bounds.commonShare(with: second.bounds) <= HandFinder.sameHand else { return nil }
    if HandShape.isHeart(first, second, up: up) {
      self = .heart
      return
    }
    guard first.side != second.side, first.bounds.overlap(with: second.bounds) < Self.mostOverlap,
      let sign = HandSign(first, up: up), HandSign(second, up: up) == sign, let pair = sign.pair
    else { return nil }
    self = pair
  }

  /// The upward direction in an upright picture.
  package static let upright = CGPoint(x: 0, y: -1)
  /// The cosine of 37°, the greatest angle between a thumb and the vertical.
  private static let leastLift = 0.8
  /// The least distance between the tips of two spread fingers, in palms.
  private static let leastSpread = 0.25
  /// The greatest overlap of the bounding boxes of two hands with one sign each.
  private static let mostOverlap = 0.2
}

/// Measurements of a hand's landmarks; one palm is the distance from the wrist to the middle finger's knuckle.
enum HandShape {
  /// A finger other than the thumb; the raw value is the landmark of its knuckle.
  enum Finger: Int, CaseIterable {
    case index = 5
    case middle = 9
    case ring = 13
    case little = 17
  }

  /// The bend of a finger.
  enum Bend {
    case straight
    case bent
    case between
  }

  static func bend(of finger: Finger, _ hand: FoundHand) -> Bend {
    let knuckle = hand.places[finger.rawValue]
    let (middle, tip) = (hand.places[finger.rawValue + 1], hand.places[finger.rawValue + 3])
    let angle = degrees(knuckle, middle, tip)
    let reach = hand[.wrist].distance(to: tip) / max(hand[.wrist].distance(to: middle), 1e-9)
    if angle > 150 && reach > 1.15 { return .straight }
    if angle < 110 || reach < 1.05 { return .bent }
    return .between
  }

  /// Whether the thumb is straight and away from the index finger.
  static func isThumbOut(_ hand: FoundHand) -> Bool {
    degrees(hand[.thumbKnuckle], hand[.thumbJoint], hand[.thumbTip]) > 150
      && hand[.thumbTip].distance(to: hand[.indexKnuckle]) > 0.45 * hand.palm
  }

  /// The cosine of the angle between the thumb and `direction`.
  static func thumbDirection(_ hand: FoundHand, along direction: CGPoint) -> Double {
    let (start, end) = (hand[.thumbKnuckle], hand[.thumbTip])
    let length = start.distance(to: end) * hypot(direction.x, direction.y)
    guard length > 0 else { return 0 }
    return ((end.x - start.x) * direction.x + (end.y - start.y) * direction.y) / length
  }

  /// Whether index fingers meet, thumbs meet, and the fingers are above the thumbs.
  static func isHeart(_ first: FoundHand, _ second: FoundHand, up: CGPoint) -> Bool {
    let palm = (first.palm + second.palm) / 2
    guard first[.indexTip].distance(to: second[.indexTip]) < 0.6 * palm,
      first[.thumbTip].distance(to: second[.thumbTip]) < 0.9 * palm
    else { return false }
    func height(_ mark: FoundHand.Mark) -> Double {
      let (a, b) = (first[mark], second[mark])
      return ((a.x + b.x) * up.x + (a.y + b.y) * up.y) / 2
    }
    return height(.indexTip) - height(.thumbTip) > 0.4 * palm
  }

  /// The angle at a joint between its two bones: 180 is straight.
  private static func degrees(_ start: CGPoint, _ joint: CGPoint, _ end: CGPoint) -> Double {
    let (a, b) = (
      CGPoint(x: start.x - joint.x, y: start.y - joint.y), CGPoint(x: end.x - joint.x, y: end.y - joint.y)
    )
    return atan2(abs(a.x * b.y - a.y * b.x), a.x * b.x + a.y * b.y) * 180 / .pi
  }
}

extension FoundHand {
  /// The length of the palm, from the wrist to the middle finger's knuckle, in pixels of the picture.
  package var palm: Double { self[.wrist].distance(to: self[.middleKnuckle]) }
}

extension CGPoint {
  fileprivate func distance(to other: CGPoint) -> Double { hypot(x - other.x, y - other.y) }
}
