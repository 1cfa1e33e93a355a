internal import CPainting
internal import Foundation

/// The axes of a hand in the figure: to the thumb's side, along the fingers, and out of the palm.
private struct HandAxes {
  let origin, x, y, z: SIMD3<Float>

  init(_ pose: ArmPose) {
    origin = pose.wrist
    let (turn, tilt, roll) = (pose.turn * .pi / 180, pose.tilt * .pi / 180, pose.roll * .pi / 180)
    // Around the fingers, towards the viewer, and then in the picture.
    let across = SIMD3(cos(turn), 0, -sin(turn))
    let outwards = SIMD3(sin(turn), 0, cos(turn))
    let along = SIMD3(0, -cos(tilt), 0) + outwards * sin(tilt)
    let palm = outwards * cos(tilt) + SIMD3(0, sin(tilt), 0)
    func rolled(_ v: SIMD3<Float>) -> SIMD3<Float> {
      SIMD3(v.x * cos(roll) - v.y * sin(roll), v.x * sin(roll) + v.y * cos(roll), v.z)
    }
    (x, y, z) = (rolled(across), rolled(along), rolled(palm))
  }

  func callAsFunction(_ place: SIMD3<Float>) -> SIMD3<Float> {
    origin + x * place.x + y * place.y + z * place.z
  }
}

extension ArmPose {
  private static let shoulder = SIMD3<Float>(-0.164, 0.358, -0.050)
  private static let upperArm: Float = 0.285
  private static let forearm: Float = 0.25

  /// The arm's limbs with the hand's, farther ones first; the left arm's are mirrored.
  func limbs(isLeft: Bool) -> LimbList {
    let side: Float = isLeft ? -1 : 1
    func placed(_ place: SIMD3<Float>) -> SIMD3<Float> { SIMD3(place.x * side, place.y, place.z) }
    var list = LimbList()
    let elbow = elbowPlace
    list.add(
      placed(Self.shoulder), placed(elbow), 0.0555, 0.047, painting_sleeve, blend: 0.05, soft: 0.9,
      reach: 0.03)
    let cuff = elbow + (wrist - elbow) * 0.86
    list.add(placed(elbow), placed(cuff), 0.046, 0.034, painting_sleeve, blend: 0.012, reach: 0.035)
    let rim = elbow + (wrist - elbow) * 0.80
    list.add(placed(rim), placed(cuff), 0.0385, 0.0370, painting_sleeve, blend: 0.002, reach: 0.02)
    let bare = elbow + (wrist - elbow) * 0.84
    list.add(placed(bare), placed(wrist), 0.028, 0.0245, painting_skin, blend: 0.006, reach: 0.02)
    list.addSorted(hand(placed))
    return list
  }

  /// Where two bones of fixed length meet.
  private var elbowPlace: SIMD3<Float> {
    let way = wrist - Self.shoulder
    let distance = min(max((way * way).sum().squareRoot(), 0.05), Self.upperArm + Self.forearm - 0.001)
    let unit = way / (way * way).sum().squareRoot()
    let along =
      (Self.upperArm * Self.upperArm - Self.forearm * Self.forearm + distance * distance) / (2 * distance)
    let off = max(Self.upperArm * Self.upperArm - along * along, 0).squareRoot()
    var across = elbow - unit * (elbow * unit).sum()
    across /= max((across * across).sum().squareRoot(), 1e-3)
    return Self.shoulder + unit * along + across * off
  }

  // MARK: Hand

  /// Of each finger from the index to the little one: its knuckle, its length, and its radius at the root.
  private static let fingers: [(knuckle: SIMD3<Float>, length: Float, radius: Float, lean: Float)] = [
    (SIMD3(0.0285, 0.0930, 0.0000), 0.0880, 0.0111, 9),
    (SIMD3(0.0085, 0.0970, 0.0025), 0.0980, 0.0114, 1),
    (SIMD3(-0.0120, 0.0925, 0.0010), 0.0920, 0.0109, -7),
    (SIMD3(-0.0310, 0.0815, -0.0035), 0.0730, 0.0096, -16),
  ]

  private func hand(_ placed: (SIMD3<Float>) -> SIMD3<Float>) -> LimbList {
    let axes = HandAxes(self)
    func at(_ x: Float, _ y: Float, _ z: Float) -> SIMD3<Float> { placed(axes(SIMD3(x, y, z))) }
    func at(_ place: SIMD3<Float>) -> SIMD3<Float> { placed(axes(place)) }
    var list = LimbList()
    // The palm: a bone for each finger, the ball of the thumb, and the heel.
    for (index, finger) in Self.fingers.enumerated() {
      let root = SIMD3<Float>(0.014 - 0.0095 * Float(index), 0.008, -0.002)
      list.add(
        at(root), at(finger.knuckle - SIMD3(0, 0.004, 0.002)), 0.0165, 0.0118, painting_skin, blend: 0.012)
    }
    list.add(
      at(0.002, 0.034, 0), at(0.002, 0.074, 0.001), 0.026, 0.026, painting_skin, blend: 0.010, soft: 0.9,
      deep: 0.62)
    list.add(
      at(0.016, 0.018, 0.004), at(thumb.knuckle * 0.86 + SIMD3(0, 0.003, 0)), 0.0180, 0.0145, painting_skin,
      blend: 0.012, soft: 0.8)
    list.add(
      at(-0.022, 0.020, 0.004), at(-0.026, 0.052, 0.002), 0.0145, 0.0130, painting_skin, blend: 0.012,
      soft: 0.8)
    // The web between thumb and index finger.
    list.add(at(0.024, 0.062, -0.001), at(thumb.knuckle * 0.8), 0.0095, 0.0090, painting_skin, blend: 0.010)
    for (finger, curl) in zip(Self.fingers, [curls.x, curls.y, curls.z, curls.w]) {
      add(finger, curl, to: &list, at: at)
    }
    let start = SIMD3<Float>(0.020, 0.024, 0.006)
    list.add(
      at(start), at(thumb.knuckle), 0.0160, 0.0135, painting_skin, blend: 0.006, soft: 0.6, reach: 0.012)
    list.add(at(thumb.knuckle), at(thumb.joint), 0.0132, 0.0120, painting_skin, blend: 0.0015, reach: 0.012)
    list.add(at(thumb.joint), at(thumb.tip), 0.0121, 0.0094, painting_skin, blend: 0.0015, reach: 0.012)
    return list
  }

  private func add(
    _ finger: (knuckle: SIMD3<Float>, length: Float, radius: Float, lean: Float), _ curl: Float,
    to list: inout LimbList, at: (SIMD3<Float>) -> SIMD3<Float>
  ) {
    // Bent fingers lie side by side.
    let lean = finger.lean * spread * (1 - curl) * .pi / 180
    let aside = SIMD3<Float>(sin(lean), cos(lean), 0)
    var place = finger.knuckle
    var angle: Float = 0
    let parts: [(share: Float, bend: Float, radius: Float)] = [
      (0.44, 104, 0.96), (0.30, 86, 0.88), (0.26, 45, 0.76),
    ]
    var radius = finger.radius
    for part in parts {
      angle += part.bend * curl * .pi / 180
      let way = aside * cos(angle) + SIMD3(0, 0, sin(angle))
      let next = place + way * (finger.length * part.share)
      let end = finger.radius * part.radius
      list.add(at(place), at(next), radius, end, painting_skin, blend: 0.0012, reach: 0.016)
      (place, radius) = (next, end)
    }
  }
}
