internal import Foundation

/// The hand model's result for one view: the hand's landmarks and its side, where there is a hand.
///
/// Source: MediaPipe's hand landmarks and their graph (`hand_landmark_landmarks_to_roi`); Zhang et al., MediaPipe Hands:
/// On-device Real-time Hand Tracking (2020).
package struct HandReading: Sendable {
  /// The side of the view, in points.
  package static let side = 224
  /// Numbers for each mark: place in the view, and depth.
  package static let numbersPerMark = 3
  /// The least confidence of the model that counts.
  package static let minimumScore = 0.5

  /// The hand, in the picture.
  package let hand: FoundHand

  /// Reads the model's outputs; `nil` when there is no hand.
  ///
  /// - Parameters:
  ///   - marks: ``numbersPerMark`` for each of `FoundHand.Mark`, in points of the view.
  ///   - score: How sure it is that there is a hand.
  ///   - rightScore: How sure it is that it is a right one.
  ///   - view: What the model saw.
  package init?(marks: UnsafeBufferPointer<Float>, score: Float, rightScore: Float, in view: TurnedSquare) {
    let count = FoundHand.Mark.allCases.count
    guard marks.count == count * Self.numbersPerMark, marks.allSatisfy(\.isFinite), score.isFinite,
      rightScore.isFinite, Double(score) >= Self.minimumScore
    else { return nil }
    let places = (0..<count).map { index in
      view.picturePoint(
        CGPoint(
          x: Double(marks[index * Self.numbersPerMark]) / Double(Self.side),
          y: Double(marks[index * Self.numbersPerMark + 1]) / Double(Self.side)))
    }
    guard let hand = FoundHand(places: places, rightScore: Double(rightScore), score: Double(score)) else {
      return nil
    }
    self.hand = hand
  }

  /// The square in which to search for the hand in the next picture.
  ///
  /// Around the palm and the inner joints: outer ones move more than the hand does.
  package var neighbourhood: TurnedSquare {
    let inner: [FoundHand.Mark] = [
      .wrist, .thumbRoot, .thumbKnuckle, .thumbJoint, .indexKnuckle, .indexMiddleJoint, .middleKnuckle,
      .middleMiddleJoint, .ringKnuckle, .ringMiddleJoint, .littleKnuckle, .littleMiddleJoint,
    ]
    let (index, ring) = (hand[.indexMiddleJoint], hand[.ringMiddleJoint])
    let middle = hand[.middleMiddleJoint]
    let end = CGPoint(x: (index.x + ring.x) / 4 + middle.x / 2, y: (index.y + ring.y) / 4 + middle.y / 2)
    return TurnedSquare(
      around: inner.map { hand[$0] }, angle: Self.angle(from: hand[.wrist], to: end), scale: 2, shift: 0.1)
  }

  /// The square in which to search for a detected palm's hand: its box, the wrist first and the middle finger's knuckle third of its
  /// points; `nil` with fewer.
  package static func neighbourhood(ofPalm palm: Detection) -> TurnedSquare? {
    guard palm.points.count >= 3 else { return nil }
    let angle = angle(from: palm.points[0], to: palm.points[2])
    let side = 2.6 * max(palm.box.width, palm.box.height)
    // Fingers go on where the palm ends: the view is moved by half a palm.
    let up = palm.box.height / 2
    return TurnedSquare(
      center: CGPoint(x: palm.box.midX + up * sin(angle), y: palm.box.midY - up * cos(angle)), side: side,
      angle: angle)
  }

  /// The angle of a direction, clockwise from up.
  private static func angle(from start: CGPoint, to end: CGPoint) -> Double {
    atan2(end.x - start.x, start.y - end.y)
  }
}
