internal import Foundation

/// A thumb in a bubble, which pops up beside the face and shrinks away.
enum ThumbReaction {
  static func draw(_ moment: ReactionMoment, isUp: Bool, into list: inout SpriteList) {
    let (center, radius) = place(moment)
    let time = moment.time
    let leaving = smoothStep(moment.duration - 0.38, moment.duration, time)
    // A last breath in before it goes.
    let scale = spring(time, settling: 0.75) * (1 + 0.28 * leaving - 1.28 * leaving * leaving * leaving)
    guard scale > 0.01 else { return }
    let sway = SIMD2(sinf(time * 2.1) * 0.012, sinf(time * 2.9 + 1) * 0.022) * radius * 2
    let middle = center + sway
    let present = 1 - smoothStep(0.55, 1, leaving)

    list.front.append(
      ReactionSprite(
        .shadow, at: middle + SIMD2(0, radius * 0.16), size: radius * 1.22 * scale,
        opacity: 0.42 * present * min(1, scale)))
    pulse(moment, around: middle, radius: radius, isUp: isUp, into: &list)
    list.front.append(ReactionSprite(.bubble(isUp: isUp), at: middle, size: radius * scale))

    // The hand comes a moment later and swings into place.
    let hand = spring(time - 0.10, settling: 0.70) * scale
    let swing = (isUp ? -1 : 1) * 0.85 * expf(-3.2 * max(0, time - 0.1)) * cosf(7.5 * max(0, time - 0.1))
    let nod = 0.07 * sinf(time * 4.2) * smoothStep(0.8, 1.4, time)
    let push = SIMD2(Float(0), (isUp ? -1 : 1) * 0.03 * radius * sinf(time * 4.2 + 0.6))
    list.front.append(
      ReactionSprite(
        .shadow, at: middle + push + SIMD2(radius * 0.06, radius * 0.12), size: max(0, radius * 0.78 * hand),
        opacity: 0.32 * present))
    list.front.append(
      ReactionSprite(
        .thumb(isUp: isUp), at: middle + push, size: max(0, radius * 0.80 * hand), angle: swing + nod))
  }

  /// A ring and sparks that leave the bubble as it opens.
  private static func pulse(
    _ moment: ReactionMoment, around middle: SIMD2<Float>, radius: Float, isUp: Bool,
    into list: inout SpriteList
  ) {
    let time = moment.time - 0.16
    guard time > 0, time < 0.8 else { return }
    let share = time / 0.8
    let out = 1 - (1 - share) * (1 - share) * (1 - share)
    let color = isUp ? 6 : 4
    list.front.append(
      ReactionSprite(
        .ring(color), at: middle, size: radius * mix(0.9, 1.55, out), opacity: 0.8 * (1 - share) * (1 - share)
      ))
    for index in 0..<12 {
      var numbers = moment.numbers(index)
      let angle = (Float(index) + numbers.next(-0.3, 0.3)) / 12 * 2 * .pi
      let reach = radius * mix(0.95, numbers.next(1.35, 1.75), out)
      list.front.append(
        ReactionSprite(
          .spark(isUp ? 0 : 5), at: middle + direction(angle) * reach,
          size: radius * numbers.next(0.07, 0.13) * (1 - share * share), opacity: 1 - share * share))
    }
  }

  /// The bubble's middle and radius: beside the face on the gesture's side, inside the picture.
  private static func place(_ moment: ReactionMoment) -> (SIMD2<Float>, Float) {
    let (size, unit) = (moment.size, moment.unit)
    guard let face = moment.face else {
      let radius = unit * 0.15
      if let hand = moment.hand { return (inside(hand - SIMD2(0, radius * 1.6), radius, of: size), radius) }
      return (inside(SIMD2(size.x * 0.74, size.y * 0.28), radius, of: size), radius)
    }
    let radius = clamp(face.size.y * 0.40, unit * 0.13, unit * 0.20)
    let isRight = moment.hand.map { $0.x > face.center.x } ?? (face.center.x < size.x * 0.6)
    let gap = face.size.x * 0.72 + radius * 1.2
    func beside(_ side: Float) -> SIMD2<Float> {
      inside(face.center + SIMD2(side * gap, -face.size.y * 0.22), radius, of: size)
    }
    let (wanted, other) = (beside(isRight ? 1 : -1), beside(isRight ? -1 : 1))
    // At the picture's edge there is no room: the other side must do.
    let isCovering = abs(wanted.x - face.center.x) < face.size.x / 2 + radius * 0.7
    return (
      isCovering && abs(other.x - face.center.x) > abs(wanted.x - face.center.x) ? other : wanted, radius
    )
  }

  private static func inside(_ center: SIMD2<Float>, _ radius: Float, of size: SIMD2<Float>) -> SIMD2<Float> {
    let margin = radius * 1.3
    return SIMD2(
      clamp(center.x, margin, max(margin, size.x - margin)),
      clamp(center.y, margin, max(margin, size.y - margin)))
  }
}
