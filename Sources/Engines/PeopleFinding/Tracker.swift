package import Foundation

/// Gives things that are seen from picture to picture a number that stays theirs.
///
/// What is seen is the thing that was expected where it is: each is expected to go on as it went. A thing that is not seen for
/// a while is lost, and has a new number when it comes back. Numbers are never used twice. One call at a time.
package struct Follower {
  /// A thing that is followed.
  package struct Followed: Sendable, Hashable {
    /// Its number, from 1 on.
    package let id: Int
    /// Where it was seen last.
    package fileprivate(set) var bounds: CGRect
    /// How far it goes from picture to picture.
    package fileprivate(set) var velocity = CGPoint.zero
    /// For how many pictures it has not been seen.
    package fileprivate(set) var unseen = 0
  }

  /// What is followed, the longest known first.
  package private(set) var followed: [Followed] = []

  private let patience: Int
  private var lastID = 0

  /// What two places of one thing share at least, of the area of both.
  private static let leastOverlap = 0.2
  /// How far a small or fast thing may be from where it was expected, in its own sizes.
  private static let longestWay = 0.9

  /// Follows nothing yet.
  ///
  /// - Parameter patience: For how many pictures a thing may be unseen.
  package init(patience: Int) {
    self.patience = patience
  }

  /// Where each thing is expected in the next picture.
  package func expected() -> [CGRect] {
    followed.map { expected($0) }
  }

  private func expected(_ thing: Followed) -> CGRect {
    let steps = Double(thing.unseen + 1)
    return thing.bounds.offsetBy(dx: thing.velocity.x * steps, dy: thing.velocity.y * steps)
  }

  /// Takes what is seen in the next picture, and returns the number of each.
  package mutating func see(_ seen: [CGRect]) -> [Int] {
    var numbers = [Int?](repeating: nil, count: seen.count)
    var isMet = [Bool](repeating: false, count: followed.count)
    // The closest pairs first, so that two that pass each other keep their numbers.
    var pairs: [(likeness: Double, thing: Int, place: Int)] = []
    for (thing, place) in expected().enumerated() {
      for (index, box) in seen.enumerated() {
        if let likeness = Self.likeness(place, box) { pairs.append((likeness, thing, index)) }
      }
    }
    for pair in pairs.sorted(by: { $0.likeness > $1.likeness })
    where numbers[pair.place] == nil && !isMet[pair.thing] {
      isMet[pair.thing] = true
      numbers[pair.place] = followed[pair.thing].id
      move(pair.thing, to: seen[pair.place])
    }
    for index in followed.indices where !isMet[index] { followed[index].unseen += 1 }
    followed.removeAll { $0.unseen > patience }
    return seen.indices.map { index in
      if let number = numbers[index] { return number }
      lastID += 1
      followed.append(Followed(id: lastID, bounds: seen[index]))
      return lastID
    }
  }

  /// Forgets everything; numbers go on.
  package mutating func forget() {
    followed = []
  }

  private mutating func move(_ index: Int, to bounds: CGRect) {
    let old = followed[index]
    let steps = Double(old.unseen + 1)
    let way = CGPoint(
      x: (bounds.midX - old.bounds.midX) / steps, y: (bounds.midY - old.bounds.midY) / steps)
    // Half of what is new: boxes tremble by some pixels, which is no movement.
    followed[index].velocity = CGPoint(
      x: (old.velocity.x + way.x) / 2, y: (old.velocity.y + way.y) / 2)
    followed[index].bounds = bounds
    followed[index].unseen = 0
  }

  /// How much a thing seen at `box` may be the one expected at `place`; `nil` when it cannot be.
  private static func likeness(_ place: CGRect, _ box: CGRect) -> Double? {
    let overlap = place.overlap(with: box)
    let size = max(place.width, place.height, 1)
    let other = max(box.width, box.height, 1)
    let distance = hypot(place.midX - box.midX, place.midY - box.midY) / max(size, other)
    guard overlap >= leastOverlap || (distance <= longestWay && max(size, other) <= 2 * min(size, other))
    else {
      return nil
    }
    return overlap - distance
  }
}
