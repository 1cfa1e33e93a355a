import Foundation
import PeopleFinding
import Testing

@Suite("Signs of hands")
struct HandSignTests {
  private static let signs: [(ScriptedHand, HandSign)] = [
    (.thumbUp, .thumbsUp), (.thumbDown, .thumbsDown), (.victory, .victory), (.horns, .horns),
  ]

  @Test(arguments: signs)
  func `a sign is read from either hand at any size, leaning a little`(hand: ScriptedHand, sign: HandSign) {
    for lean in [-20.0, 0, 20] {
      for palm in [20.0, 300] {
        var hand = hand
        hand.palm = palm
        hand.degrees += lean
        #expect(HandSign(hand.found) == sign, "\(lean)")
        #expect(HandSign(hand.mirrored().found) == sign)
      }
    }
  }

  @Test func `other hands show nothing`() {
    let others: [ScriptedHand] = [
      .open, .fist, ScriptedHand(fingers: [1, 0, 0, 0]), ScriptedHand(fingers: [1, 1, 1, 0]),
      ScriptedHand(fingers: [0, 0, 0, 1]),
      ScriptedHand(fingers: [0.6, 0.6, 0.6, 0.6], isThumbOut: true, degrees: -90),
      ScriptedHand(fingers: [1, 1, 1, 1], isThumbOut: true, degrees: -90),
    ]
    for hand in others { #expect(HandSign(hand.found) == nil, "\(hand.fingers)") }
  }

  @Test func `a thumb to the side is neither up nor down`() {
    var hand = ScriptedHand.thumbUp
    for degrees in [-45.0, 0, 45, 180] {
      hand.degrees = degrees
      #expect(HandSign(hand.found) == nil, "\(degrees)")
    }
    #expect(HandSign(hand.found, up: CGPoint(x: -1, y: 0)) == .thumbsUp, "up is where the person's head is")
  }

  @Test(arguments: signs)
  func `both hands show the sign of two`(hand: ScriptedHand, sign: HandSign) {
    #expect(HandSign(hand.found, hand.mirrored().found) == sign.pair && sign.pair != nil)
  }

  @Test func `no two are two of one side, two that overlap, one found twice, or two signs`() {
    let hand = ScriptedHand.victory
    #expect(HandSign(hand.found, hand.moved(400, 0).found) == nil)
    #expect(HandSign(hand.found, hand.mirrored(20).found) == nil)
    #expect(HandSign(hand.found, hand.found) == nil)
    #expect(HandSign(hand.found, ScriptedHand.horns.mirrored().found) == nil)
  }

  @Test func `hands whose index fingers meet above their thumbs are a heart`() {
    // Stretched thumbs, half bent fingers, both hands leaning towards each other.
    let left = ScriptedHand(fingers: [0.6, 0.6, 0.6, 0.6], isThumbOut: true, degrees: 20)
    let heart = HandSign(left.found, left.mirrored(200).found)
    #expect(heart == .heart)
    #expect(HandSign(left.found, left.mirrored(500).found) == nil, "far apart")
    var down = left
    down.degrees = 160
    let upsideDown = HandSign(down.found, down.mirrored(100).found)
    #expect(upsideDown == nil)
  }
}
