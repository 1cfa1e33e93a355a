internal import Foundation

/// Hearts that stream up from the hands, or from the chest.
enum HeartReaction {
  private static let count = 36

  static func draw(_ moment: ReactionMoment, into list: inout SpriteList) {
    let (unit, size) = (moment.unit, moment.size)
    let source: SIMD2<Float> =
      if let hand = moment.hand {
        hand
      } else if let face = moment.face {
        SIMD2(face.center.x, min(size.y * 0.9, face.center.y + face.size.y * 2.1))
      } else {
        SIMD2(size.x / 2, size.y * 0.74)
      }
    let shining = envelope(moment.time, rise: 0.4, fall: 0.9, end: moment.duration - 0.7)
    list.front.append(ReactionSprite(.glow(1), at: source, size: unit * 0.26, opacity: 0.32 * shining))
    for index in 0..<count {
      var numbers = moment.numbers(index)
      let delay = powf(Float(index) / Float(count), 1.1) * 2.35
      let life = numbers.next(1.25, 1.6)
      let share = (moment.time - delay) / life
      // To both sides, so that the face stays free.
      let angle = -Float.pi / 2 + (index.isMultiple(of: 2) ? -1 : 1) * numbers.next(0.06, 0.72)
      let reach = (unit + size.y) / 2 * numbers.next(0.48, 0.84)
      let (phase, pace) = (numbers.next(0, 2 * .pi), numbers.next(2.5, 4))
      let (half, color) = (
        unit * mix(0.026, 0.062, powf(numbers.next(), 1.5)), numbers.next(below: Palette.hearts.count)
      )
      guard share > 0, share < 1 else { continue }
      // Quick at first, then they float.
      let way = 1 - powf(1 - share, 1.9)
      let sideways = unit * 0.022 * sinf(moment.time * pace + phase) * share
      let center = source + direction(angle) * (reach * way) + SIMD2(sideways, -unit * 0.10 * share * share)
      let grown = spring(share * life, settling: 0.6)
      let beat = 1 + 0.06 * sinf(moment.time * 9 + phase)
      list.front.append(
        ReactionSprite(
          .heart(color), at: center,
          size: max(0, half * grown * beat * mix(1, 0.72, smoothStep(0.6, 1, share))),
          angle: 0.30 * sinf(moment.time * pace * 0.8 + phase), opacity: smoothStep(1, 0.68, share)))
    }
  }
}
