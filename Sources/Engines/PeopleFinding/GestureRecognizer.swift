package import Foundation

/// A recognizer of intended hand gestures: signs that are held still for 0.8 s, away from the face.
///
/// Its input are tracked hands with timestamps. Signs also occur by chance: hands in random motion show one in a fifth of all pictures, and
/// for up to half a second. A value; the same input gives the same gestures.
package struct GestureRecognizer: Sendable {
  /// A recognized gesture.
  package struct Gesture: Sendable, Hashable {
    /// The sign.
    package var sign: HandSign
    /// The bounding box of the hand or hands, in pixels of the picture.
    package var bounds: CGRect

    /// A gesture with its bounding box.
    package init(sign: HandSign, bounds: CGRect) {
      self.sign = sign
      self.bounds = bounds
    }
  }

  /// The signs at one timestamp.
  private struct Reading {
    var nanoseconds: Int64
    /// The time since the reading before, in nanoseconds.
    var weight: Int64
    /// The signs of hands without motion, with their bounding boxes.
    var signs: [HandSign: CGRect]
  }

  /// A hand's place at a time.
  private struct Place {
    var nanoseconds: Int64
    var middle: CGPoint
    var palm: Double
  }

  private var readings: [Reading] = []
  /// The timestamp of the first reading after a gap.
  private var start: Int64?
  /// The recent places of each tracked hand, by its number.
  private var places: [Int: [Place]] = [:]
  /// The timestamp of each sign's last recognition.
  private var recognised: [HandSign: Int64] = [:]
  /// The recognized signs that have not ended yet.
  private var held: Set<HandSign> = []

  private static let window: Int64 = 800_000_000
  private static let quiet: Int64 = 3_000_000_000
  /// The time after a sign of both hands during which the sign of one hand is ignored.
  private static let pairTime: Int64 = 300_000_000
  /// The longest gap between two readings; after a longer one, earlier readings are dropped.
  private static let longestGap: Int64 = 500_000_000
  /// The time over which the speed of a hand is measured.
  private static let speedTime: Int64 = 400_000_000
  private static let leastShare = 0.8
  private static let releaseShare = 0.3
  /// In palms per second.
  private static let mostSpeed = 0.5
  private static let leastScore = 0.7
  /// The greatest overlap of a hand's bounding box with a face's, as a share of the smaller one.
  private static let mostFaceShare = 0.1

  /// A recognizer without readings.
  package init() {}

  /// Adds a reading; returns the gesture that it completes, each gesture once.
  ///
  /// - Parameters:
  ///   - hands: All hands in the picture, with their tracking numbers.
  ///   - faces: The bounding boxes of known faces, in pixels of the same picture.
  ///   - up: The upward direction in the picture.
  ///   - nanoseconds: The picture's timestamp, later than the one before.
  package mutating func update(
    _ hands: [LiveHandFinder.Tracked], faces: [CGRect] = [], up: CGPoint = HandSign.upright,
    at nanoseconds: Int64
  ) -> Gesture? {
    if let last = readings.last,
      nanoseconds <= last.nanoseconds || nanoseconds - last.nanoseconds > Self.longestGap
    {
      forget()
    }
    let weight = nanoseconds - (readings.last?.nanoseconds ?? nanoseconds)
    let still = stillHands(hands, at: nanoseconds).filter { hand in
      hand.score >= Self.leastScore
        && !faces.contains { $0.commonShare(with: hand.bounds) > Self.mostFaceShare }
    }
    start = start ?? nanoseconds
    readings.removeAll { nanoseconds - $0.nanoseconds >= Self.window }
    readings.append(Reading(nanoseconds: nanoseconds, weight: weight, signs: Self.signs(of: still, up: up)))
    return recognise(at: nanoseconds)
  }

  /// Drops the readings, for a picture that does not follow the last one; recognized gestures still count as recent.
  package mutating func forget() {
    readings = []
    start = nil
    places = [:]
  }

  // MARK: Signs

  private static func signs(of hands: [FoundHand], up: CGPoint) -> [HandSign: CGRect] {
    var signs: [HandSign: CGRect] = [:]
    for (index, first) in hands.enumerated() {
      for second in hands[(index + 1)...] {
        guard let sign = HandSign(first, second, up: up) else { continue }
        signs[sign] = first.bounds.union(second.bounds)
      }
    }
    // A hand that forms a sign with another does not show its own.
    guard signs.isEmpty else { return signs }
    for hand in hands {
      if let sign = HandSign(hand, up: up) { signs[sign] = hand.bounds }
    }
    return signs
  }

  /// The hands without motion; a hand needs an earlier place to be one of them.
  private mutating func stillHands(_ hands: [LiveHandFinder.Tracked], at nanoseconds: Int64) -> [FoundHand] {
    var former: [Int: [Place]] = [:]
    swap(&former, &places)
    return hands.compactMap { tracked in
      let (wrist, knuckle) = (tracked.hand[.wrist], tracked.hand[.middleKnuckle])
      let place = Place(
        nanoseconds: nanoseconds, middle: CGPoint(x: (wrist.x + knuckle.x) / 2, y: (wrist.y + knuckle.y) / 2),
        palm: tracked.hand.palm)
      let known = (former[tracked.id] ?? []).filter { nanoseconds - $0.nanoseconds <= Self.speedTime }
      places[tracked.id] = known + [place]
      guard let first = known.first, place.palm > 0 else { return nil }
      let way = hypot(place.middle.x - first.middle.x, place.middle.y - first.middle.y) / place.palm
      let seconds = Double(nanoseconds - first.nanoseconds) / 1e9
      return way / seconds < Self.mostSpeed ? tracked.hand : nil
    }
  }

  // MARK: Gestures

  private func share(of sign: HandSign) -> Double {
    let all = readings.reduce(0) { $0 + $1.weight }
    guard all > 0 else { return 0 }
    return Double(readings.reduce(0) { $0 + ($1.signs[sign] == nil ? 0 : $1.weight) }) / Double(all)
  }

  private mutating func recognise(at nanoseconds: Int64) -> Gesture? {
    held = held.filter { share(of: $0) >= Self.releaseShare }
    guard let start, nanoseconds - start >= Self.window else { return nil }
    for sign in HandSign.allCases.reversed() {
      guard let bounds = readings.last?.signs[sign], share(of: sign) >= Self.leastShare,
        isFree(sign, nanoseconds)
      else { continue }
      // Both hands rarely come up in the same moment, and rarely go down in it.
      if let pair = sign.pair, wasSeen(pair, nanoseconds) { continue }
      for done in HandSign.allCases where done == sign || done.pair == sign { recognised[done] = nanoseconds }
      held.insert(sign)
      return Gesture(sign: sign, bounds: bounds)
    }
    return nil
  }

  private func isFree(_ sign: HandSign, _ nanoseconds: Int64) -> Bool {
    guard !held.contains(sign) else { return false }
    return recognised[sign].map { nanoseconds - $0 >= Self.quiet } ?? true
  }

  private func wasSeen(_ sign: HandSign, _ nanoseconds: Int64) -> Bool {
    readings.contains { $0.signs[sign] != nil && nanoseconds - $0.nanoseconds <= Self.pairTime }
  }
}
