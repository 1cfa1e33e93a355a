internal import Foundation

/// Confetti that two poppers throw up from the lower corners, and that falls from above; most of it in front.
enum ConfettiReaction {
  private static let count = 240

  static func draw(_ moment: ReactionMoment, into list: inout SpriteList) {
    for index in 0..<count {
      var numbers = moment.numbers(index)
      let nearness = (Float(index) + numbers.next()) / Float(count)
      let isThrown = index % 5 < 3
      let half = moment.unit * mix(0.0095, 0.0215, nearness)
      let (center, fade) =
        isThrown
        ? thrown(moment, isLeft: index % 2 == 0, numbers: &numbers) : falling(moment, numbers: &numbers)
      let (turn, turnPace) = (numbers.next(0, 2 * .pi), numbers.next(-3.2, 3.2))
      let (flip, flipPace) = (numbers.next(0, 2 * .pi), numbers.next(5, 11))
      let color = numbers.next(below: Palette.party.count)
      let kind = numbers.next(below: 8)
      guard fade > 0, center.y < moment.size.y + half * 2, center.y > -half * 2 else { continue }
      let face = cosf(moment.time * flipPace + flip)
      let form: ConfettiForm = kind < 5 ? .strip : kind < 7 ? .disc : .curl
      // The side that faces the light is bright, the other one dark.
      let lit = clamp(0.5 + 0.5 * sinf(moment.time * flipPace + flip + 0.9))
      let shade = Int((lit * Float(ConfettiForm.shadeCount - 1)).rounded())
      let right = direction(turn + turnPace * moment.time) * half * (form == .curl ? 1.7 : 1)
      // A thin edge stays in sight when it is seen from its side.
      let depth = (face < 0 ? -1 : 1) * max(abs(face), 0.10)
      let sprite = ReactionSprite(
        .confetti(form, color: color, shade: shade), at: center, right: right, down: turned(right) * depth,
        opacity: fade)
      if index % 6 == 0 { list.behind.append(sprite) } else { list.front.append(sprite) }
    }
  }

  /// A throw that the air stops soon, and a slow fall.
  private static func thrown(
    _ moment: ReactionMoment, isLeft: Bool, numbers: inout ParticleNumbers
  ) -> (SIMD2<Float>, Float) {
    let (unit, size) = (moment.unit, moment.size)
    let time = moment.time - numbers.next(0, 0.22)
    let side: Float = isLeft ? 1 : -1
    let angle = -Float.pi / 2 + side * numbers.next(0.05, 0.62)
    let reach = numbers.next(0.45, 1.12)
    // Up by a share of the height, across by a share of the width.
    let flight = SIMD2(cosf(angle) * size.x * 1.0, sinf(angle) * size.y * 1.05) * reach
    let fall = unit * numbers.next(0.24, 0.36)
    let (sway, pace, phase) = (unit * numbers.next(0.01, 0.035), numbers.next(2, 4), numbers.next(0, 2 * .pi))
    guard time > 0 else { return (SIMD2(), 0) }
    let braked = 1 - expf(-2.9 * time)
    let settled = smoothStep(0.4, 1.4, time)
    let start = SIMD2(isLeft ? -0.02 * size.x : 1.02 * size.x, size.y * 1.02)
    let center =
      start + flight * braked
      + SIMD2(sway * sinf(time * pace + phase) * settled, fall * max(0, time - 0.35 * braked))
    return (center, smoothStep(0, 0.06, time) * fading(moment))
  }

  private static func falling(_ moment: ReactionMoment, numbers: inout ParticleNumbers) -> (
    SIMD2<Float>, Float
  ) {
    let (unit, size) = (moment.unit, moment.size)
    let time = moment.time - numbers.next(0.15, 1.9)
    let x = size.x * numbers.next(-0.02, 1.02)
    let fall = unit * numbers.next(0.30, 0.46)
    let (sway, pace, phase) = (unit * numbers.next(0.02, 0.05), numbers.next(2, 4), numbers.next(0, 2 * .pi))
    guard time > 0 else { return (SIMD2(), 0) }
    return (SIMD2(x + sway * sinf(time * pace + phase), -0.05 * unit + fall * time), fading(moment))
  }

  private static func fading(_ moment: ReactionMoment) -> Float {
    smoothStep(moment.duration, moment.duration - 0.9, moment.time)
  }
}
