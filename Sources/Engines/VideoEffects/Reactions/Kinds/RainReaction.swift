internal import Foundation

/// A stormy night: blue darkness, a cloud, rain before and behind the person, one soft flash.
enum RainReaction {
  static func draw(_ moment: ReactionMoment, into list: inout SpriteList) {
    let (time, unit, size) = (moment.time, moment.unit, moment.size)
    let night = envelope(time, rise: 0.9, fall: 1.0, end: moment.duration)
    var numbers = moment.numbers(0)
    let flashTime = time - numbers.next(1.9, 2.5)
    let flash = flashTime > 0 ? smoothStep(0, 0.10, flashTime) * expf(-max(0, flashTime - 0.1) * 4.5) : 0
    list.atmosphere.dim(
      background: mix(1, mix(0.34, 0.52, flash), night), person: mix(1, mix(0.62, 0.76, flash), night))
    list.atmosphere.backgroundColor *= mix(1, 0.45, night)
    list.atmosphere.personColor *= mix(1, 0.70, night)
    list.atmosphere.tint += SIMD3(-0.05, 0, 0.13) * night
    bolt(moment, age: flashTime, strength: flash, into: &list)
    drops(moment, night: night, into: &list)

    // The clouds sink into the picture, drift, and rise again.
    let sink = smoothStep(0, 1.2, time) * smoothStep(moment.duration, moment.duration - 1.2, time)
    let wide = max(size.x, unit * 1.5) * 0.62
    let half = SIMD2(wide, wide / Float(CloudShape.bankAspect) * 1.05)
    let place = SIMD2(
      size.x / 2 + 0.016 * size.x * (time - moment.duration / 2), mix(-half.y * 1.05, half.y * 0.18, sink))
    list.behind.append(
      ReactionSprite(
        .cloudBank, at: place, right: SIMD2(half.x, 0), down: SIMD2(0, half.y),
        opacity: smoothStep(0, 0.15, sink)))
    for (height, size) in [(Float(0.10), Float(0.95)), (0.45, 0.40)] {
      list.light.append(
        ReactionSprite(
          .glow(7), at: SIMD2(boltTop(moment), unit * height), size: unit * size, opacity: 0.5 * flash * night
        ))
    }
  }

  private static func boltTop(_ moment: ReactionMoment) -> Float {
    var numbers = moment.numbers(1)
    let isLeft = numbers.next() < 0.5
    return moment.size.x * (isLeft ? numbers.next(0.16, 0.28) : numbers.next(0.72, 0.84))
  }

  /// The lightning, from the cloud to the ground, with two branches.
  private static func bolt(
    _ moment: ReactionMoment, age: Float, strength: Float, into list: inout SpriteList
  ) {
    guard age > 0, strength > 0.02 else { return }
    var numbers = moment.numbers(2)
    let unit = moment.unit
    func draw(from start: SIMD2<Float>, pieces: Int, step: SIMD2<Float>, width: Float) -> [SIMD2<Float>] {
      var points = [start]
      for piece in 0..<pieces {
        let jag = unit * numbers.next(-0.022, 0.022)
        let next = start + step * Float(piece + 1) + SIMD2(jag, 0)
        let thin = width * (1 - 0.6 * Float(piece) / Float(pieces))
        let last = points[piece]
        // Level ends: two pieces meet in one edge, whatever their directions.
        list.behind.append(
          ReactionSprite(
            .bolt, at: (last + next) / 2, right: SIMD2(thin, 0), down: (next - last) / 2, opacity: strength))
        points.append(next)
      }
      return points
    }
    let top = SIMD2(boltTop(moment), unit * 0.16)
    let side: Float = top.x < moment.size.x / 2 ? 1 : -1
    let main = draw(
      from: top, pieces: 20, step: SIMD2(side * unit * 0.004, unit * 0.034), width: unit * 0.016)
    _ = draw(from: main[6], pieces: 9, step: SIMD2(-side * unit * 0.020, unit * 0.024), width: unit * 0.010)
    _ = draw(from: main[11], pieces: 8, step: SIMD2(side * unit * 0.022, unit * 0.022), width: unit * 0.009)
  }

  private static func drops(_ moment: ReactionMoment, night: Float, into list: inout SpriteList) {
    let (unit, size) = (moment.unit, moment.size)
    let count = 300
    for index in 0..<count {
      var numbers = moment.numbers(10 + index)
      let nearness = numbers.next()
      let long = unit * mix(0.030, 0.095, nearness * nearness)
      let speed = unit * mix(0.95, 1.9, nearness)
      let top = unit * numbers.next(0.05, 0.24)
      let way = size.y - top + long * 2
      // Each begins to fall when its turn comes, and falls again and again.
      let begin = numbers.next(0.25, 1.4)
      let fallen = (moment.time - begin) * speed / way + numbers.next()
      let slant: Float = -0.13
      let x = numbers.next(-0.02, 1.16) * size.x
      guard moment.time > begin else { continue }
      let share = fallen - fallen.rounded(.down)
      let foot = SIMD2(x + slant * way * share, top + way * share)
      let fade = smoothStep(0, 0.12, share) * smoothStep(begin, begin + 0.3, moment.time)
      let sprite = ReactionSprite(
        .drop, from: foot, to: foot - SIMD2(slant, 1) * long,
        width: max(0.8, unit * mix(0.0014, 0.0036, nearness)),
        opacity: fade * night * mix(0.45, 0.85, nearness))
      if nearness < 0.6 { list.behind.append(sprite) } else { list.front.append(sprite) }
    }
  }
}
