package import Foundation

/// Gives each object a number that stays the same from picture to picture.
///
/// An object is expected to move on as it did. One that is not seen until the timeout is lost and gets a new number when it
/// comes back. Numbers are never used twice. One call at a time.
package struct Tracker {
  /// One object.
  package struct Track: Sendable, Hashable {
    /// Its number, from 1 on.
    package let id: Int
    /// The place where it was last seen.
    package fileprivate(set) var bounds: CGRect
    /// Its movement from picture to picture.
    package fileprivate(set) var velocity = CGPoint.zero
    /// For how many pictures it has not been seen.
    package fileprivate(set) var unseen = 0
  }

  /// The tracked objects, oldest first.
  package private(set) var tracks: [Track] = []

  private let timeout: Int
  private var lastID = 0

  /// The least overlap of two boxes of one object.
  private static let leastOverlap = 0.2
  /// The farthest that a small or fast object may be from its expected place, in its own sizes.
  private static let longestWay = 0.9

  /// - Parameter timeout: For how many pictures an object may be unseen.
  package init(timeout: Int) {
    self.timeout = timeout
  }

  /// The expected places of the objects in the next picture.
  package func expected() -> [CGRect] {
    tracks.map { track in
      let steps = Double(track.unseen + 1)
      return track.bounds.offsetBy(dx: track.velocity.x * steps, dy: track.velocity.y * steps)
    }
  }

  /// Takes the boxes of the next picture, and returns the number of each.
  package mutating func update(_ seen: [CGRect]) -> [Int] {
    var numbers = [Int?](repeating: nil, count: seen.count)
    var isMet = [Bool](repeating: false, count: tracks.count)
    // The closest pairs first, so that two that pass each other keep their numbers.
    var pairs: [(likeness: Double, track: Int, place: Int)] = []
    for (track, place) in expected().enumerated() {
      for (index, box) in seen.enumerated() {
        if let likeness = Self.likeness(place, box) { pairs.append((likeness, track, index)) }
      }
    }
    for pair in pairs.sorted(by: { $0.likeness > $1.likeness })
    where numbers[pair.place] == nil && !isMet[pair.track] {
      isMet[pair.track] = true
      numbers[pair.place] = tracks[pair.track].id
      move(pair.track, to: seen[pair.place])
    }
    for index in tracks.indices where !isMet[index] { tracks[index].unseen += 1 }
    tracks.removeAll { $0.unseen > timeout }
    return seen.indices.map { index in
      if let number = numbers[index] { return number }
      lastID += 1
      tracks.append(Track(id: lastID, bounds: seen[index]))
      return lastID
    }
  }

  /// Drops all tracks; numbers go on.
  package mutating func reset() {
    tracks = []
  }

  private mutating func move(_ index: Int, to bounds: CGRect) {
    let old = tracks[index]
    let steps = Double(old.unseen + 1)
    let way = CGPoint(
      x: (bounds.midX - old.bounds.midX) / steps, y: (bounds.midY - old.bounds.midY) / steps)
    // Half of the new movement: boxes tremble by some pixels.
    tracks[index].velocity = CGPoint(
      x: (old.velocity.x + way.x) / 2, y: (old.velocity.y + way.y) / 2)
    tracks[index].bounds = bounds
    tracks[index].unseen = 0
  }

  /// The likelihood that an object at `box` is the one expected at `place`; `nil` when it cannot be.
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
