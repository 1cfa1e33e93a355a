internal import Foundation

/// Fireworks in the dark behind the person.
enum FireworkReaction {
  private static let bursts = 6
  private static let climb: Float = 0.62
  private static let life: Float = 1.55

  static func draw(_ moment: ReactionMoment, into list: inout SpriteList) {
    let dark = envelope(moment.time, rise: 0.6, fall: 0.9, end: moment.duration)
    list.atmosphere.dim(background: mix(1, 0.40, dark), person: mix(1, 0.82, dark))
    for index in 0..<bursts { draw(burst: index, moment, into: &list) }
  }

  private static func draw(burst index: Int, _ moment: ReactionMoment, into list: inout SpriteList) {
    var numbers = moment.numbers(1000 * (index + 1))
    let (unit, size) = (moment.unit, moment.size)
    // In turn left and right of the face, the last one above it.
    let side: Float = index.isMultiple(of: 2) ? -1 : 1
    let middle = moment.face?.center.x ?? size.x / 2
    let isLast = index == bursts - 1
    let beside = unit * numbers.next(0.34, 0.62)
    let x = isLast ? middle : clamp(middle + side * beside, size.x * 0.12, size.x * 0.88)
    let center = SIMD2(x, size.y * (isLast ? 0.22 : numbers.next(0.17, 0.42)))
    let radius = unit * (isLast ? 0.42 : numbers.next(0.27, 0.36))
    let start = 0.10 + Float(index) * 0.50 + numbers.next(-0.06, 0.06)
    let (color, second) = ([1, 0, 6, 5, 2, 0][index], [0, 4, 3, 0, 7, 5][index])
    let (spin, lean) = (numbers.next(0, 2 * .pi), numbers.next(-0.10, 0.10))
    let time = moment.time - start
    guard time > 0 else { return }
    if time < climb + 0.12 {
      rocket(time, to: center, lean: lean * unit, moment, into: &list)
    }
    let age = time - climb
    guard age > 0, age < life else { return }
    let flash = expf(-age * 5.5) * smoothStep(0, 0.04, age)
    list.light.append(
      ReactionSprite(
        .glow(color), at: center, size: radius * 2.3, opacity: 0.50 * flash + 0.12 * smoothStep(life, 0, age))
    )
    list.behind.append(ReactionSprite(.glow(7), at: center, size: radius * 0.55, opacity: flash))
    stars(
      age, center: center, radius: radius, colors: (color, second), spin: spin, numbers: &numbers, moment,
      into: &list)
  }

  /// The way up, with sparks that fall behind.
  private static func rocket(
    _ time: Float, to center: SIMD2<Float>, lean: Float, _ moment: ReactionMoment, into list: inout SpriteList
  ) {
    func place(_ time: Float) -> SIMD2<Float> {
      let share = clamp(time / climb)
      let way = 1 - (1 - share) * (1 - share)
      return SIMD2(
        center.x + lean * (1 - way), mix(moment.size.y * 1.06, center.y, way))
    }
    let fade = smoothStep(climb + 0.12, climb - 0.05, time)
    list.behind.append(
      ReactionSprite(
        .comet(0), from: place(time - 0.16), to: place(time) - SIMD2(0, 0.02 * moment.unit),
        width: moment.unit * 0.011, opacity: 0.9 * fade))
  }

  private static func stars(
    _ age: Float, center: SIMD2<Float>, radius: Float, colors: (Int, Int), spin: Float,
    numbers: inout ParticleNumbers, _ moment: ReactionMoment, into list: inout SpriteList
  ) {
    let unit = moment.unit
    let count = 96
    for star in 0..<count {
      // Directions of a ball, evenly: what flies towards the eye stays near the middle.
      let height = 1 - 2 * (Float(star) + 0.5) / Float(count)
      let ring = max(0, 1 - height * height).squareRoot()
      let around = Float(star) * 2.399_963 + spin
      let isInner = star % 4 == 3
      let reach = radius * numbers.next(0.90, 1.05) * (isInner ? 0.55 : 1)
      let heading = SIMD2(ring * cosf(around), height) * reach
      let (ownLife, phase) = (life * numbers.next(0.72, 1), numbers.next(0, 2 * .pi))
      let share = age / ownLife
      guard share < 1 else { continue }
      func place(_ age: Float) -> SIMD2<Float> {
        let age = max(0, age)
        return center + heading * (1 - expf(-3.4 * age)) + SIMD2(0, unit * 0.085 * age * age)
      }
      let here = place(age)
      let twinkle = 1 - 0.65 * smoothStep(0.45, 0.8, share) * (0.5 + 0.5 * sinf(age * 34 + phase))
      let bright = smoothStep(1, 0.45, share) * twinkle * smoothStep(0, 0.12, age)
      let color = isInner ? colors.1 : colors.0
      let width = unit * mix(0.0065, 0.0040, share)
      let tail = place(age - mix(0.22, 0.60, share))
      let ahead = here - tail
      let head = here + ahead / max(length(ahead), 0.1) * width
      list.behind.append(ReactionSprite(.comet(color), from: tail, to: head, width: width, opacity: bright))
      // Glitter that is left behind, and goes out one by one.
      let past = age - 0.10 - 0.35 * numbers.next()
      guard past > 0.05, star.isMultiple(of: 2) else { continue }
      let glint = smoothStep(0.55, 1, sinf(age * 27 + phase * 5)) * smoothStep(1, 0.6, share)
      let place = place(past) + SIMD2(numbers.next(-1, 1), 1 + numbers.next()) * (unit * 0.012)
      list.behind.append(ReactionSprite(.spark(7), at: place, size: unit * 0.0052, opacity: 0.9 * glint))
    }
  }
}
