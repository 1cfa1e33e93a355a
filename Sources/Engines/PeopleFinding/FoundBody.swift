package import Foundation

/// A person in a picture.
package struct FoundBody: Sendable, Hashable {
  /// From the head to the hips, with the arms as far as they are beside them; in pixels of the picture, no further than it goes.
  package var upperBody: CGRect
  /// The whole person as far as the picture goes; `nil` where the picture ends above the knees.
  package var fullBody: CGRect?
  /// The model's confidence that there is a person, from 0 to 1.
  package var score: Double
  /// One for each ``BodyJoint``, in its order.
  package var joints: [FoundJoint]
}

/// The body model's result for one square view: the mask of the person, and some landmarks of the body.
///
/// Source: MediaPipe's pose landmarks and their graph; Bazarevsky et al., BlazePose (2020).
package struct BodyReading: Sendable {
  /// The side of the view, in points.
  package static let side = 256
  /// Numbers for each landmark: place in the view, depth, and logits of visibility and presence.
  package static let numbersPerMark = 5
  package static let markCount = 39

  private enum Mark: Int {
    /// The middle of the hips, and a point as far from it as the body reaches: where to search next.
    case center = 33
    case reach = 34
  }

  private let marks: [CGPoint]
  /// For each mark the probability that it is inside of the view and not hidden.
  private let certainties: [Double]
  private let mask: [Bool]

  /// Reads the model's outputs.
  ///
  /// - Parameters:
  ///   - marks: ``markCount`` times ``numbersPerMark`` numbers.
  ///   - mask: ``side`` × ``side`` logits, row by row: above 0 where the person is.
  package init?(marks: UnsafeBufferPointer<Float>, mask: UnsafeBufferPointer<Float>) {
    guard marks.count == Self.markCount * Self.numbersPerMark, mask.count == Self.side * Self.side,
      marks.allSatisfy(\.isFinite)
    else { return nil }
    self.marks = (0..<Self.markCount).map { index in
      CGPoint(
        x: Double(marks[index * Self.numbersPerMark]), y: Double(marks[index * Self.numbersPerMark + 1]))
    }
    certainties = (0..<Self.markCount).map { index in
      let numbers = marks[index * Self.numbersPerMark + 3...index * Self.numbersPerMark + 4]
      return numbers.reduce(1) { $0 / (1 + exp(-Double($1))) }
    }
    self.mask = mask.map { $0 > 0 }
  }

  private func mark(_ mark: Mark) -> CGPoint { marks[mark.rawValue] }

  private func mark(_ joint: BodyJoint) -> CGPoint { marks[joint.rawValue] }

  private func joints(in seen: CGRect) -> [FoundJoint] {
    BodyJoint.allCases.map { joint in
      let place = mark(joint)
      return FoundJoint(place: place, confidence: seen.contains(place) ? certainties[joint.rawValue] : 0)
    }
  }

  /// The square around the person, for the next view of them; in points of this one.
  package var neighbourhood: CGRect {
    let center = mark(.center)
    let reach = mark(.reach)
    return Self.square(around: center, reach: hypot(reach.x - center.x, reach.y - center.y))
  }

  /// A square with a quarter more room than a body of so much reach takes.
  package static func square(around center: CGPoint, reach: Double) -> CGRect {
    let half = reach * 1.25
    return CGRect(x: center.x - half, y: center.y - half, width: 2 * half, height: 2 * half)
  }

  /// The person in points of the view, inside `seen`, the part of the view that shows the picture; `nil` where nothing of a
  /// person is there.
  package func body(in seen: CGRect, score: Double) -> FoundBody? {
    let hips = max(mark(.leftHip).y, mark(.rightHip).y)
    let knees = min(mark(.leftKnee).y, mark(.rightKnee).y)
    guard let whole = box(in: seen) else { return nil }
    // Hips below the picture: all that is seen is the upper body.
    let cut = CGRect(x: seen.minX, y: seen.minY, width: seen.width, height: max(0, hips - seen.minY))
    guard let upper = hips >= seen.maxY ? whole : box(in: cut) else { return nil }
    return FoundBody(
      upperBody: upper, fullBody: knees < seen.maxY ? whole : nil, score: score, joints: joints(in: seen))
  }

  /// The smallest rectangle around the person's points inside `part`.
  private func box(in part: CGRect) -> CGRect? {
    let columns = max(0, Int(part.minX.rounded()))..<max(0, min(Self.side, Int(part.maxX.rounded())))
    let rows = max(0, Int(part.minY.rounded()))..<max(0, min(Self.side, Int(part.maxY.rounded())))
    var (left, top, right, bottom) = (Self.side, Self.side, -1, -1)
    for y in rows {
      for x in columns where mask[y * Self.side + x] {
        (left, right) = (min(left, x), max(right, x))
        (top, bottom) = (min(top, y), max(bottom, y))
      }
    }
    guard right >= left else { return nil }
    return CGRect(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
  }
}
