internal import Foundation

/// The people in view, by their faces: steady boxes of who has been seen for a moment, and of who is not seen for a moment.
struct FramedPeople: Sendable {
  private struct Person: Sendable {
    /// The steady box.
    var face: CGRect
    /// What was seen last.
    var latest: CGRect
    /// How far the box's middle goes in a second.
    var velocity = CGPoint(x: 0, y: 0)
    let since: Int64
    var seen: Int64
    /// Whether the framing counts them.
    var counts: Bool

    init(_ face: CGRect, at nanoseconds: Int64, counts: Bool) {
      (self.face, latest, since, seen) = (face, face, nanoseconds, nanoseconds)
      self.counts = counts
    }

    /// Brings the box nearer to what is seen: its place soon, its size slowly, because sizes waver more.
    mutating func move(to seen: CGRect, after seconds: Double) {
      let place = 1 - exp(-seconds / FramedPeople.placeSeconds)
      let size = 1 - exp(-seconds / FramedPeople.sizeSeconds)
      let width = face.width + (seen.width - face.width) * size
      let height = face.height + (seen.height - face.height) * size
      let x = face.midX + (seen.midX - face.midX) * place, y = face.midY + (seen.midY - face.midY) * place
      if seconds > 0 {
        let share = 1 - exp(-seconds / FramedPeople.velocitySeconds)
        velocity.x += ((x - face.midX) / seconds - velocity.x) * share
        velocity.y += ((y - face.midY) / seconds - velocity.y) * share
      }
      face = CGRect(x: x - width / 2, y: y - height / 2, width: width, height: height)
      latest = seen
    }

    /// The box, as far as it will be in a moment.
    var way: CGRect {
      let speed = (velocity.x * velocity.x + velocity.y * velocity.y).squareRoot()
      guard speed > FramedPeople.restSpeed else { return face }
      let lead = FramedPeople.leadSeconds * (speed - FramedPeople.restSpeed) / speed
      return face.union(face.offsetBy(dx: velocity.x * lead, dy: velocity.y * lead))
    }
  }

  private var people: [Person] = []
  private var time = Int64.min

  /// How long a face is in view before the framing counts it, and how long it may be out of sight, in nanoseconds.
  static let entryNanoseconds: Int64 = 150_000_000
  static let exitNanoseconds: Int64 = 1_500_000_000
  /// In how many seconds a box is nearer to what is seen, by a factor of e.
  private static let placeSeconds = 0.12
  private static let sizeSeconds = 0.4
  /// The farthest that a face goes from one look to the next, in its own sizes.
  private static let longestWay = 1.5

  private static let velocitySeconds = 0.3
  /// How far ahead of who walks is looked, in seconds; and a speed, in the picture's sides a second, that is no walk.
  private static let leadSeconds = 0.4
  private static let restSpeed = 0.04

  /// The faces of who counts, in the order in which they came; of who walks with a part of the way.
  var faces: [CGRect] { people.filter(\.counts).map(\.way) }

  /// Takes the faces of a picture; times ascend.
  ///
  /// - Parameter isFirst: Whether no picture was seen before: then all count at once.
  mutating func see(_ faces: [CGRect], at nanoseconds: Int64, isFirst: Bool) {
    let passed = isFirst ? 0 : Double(nanoseconds - time) / 1e9
    time = nanoseconds
    var pairs: [(way: Double, person: Int, face: Int)] = []
    for (index, person) in people.enumerated() {
      for (other, face) in faces.enumerated() {
        let way = Self.way(person.latest, face)
        if way < Self.longestWay { pairs.append((way, index, other)) }
      }
    }
    var isKnown = [Bool](repeating: false, count: people.count)
    var isTaken = [Bool](repeating: false, count: faces.count)
    for pair in pairs.sorted(by: { $0.way < $1.way }) where !isKnown[pair.person] && !isTaken[pair.face] {
      (isKnown[pair.person], isTaken[pair.face]) = (true, true)
      people[pair.person].move(to: faces[pair.face], after: passed)
      people[pair.person].seen = nanoseconds
    }
    for (face, isTaken) in zip(faces, isTaken) where !isTaken {
      people.append(Person(face, at: nanoseconds, counts: isFirst))
    }
    people.removeAll { person in
      // Who was seen only once may have been none.
      nanoseconds - person.seen > (person.counts ? Self.exitNanoseconds : 2 * Self.entryNanoseconds)
    }
    for index in people.indices
    where people[index].seen == nanoseconds
      && nanoseconds - people[index].since >= Self.entryNanoseconds
    {
      people[index].counts = true
    }
  }

  /// How far apart the middles of two boxes are, in their own sizes.
  private static func way(_ one: CGRect, _ other: CGRect) -> Double {
    let across = (one.midX - other.midX) / max(one.width, other.width, 1e-6)
    let down = (one.midY - other.midY) / max(one.height, other.height, 1e-6)
    return (across * across + down * down).squareRoot()
  }
}
