package import Foundation

/// A hand in a picture.
package struct FoundHand: Sendable, Hashable {
  /// The joints and tips that are found, in the order of the model's outputs, each finger from the palm outwards.
  package enum Mark: Int, Sendable, Hashable, CaseIterable {
    case wrist
    case thumbRoot
    case thumbKnuckle
    case thumbJoint
    case thumbTip
    case indexKnuckle
    case indexMiddleJoint
    case indexOuterJoint
    case indexTip
    case middleKnuckle
    case middleMiddleJoint
    case middleOuterJoint
    case middleTip
    case ringKnuckle
    case ringMiddleJoint
    case ringOuterJoint
    case ringTip
    case littleKnuckle
    case littleMiddleJoint
    case littleOuterJoint
    case littleTip
  }

  /// The left or the right hand of a person.
  package enum Side: Sendable, Hashable {
    case left
    case right
  }

  /// One place for each ``Mark``, in pixels of the picture; what lies beyond it is guessed.
  package let places: [CGPoint]
  /// The side of the hand, in a picture that is not mirrored.
  package let side: Side
  /// The model's confidence in ``side``, from 0.5 to 1; backs of hands look alike.
  package let sideScore: Double
  /// The model's confidence that there is a hand, from 0 to 1.
  package let score: Double

  /// A hand at the given places.
  ///
  /// `nil` unless there is one place for each ``Mark``.
  package init?(places: [CGPoint], rightScore: Double, score: Double) {
    guard places.count == Mark.allCases.count else { return nil }
    self.places = places
    side = rightScore >= 0.5 ? .right : .left
    sideScore = max(rightScore, 1 - rightScore)
    self.score = score
  }

  /// The place of a mark.
  package subscript(mark: Mark) -> CGPoint { places[mark.rawValue] }

  /// The smallest rectangle around all marks: without the flesh around them.
  package var bounds: CGRect {
    places.reduce(CGRect.null) { $0.union(CGRect(origin: $1, size: .zero)) }
  }
}
