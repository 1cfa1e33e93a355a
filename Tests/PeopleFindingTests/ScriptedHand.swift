import Foundation
import PeopleFinding

/// Landmarks of a right hand whose palm faces the camera, with fingers as they are asked for; a palm is `palm` pixels long.
struct ScriptedHand {
  /// From the index to the little finger: 1 is straight, 0 bent, between is between.
  var fingers: [Double] = [1, 1, 1, 1]
  /// Whether the thumb is stretched away, to the right of upright fingers.
  var isThumbOut = false
  var wrist = CGPoint(x: 300, y: 400)
  var palm = 100.0
  /// Degrees by which the whole hand is turned clockwise.
  var degrees = 0.0
  var isLeft = false
  var score = 0.9

  static let thumbUp = ScriptedHand(fingers: [0, 0, 0, 0], isThumbOut: true, degrees: -90)
  static let thumbDown = ScriptedHand(fingers: [0, 0, 0, 0], isThumbOut: true, degrees: 90)
  static let victory = ScriptedHand(fingers: [1, 1, 0, 0])
  static let horns = ScriptedHand(fingers: [1, 0, 0, 1])
  static let open = ScriptedHand()
  static let fist = ScriptedHand(fingers: [0, 0, 0, 0])

  /// The same sign of the other hand, `distance` pixels to the right.
  func mirrored(_ distance: Double = 400) -> ScriptedHand {
    var hand = self
    hand.isLeft = true
    hand.wrist.x += distance
    return hand
  }

  func moved(_ x: Double, _ y: Double) -> ScriptedHand {
    var hand = self
    hand.wrist.x += x
    hand.wrist.y += y
    return hand
  }

  var found: FoundHand {
    // In palms: to the thumb's side, and along the fingers.
    var places: [CGPoint] = [.zero]
    let thumb: [(Double, Double)] =
      isThumbOut
      ? [(0.2, 0.25), (0.5, 0.4), (0.8, 0.42), (1.1, 0.4)]
      : [(0.25, 0.25), (0.35, 0.5), (0.15, 0.65), (-0.1, 0.7)]
    places += thumb.map { CGPoint(x: $0.0, y: $0.1) }
    for (finger, straight) in fingers.enumerated() {
      let x = 0.3 - 0.2 * Double(finger)
      let lean = 0.16 - 0.1 * Double(finger)
      // Bent, the tip lies before the knuckle; straight, beyond the joints.
      let (bent, stretched) = ([1.0, 1.2, 1.0, 0.85], [1.0, 1.45, 1.7, 1.9])
      for (joint, low) in bent.enumerated() {
        let y = low + (stretched[joint] - low) * straight
        places.append(CGPoint(x: x + lean * (y - 1), y: y))
      }
    }
    let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
    let marks = places.map { place in
      let (x, y) = (place.x * palm, -place.y * palm)
      let turned = CGPoint(x: x * cosine - y * sine, y: x * sine + y * cosine)
      return CGPoint(x: wrist.x + (isLeft ? -turned.x : turned.x), y: wrist.y + turned.y)
    }
    guard let hand = FoundHand(places: marks, rightScore: isLeft ? 0.05 : 0.95, score: score) else {
      fatalError("A hand has 21 marks.")
    }
    return hand
  }
}
