import CoreVideo
import Foundation
import FoundationExtras
import PeopleFinding
import PixelTransforms
import Portraits
import Testing

@Suite("Reading a hand")
struct HandReadingTests {
  /// Marks in a row from (60, 200), each 4 points right of and 8 points above the one before.
  private func numbers() -> [Float] {
    (0..<21).flatMap { (index: Int) -> [Float] in
      let step = Float(index)
      return [60 + 4 * step, 200 - 8 * step, 0.3]
    }
  }

  private func read(_ numbers: [Float], score: Float = 0.9, right: Float = 0.8, in view: TurnedSquare)
    -> HandReading?
  {
    numbers.withUnsafeBufferPointer { HandReading(marks: $0, score: score, rightScore: right, in: view) }
  }

  private let upright = TurnedSquare(center: CGPoint(x: 112, y: 112), side: 224, angle: 0)

  @Test func `marks are where the view has them in the picture`() throws {
    let hand = try #require(read(numbers(), in: upright)).hand
    #expect(hypot(hand[.wrist].x - 60, hand[.wrist].y - 200) < 1e-6)
    #expect(hypot(hand[.littleTip].x - 140, hand[.littleTip].y - 40) < 1e-6)
    #expect(hand.side == .right && abs(hand.sideScore - 0.8) < 1e-6 && abs(hand.score - 0.9) < 1e-6)
    let bounds = hand.bounds
    #expect(abs(bounds.minX - 60) < 1e-6 && abs(bounds.maxY - 200) < 1e-6 && abs(bounds.width - 80) < 1e-6)
    // A quarter turn clockwise: what points right in the picture points up in the view.
    let turned = TurnedSquare(center: CGPoint(x: 500, y: 300), side: 448, angle: .pi / 2)
    let other = try #require(read(numbers(), right: 0.1, in: turned)).hand
    #expect(hypot(other[.wrist].x - 324, other[.wrist].y - 196) < 1e-6, "\(other[.wrist])")
    #expect(other.side == .left && abs(other.sideScore - 0.9) < 1e-6)
  }

  @Test func `outputs of another size, that are no numbers, or unsure are no hand`() {
    var broken = numbers()
    broken[7] = .nan
    #expect(read(broken, in: upright) == nil)
    #expect(read([1, 2, 3], in: upright) == nil)
    #expect(read(numbers(), score: 0.3, in: upright) == nil)
    #expect(read(numbers(), score: .nan, in: upright) == nil)
    #expect(FoundHand(places: [.zero], rightScore: 1, score: 1) == nil)
  }

  @Test(arguments: [0.0, 0.7, 2, .pi, -1.3])
  func `the next look holds the hand, turned as it is`(angle: Double) throws {
    let view = TurnedSquare(center: CGPoint(x: 400, y: 300), side: 224, angle: angle)
    let reading = try #require(read(numbers(), in: view))
    let next = reading.neighbourhood
    // From the wrist outwards the marks go 4 right for 8 up: half of a right angle's tangent.
    let difference = (next.angle - angle - atan2(4, 8)).remainder(dividingBy: 2 * .pi)
    #expect(abs(difference) < 1e-6)
    for place in reading.hand.places {
      let (x, y) = (place.x - next.center.x, place.y - next.center.y)
      let across = x * cos(next.angle) + y * sin(next.angle)
      let along = y * cos(next.angle) - x * sin(next.angle)
      #expect(abs(across) <= next.side / 2 && abs(along) <= next.side / 2)
    }
  }

  @Test func `a palm says where the fingers are`() throws {
    let palm = Detection(
      box: CGRect(x: 80, y: 90, width: 40, height: 40),
      points: [CGPoint(x: 80, y: 110), .zero, CGPoint(x: 120, y: 110)], score: 0.9)
    let place = try #require(HandReading.neighbourhood(ofPalm: palm))
    #expect(abs(place.angle - .pi / 2) < 1e-9, "fingers point to the right")
    #expect(hypot(place.center.x - 120, place.center.y - 110) < 1e-9)
    #expect(abs(place.side - 104) < 1e-9)
    #expect(HandReading.neighbourhood(ofPalm: Detection(box: .zero, points: [.zero], score: 1)) == nil)
  }
}

/// Whether this machine has what finds hands; tests that need it are skipped where it has not.
let hasHandModels = ModelFolder.current.obstacle(to: .hands) == nil

/// Real models on drawn hands; nothing of this runs where there are none.
@Suite(
  "Hands in pictures",
  .enabled(if: hasHandModels, "there are no models of hands here; run scripts/setup --models"))
struct HandTests {
  private static let tips: [FoundHand.Mark] = [.thumbTip, .indexTip, .middleTip, .ringTip, .littleTip]

  @Test(arguments: DrawnHand.all)
  func `the hand is where it was marked by hand, and so are its fingertips`(_ drawn: DrawnHand) throws {
    let hands = try HandFinder().hands(in: drawn.picture())
    #expect(hands.count == 1)
    let hand = try #require(hands.first)
    let overlap = hand.bounds.overlap(with: drawn.outline)
    #expect(overlap >= 0.55, "\(hand.bounds) for \(drawn.outline): \(overlap)")
    #expect((hand.side == .right) == drawn.isRight)
    for (finger, tip) in drawn.tips {
      let found = hand[Self.tips[finger]]
      #expect(hypot(found.x - tip.x, found.y - tip.y) <= 12, "finger \(finger): \(found) for \(tip)")
    }
  }

  @Test(arguments: QuarterTurn.allCases)
  func `a hand is found however it is turned`(turn: QuarterTurn) throws {
    let turned = try PixelTransformer().apply(
      FrameTransform(rotation: turn, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange),
      to: DrawnHand.open.picture())
    let hand = try #require(try HandFinder().hands(in: turned).first)
    let up = CGPoint(
      x: hand[.middleTip].x - hand[.wrist].x, y: hand[.middleTip].y - hand[.wrist].y)
    let angle = atan2(up.x, -up.y) * 180 / .pi - Double(turn.rawValue)
    #expect(abs(angle.remainder(dividingBy: 360)) < 20, "\(angle)")
    #expect(hand.side == .right)
  }

  @Test func `a hand in a photograph is marked to its fingertips`() throws {
    let president = try #require(Portrait.all.first { $0.name == "president" })
    let hands = try HandFinder().hands(in: president.picture())
    #expect(hands.count == 1, "the other lies under an arm: \(hands)")
    let hand = try #require(hands.first)
    #expect(hand.side == .right && hand.score > 0.8)
    // Marked by hand.
    let tips: [(FoundHand.Mark, CGPoint)] = [
      (.indexTip, CGPoint(x: 308, y: 348)), (.middleTip, CGPoint(x: 327, y: 360)),
      (.ringTip, CGPoint(x: 331, y: 372)), (.littleTip, CGPoint(x: 323, y: 392)),
    ]
    for (mark, tip) in tips {
      #expect(hypot(hand[mark].x - tip.x, hand[mark].y - tip.y) <= 8, "\(mark): \(hand[mark]) for \(tip)")
    }
  }

  @Test(arguments: ["astronaut", "admiral"])
  func `a photograph without hands has none, though a face may look like a palm`(name: String) throws {
    let portrait = try #require(Portrait.all.first { $0.name == name })
    #expect(try HandFinder().hands(in: portrait.picture()).isEmpty)
  }

  @Test func `two hands keep their numbers while they move`() throws {
    let live = try LiveHandFinder()
    let whole = CGRect(x: 0, y: 0, width: 560, height: 400)
    let thumb = try #require(DrawnHand.all.first { $0.name == "hand-thumb-up" })
    var numbers: [Set<Int>] = [[], []]
    for step in 0..<12 {
      let way = 5 * Double(step)
      let pixels = try DrawnHand.picture(
        of: [(.open, CGPoint(x: 140, y: 150 + way)), (thumb, CGPoint(x: 420, y: 250 - way))], width: 560,
        height: 400)
      let hands = try live.hands(in: pixels, part: whole)
      // A palm that the first look misses is found by a later one.
      if step >= 9 { #expect(hands.count == 2, "picture \(step)") }
      for hand in hands { numbers[hand.hand.side == .right ? 0 : 1].insert(hand.id) }
    }
    #expect(numbers[0].count == 1 && numbers[1].count == 1 && numbers[0] != numbers[1], "\(numbers)")
  }

  @Test func `only hands inside the part that is asked for are reported`() throws {
    let pixels = try DrawnHand.picture(of: [(.open, CGPoint(x: 150, y: 240))], width: 640, height: 480)
    let live = try LiveHandFinder()
    #expect(try live.hands(in: pixels, part: CGRect(x: 0, y: 0, width: 320, height: 480)).count == 1)
    #expect(try live.hands(in: pixels, part: CGRect(x: 320, y: 0, width: 320, height: 480)).isEmpty)
    live.forget()
    #expect(try live.hands(in: pixels, part: CGRect(x: 320, y: 0, width: 320, height: 480)).isEmpty)
  }
}
