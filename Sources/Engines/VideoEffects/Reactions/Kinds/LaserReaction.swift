internal import Foundation

/// Beams that sweep through haze behind the person.
enum LaserReaction {
  private struct Lamp {
    /// A share of the picture's size.
    let place: SIMD2<Float>
    /// The middle of its sweep, clockwise from the right.
    let heading: Float
    let beams: Int
    let colors: [Int]
  }

  private static let lamps = [
    Lamp(place: SIMD2(0.10, 1.04), heading: -1.12, beams: 4, colors: [2, 6]),
    Lamp(place: SIMD2(0.90, 1.04), heading: .pi + 1.12, beams: 4, colors: [5, 4]),
    Lamp(place: SIMD2(0.02, -0.04), heading: 0.62, beams: 2, colors: [3, 6]),
    Lamp(place: SIMD2(0.98, -0.04), heading: .pi - 0.62, beams: 2, colors: [4, 5]),
  ]

  static func draw(_ moment: ReactionMoment, into list: inout SpriteList) {
    let (time, unit, size) = (moment.time, moment.unit, moment.size)
    let dark = envelope(time, rise: 0.6, fall: 0.9, end: moment.duration)
    list.atmosphere.dim(background: mix(1, 0.42, dark), person: mix(1, 0.80, dark))
    list.haze = max(list.haze, 0.85)
    list.hazeTime = time
    let far = length(size)
    for (number, lamp) in lamps.enumerated() {
      var numbers = moment.numbers(number)
      let source = lamp.place * size
      let (phase, pace) = (numbers.next(0, 2 * .pi), numbers.next(1.25, 1.7))
      for beam in 0..<lamp.beams {
        let spread = Float(beam) - Float(lamp.beams - 1) / 2
        let open = 0.19 + 0.10 * sinf(time * 1.3 + phase * 2)
        let angle =
          lamp.heading + 0.30 * sinf(time * pace + phase) + spread * open
          + 0.05 * sinf(time * 3.1 + Float(beam) * 1.7)
        let begin = 0.25 + Float(number) * 0.16 + Float(beam) * 0.09
        let end = moment.duration - 0.12 * Float(lamp.beams - 1 - beam)
        let strength = envelope(time - begin, rise: 0.35, fall: 0.6, end: end - begin)
        guard strength > 0 else { continue }
        let color = lamp.colors[beam % lamp.colors.count]
        let reach = far * mix(0.55, 1.08, smoothStep(0, 0.5, time - begin))
        let tip = source + direction(angle) * reach
        list.light.append(
          ReactionSprite(.beam(color), from: source, to: tip, width: unit * 0.085, opacity: 0.55 * strength))
        list.behind.append(
          ReactionSprite(
            .ray(color), from: source, to: tip, width: max(1.2, unit * 0.006), opacity: 0.92 * strength)
        )
      }
      list.light.append(
        ReactionSprite(.glow(lamp.colors[0]), at: source, size: unit * 0.55, opacity: 0.5 * dark))
    }
    // Haze that all lamps light, low in the picture.
    list.light.append(
      ReactionSprite(
        .glow(4), at: SIMD2(size.x / 2, size.y * 0.95), right: SIMD2(size.x * 0.75, 0),
        down: SIMD2(0, size.y * 0.6),
        opacity: 0.30 * dark))
  }
}
