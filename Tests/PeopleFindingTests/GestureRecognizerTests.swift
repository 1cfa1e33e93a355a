import Foundation
import PeopleFinding
import Testing

@Suite("Gestures of hands")
struct GestureRecognizerTests {
  /// What a watch says to hands that change with the time, read ten times a second: signs and when they were recognised.
  private func gestures(
    until end: Double, faces: [CGRect] = [], every interval: Double = 0.1, from start: Double = 0,
    _ hands: (Double) -> [ScriptedHand]
  ) -> [(sign: HandSign, at: Double)] {
    var watch = GestureRecognizer()
    return (0...Int((end / interval).rounded())).compactMap { step in
      let seconds = Double(step) * interval
      let seen = hands(seconds).enumerated().map { LiveHandFinder.Tracked(id: $0 + 1, hand: $1.found) }
      return watch.update(seen, faces: faces, at: Int64((start + seconds) * 1e9)).map { ($0.sign, seconds) }
    }
  }

  @Test(arguments: [ScriptedHand.thumbUp, .thumbDown, .victory, .horns])
  func `a sign that is held is recognised once, within a second`(hand: ScriptedHand) throws {
    let seen = gestures(until: 6) { $0 < 0.5 ? [] : [hand] }
    #expect(seen.count == 1 && seen.first?.sign == HandSign(hand.found))
    let time = try #require(seen.first).at
    #expect((1.2...1.5).contains(time), "\(time)")
  }

  @Test func `pictures with another sign between, one in ten, change nothing, one in three prevents it`() {
    func seen(_ period: Int) -> Int {
      gestures(until: 4) { Int(($0 * 10).rounded()) % period == period - 1 ? [.open] : [.victory] }.count
    }
    #expect(seen(10) == 1 && seen(3) == 0)
  }

  @Test func `a sign that is held shorter is none`() {
    #expect(gestures(until: 4) { 1..<1.6 ~= $0 ? [.thumbUp] : [.open] }.isEmpty)
  }

  @Test func `a hand that moves shows no sign`() {
    #expect(gestures(until: 4) { [.victory.moved(100 * $0, 0)] }.isEmpty)
    #expect(gestures(until: 4) { [.victory.moved(20 * $0, 0)] }.count == 1)
  }

  @Test func `a hand before the face, or one that is unsure, shows no sign`() {
    let hand = ScriptedHand.thumbUp
    let beside = CGRect(x: 600, y: 100, width: 200, height: 200)
    #expect(gestures(until: 2, faces: [hand.found.bounds.insetBy(dx: -20, dy: -20)]) { _ in [hand] }.isEmpty)
    #expect(gestures(until: 2, faces: [beside]) { _ in [hand] }.count == 1)
    var unsure = hand
    unsure.score = 0.6
    #expect(gestures(until: 2) { _ in [unsure] }.isEmpty)
  }

  @Test func `it counts again only when it was let go, and three seconds have passed`() {
    // Let go in the fifth second, and again briefly in the seventh.
    let times = gestures(until: 12) { 5..<6 ~= $0 ? [.open] : [.thumbUp] }.map(\.at)
    #expect(times.count == 2 && (6.6...7.0).contains(times.last ?? 0), "\(times)")
    let early = gestures(until: 3.4) { 1.2..<2 ~= $0 ? [.open] : [.thumbUp] }.map(\.at)
    #expect(early.count == 1, "\(early)")
    // Another sign need not wait.
    #expect(gestures(until: 2.4) { $0 < 1.2 ? [.thumbUp] : [.horns] }.map(\.sign) == [.thumbsUp, .horns])
  }

  @Test func `both hands' sign wins, though one hand comes up or goes down first`() {
    let hand = ScriptedHand.victory
    let seen = gestures(until: 5) { seconds in
      let second: [ScriptedHand] = 0.5..<3 ~= seconds ? [hand.mirrored()] : []
      return seconds < 3.6 ? [hand] + second : []
    }
    #expect(seen.map(\.sign) == [.twoVictory], "\(seen)")
  }

  @Test func `a heart is one gesture, with the rectangle around both hands`() throws {
    let left = ScriptedHand(fingers: [0.6, 0.6, 0.6, 0.6], isThumbOut: true, degrees: 20)
    let right = left.mirrored(200)
    var watch = GestureRecognizer()
    var found: [GestureRecognizer.Gesture] = []
    for step in 0..<20 {
      let hands = [left, right].enumerated().map { LiveHandFinder.Tracked(id: $0 + 1, hand: $1.found) }
      if let gesture = watch.update(hands, at: Int64(step) * 100_000_000) { found.append(gesture) }
    }
    #expect(found == [.init(sign: .heart, bounds: left.found.bounds.union(right.found.bounds))])
  }

  @Test func `time is that of the pictures: other rates, any origin, and gaps that begin anew`() {
    for interval in [0.05, 0.2] {
      #expect(gestures(until: 2, every: interval) { _ in [.horns] }.count == 1, "\(interval)")
    }
    #expect(gestures(until: 2, from: 1e6) { _ in [.horns] }.count == 1)
    #expect(gestures(until: 8, every: 0.6) { _ in [.horns] }.isEmpty)
  }
}
