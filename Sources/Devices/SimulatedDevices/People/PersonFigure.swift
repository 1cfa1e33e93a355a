internal import CPainting
internal import Foundation

/// A person in one moment, as it is drawn: limbs, colours and face.
///
/// Metres: x from the middle to the right of the picture, y down from the crown, z towards the viewer from the middle of the
/// head. Pure: the same look and posture give the same limbs.
struct PersonFigure: Sendable {
  /// What moves.
  struct Posture: Sendable, Hashable {
    var right = ArmPose.down
    var left = ArmPose.down
    /// Of the head, in degrees: to the right of the picture, and down.
    var turn: Float = 0
    var nod: Float = 0
    /// How open the eyes are.
    var open: Float = 1
    /// Where the eyes look, in metres of the eye.
    var gaze = SIMD2<Float>.zero
    /// How far the chest is lifted by breath, in metres.
    var breath: Float = 0
    /// How far the upper body leans, in metres at the head.
    var lean: Float = 0
  }

  /// The rectangle that is drawn: from above the crown to the hips.
  static let left: Float = -0.64
  static let top: Float = -0.06
  static let width: Float = 1.28
  static let height: Float = 1.08
  /// From the crown to the hips, above and below which as much is drawn.
  static let stature: Float = 0.96
  /// The middle of the face.
  static let face = SIMD2<Float>(0, 0.125)

  let colors: PersonColors
  let posture: Posture
  private let limbs: [painting_limb]
  private let head: SIMD3<Float>
  private let axes: (right: SIMD3<Float>, down: SIMD3<Float>, forwards: SIMD3<Float>)

  init(_ colors: PersonColors, _ posture: Posture) {
    self.colors = colors
    self.posture = posture
    let (turn, nod) = (posture.turn * .pi / 180, posture.nod * .pi / 180)
    axes = (
      SIMD3(cos(turn), 0, -sin(turn)), SIMD3(-sin(turn) * sin(nod), cos(nod), -cos(turn) * sin(nod)),
      SIMD3(sin(turn) * cos(nod), sin(nod), cos(turn) * cos(nod))
    )
    // It turns on the neck, below and behind its middle.
    let pivot = SIMD3<Float>(posture.lean, 0.205, -0.03)
    let lift = SIMD3<Float>(0, -0.09, 0.03)
    head = pivot + axes.right * lift.x + axes.down * lift.y + axes.forwards * lift.z
    var list = LimbList()
    Self.addBackHair(colors.style, head, axes, to: &list)
    Self.addBody(posture, to: &list)
    Self.addHead(colors.style, parting: colors.parting, head, axes, to: &list)
    for limb in posture.right.limbs(isLeft: false).limbs + posture.left.limbs(isLeft: true).limbs {
      list.append(limb)
    }
    limbs = list.limbs
  }

  private typealias Axes = (right: SIMD3<Float>, down: SIMD3<Float>, forwards: SIMD3<Float>)

  /// From the head's own axes to the figure's.
  private static func place(_ x: Float, _ y: Float, _ z: Float, _ head: SIMD3<Float>, _ axes: Axes) -> SIMD3<
    Float
  > {
    head + axes.right * x + axes.down * y + axes.forwards * z
  }

  /// Passes what C draws.
  func withPainting<Result>(_ body: (UnsafePointer<painting_figure>) -> Result) -> Result {
    limbs.withUnsafeBufferPointer { limbs in
      var figure = painting_figure()
      figure.left = Self.left
      figure.top = Self.top
      figure.width = Self.width
      figure.height = Self.height
      figure.limbs = limbs.baseAddress
      figure.count = Int32(limbs.count)
      figure.skin = Self.tuple(colors.skin)
      figure.hair = Self.tuple(colors.hair)
      figure.clothes = Self.tuple(colors.clothes)
      figure.iris = Self.tuple(colors.iris)
      figure.head = Self.tuple(SIMD4(head, 0))
      figure.right = Self.tuple(SIMD4(axes.right, 0))
      figure.down = Self.tuple(SIMD4(axes.down, 0))
      figure.forwards = Self.tuple(SIMD4(axes.forwards, 0))
      figure.open = posture.open
      figure.smile = 0.75
      figure.gaze_x = posture.gaze.x
      figure.gaze_y = posture.gaze.y
      figure.fringe = colors.style == .bun || colors.style == .short ? -0.077 : -0.068
      figure.temples = 0.108
      figure.parting = colors.parting
      figure.neckline_x = posture.lean * 0.6
      figure.neckline_y = 0.268
      figure.neckline = 0.058
      return withUnsafePointer(to: &figure, body)
    }
  }

  private static func tuple(_ v: SIMD4<Float>) -> (Float, Float, Float, Float) { (v.x, v.y, v.z, v.w) }

  // MARK: Limbs

  private static func addBody(_ posture: Posture, to list: inout LimbList) {
    let (breath, lean) = (posture.breath, posture.lean)
    for side in [Float(-1), 1] {
      list.add(
        SIMD3(side * 0.060 + lean * 0.4, 0.425 - breath, -0.075), SIMD3(side * 0.050, 0.66, -0.06), 0.125,
        0.115,
        painting_shirt, blend: 0.09, deep: 0.80)
      list.add(
        SIMD3(side * 0.050, 0.66, -0.06), SIMD3(side * 0.062, 1.02, -0.06), 0.115, 0.128, painting_shirt,
        blend: 0.012, deep: 0.80)
      list.add(
        SIMD3(side * 0.030 + lean * 0.5, 0.272 - breath, -0.070),
        SIMD3(side * 0.158 + lean * 0.3, 0.352 - breath, -0.060),
        0.038, 0.055, painting_shirt, blend: 0.06, soft: 0.9)
    }
    list.add(
      SIMD3(-0.03 + lean * 0.5, 0.33 - breath, -0.075), SIMD3(0.03 + lean * 0.5, 0.33 - breath, -0.075),
      0.082, 0.082,
      painting_shirt, blend: 0.06, soft: 0.9)
    list.add(
      SIMD3(lean * 0.85, 0.180, -0.024), SIMD3(lean * 0.6, 0.290 - breath, -0.052), 0.0470, 0.058,
      painting_skin,
      blend: 0.012, soft: 0.3)
  }

  private static func addHead(
    _ style: PersonLook.HairStyle, parting: Float, _ head: SIMD3<Float>, _ axes: Axes, to list: inout LimbList
  ) {
    func at(_ x: Float, _ y: Float, _ z: Float) -> SIMD3<Float> { place(x, y, z, head, axes) }
    for side in [Float(-1), 1] where style != .bob && style != .long {
      list.add(
        at(side * 0.0745, -0.006, -0.018), at(side * 0.0715, 0.022, -0.014), 0.0150, 0.0100, painting_skin,
        blend: 0.004, wide: 0.62)
      list.add(
        at(side * 0.0750, -0.003, -0.010), at(side * 0.0725, 0.016, -0.008), 0.0080, 0.0060, painting_skin,
        blend: 0.001, reach: 0.006, wide: 0.5)
    }
    // The jaw's shadow falls on the neck.
    list.add(
      at(0, -0.022, -0.010), at(0, 0.056, 0.010), 0.0895, 0.0645, painting_head, blend: 0.01, reach: 0.055,
      wide: 0.845)
    list.add(
      at(-0.010, 0.095, 0.034), at(0.010, 0.095, 0.034), 0.0245, 0.0245, painting_head, blend: 0.02, soft: 1)
    for side in [Float(-1), 1] {
      list.add(at(side * 0.035, 0.030, 0.034), 0.036, painting_head, blend: 0.02, soft: 1)
    }
    list.add(
      at(-0.036, -0.030, 0.056), at(0.036, -0.030, 0.056), 0.022, 0.022, painting_head, blend: 0.02, soft: 1)
    for side in [Float(-1), 1] {
      list.add(at(side * 0.0318, -0.004, 0.0580), 0.0165, painting_head, blend: 0.010, soft: 1)
      list.add(at(side * 0.0105, 0.0345, 0.0795), 0.0085, painting_head, blend: 0.008, soft: 0.7)
    }
    list.add(
      at(0, -0.022, 0.0700), at(0, 0.030, 0.0885), 0.0085, 0.0125, painting_head, blend: 0.012, soft: 0.8)
    list.add(
      at(-0.012, 0.064, 0.0660), at(0.012, 0.064, 0.0660), 0.0150, 0.0150, painting_head, blend: 0.012,
      soft: 1)
    guard style != .bald else { return }
    list.add(at(0, -0.034, -0.014), 0.0965, painting_cap, blend: 0.008, wide: 0.855, deep: 1.02)
    if style == .short {
      // Combed up and away from the parting.
      let away: Float = parting < 0 ? 1 : -1
      list.add(
        at(parting * 1.2, -0.104, 0.030), at(away * 0.040, -0.092, 0.028), 0.030, 0.024, painting_hair,
        blend: 0.020)
    }
  }

  private static func addBackHair(
    _ style: PersonLook.HairStyle, _ head: SIMD3<Float>, _ axes: Axes, to list: inout LimbList
  ) {
    func at(_ x: Float, _ y: Float, _ z: Float) -> SIMD3<Float> { place(x, y, z, head, axes) }
    switch style {
    case .short, .bald: break
    case .bun:
      list.add(at(0, -0.118, -0.030), 0.040, painting_hair, blend: 0.004, reach: 0.02)
    case .bob, .long:
      let (end, back): (Float, Float) = style == .bob ? (0.100, -0.040) : (0.240, -0.105)
      for side in [Float(-1), 1] {
        list.add(
          at(side * 0.022, -0.085, -0.055), at(side * 0.066, 0.034, -0.050), 0.038, 0.036, painting_hair,
          blend: 0.02)
        list.add(
          at(side * 0.066, 0.034, -0.050), at(side * 0.066, end, back), 0.036, 0.026, painting_hair,
          blend: 0.02)
      }
      list.add(at(0, 0.02, -0.06), at(0, end * 0.95, back - 0.01), 0.070, 0.060, painting_hair, blend: 0.02)
    }
  }
}
