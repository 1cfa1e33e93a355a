package import Foundation

/// A face in a picture.
package struct FoundFace: Sendable, Hashable {
  /// From the hairline to the chin, in pixels of the picture.
  package var bounds: CGRect
  /// The roll of the face, in degrees clockwise from upright as the picture is looked at; 0 to 360.
  package var rollDegrees: Double
  /// The yaw of the face, in degrees; 0 to 360, positive where it looks to the picture's left.
  ///
  /// `nil` where the points that it follows from lie together. An estimate: good to some fifteen degrees up to three quarters
  /// of a profile, less beyond, where the model guesses the hidden ear.
  package var yawDegrees: Double?
  /// The model's confidence, from 0 to 1.
  package var score: Double
  /// The places of the eyes and the mouth, the person's own right and left; `nil` where nothing is known of them.
  package var marks: Marks?

  /// Places in a face, in pixels of the picture.
  package struct Marks: Sendable, Hashable {
    /// The person's own right eye.
    package var rightEye: CGPoint
    /// The person's own left eye.
    package var leftEye: CGPoint
    /// The middle of the mouth.
    package var mouth: CGPoint
  }

  /// Width of a head at the ears, over the depth from there to the tip of the nose: some 145 to 125 mm.
  private static let widthOverDepth = 1.16

  /// A face at `bounds`.
  package init(bounds: CGRect, rollDegrees: Double, yawDegrees: Double?, score: Double) {
    self.bounds = bounds
    self.rollDegrees = rollDegrees
    self.yawDegrees = yawDegrees
    self.score = score
  }

  /// The face of a detection whose points are the right eye, the left eye (the person's own), the tip of the nose, the mouth,
  /// the right ear and the left ear; `nil` with fewer.
  ///
  /// Roll is the tilt of the line through the eyes. Yaw follows from where between the ears the nose is seen: ears that are
  /// `w` apart with the nose `d` before them are seen `w cos` apart, with the nose `d sin` from their middle.
  package init?(_ detection: Detection) {
    guard detection.points.count >= 6 else { return nil }
    let points = detection.points
    let tilt = atan2(points[1].y - points[0].y, points[1].x - points[0].x)
    let across = CGPoint(x: cos(tilt), y: sin(tilt))
    func along(_ from: CGPoint, _ to: CGPoint) -> Double {
      (to.x - from.x) * across.x + (to.y - from.y) * across.y
    }
    let middle = CGPoint(x: (points[4].x + points[5].x) / 2, y: (points[4].y + points[5].y) / 2)
    let apart = along(points[4], points[5])
    let nose = along(middle, points[2])
    let isTold = hypot(apart, nose) > detection.box.width / 8
    let yaw = atan2(-nose * Self.widthOverDepth, max(0, apart)) * 180 / .pi
    self.init(
      bounds: detection.box, rollDegrees: Self.turn(tilt * 180 / .pi),
      yawDegrees: isTold ? Self.turn(yaw) : nil,
      score: detection.score)
    marks = Marks(rightEye: points[0], leftEye: points[1], mouth: points[3])
  }

  /// The same angle between 0 and 360.
  package static func turn(_ degrees: Double) -> Double {
    let rest = degrees.truncatingRemainder(dividingBy: 360)
    let turned = rest < 0 ? rest + 360 : rest
    return turned == 360 ? 0 : turned
  }
}
