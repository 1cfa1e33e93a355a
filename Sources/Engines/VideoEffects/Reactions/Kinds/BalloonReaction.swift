internal import Foundation

/// Balloons that rise past the person and sway; two of three are behind.
enum BalloonReaction {
  private static let count = 18

  static func draw(_ moment: ReactionMoment, into list: inout SpriteList) {
    // The farther ones first, for the nearer cover them.
    for index in 0..<count {
      var numbers = moment.numbers(index)
      let nearness = (Float(index) + numbers.next()) / Float(count)
      let isBehind = index * 3 < count * 2
      let radius = moment.unit * mix(0.070, isBehind ? 0.118 : 0.128, nearness)
      // Places in turn from left to right, so that they do not gather; those in front leave the middle free.
      let column = (Float(index) * 0.618_034 + numbers.next(-0.06, 0.06)).truncatingRemainder(dividingBy: 1)
      var x = abs(column)
      if !isBehind { x = x < 0.5 ? x * 0.52 : 1 - (1 - x) * 0.52 }
      let delay = 1.95 * numbers.next()
      let rise = moment.duration - 1.95 - numbers.next(0, 0.2)
      let share = (moment.time - delay) / rise
      let (phase, pace) = (numbers.next(0, 2 * .pi), numbers.next(1.5, 2.2))
      let (swayWidth, color) = (
        moment.unit * numbers.next(0.012, 0.03), (index * 3 + Int(moment.seed % 7)) % Palette.party.count
      )
      guard share > 0, share < 1 else { continue }
      let stringLength = radius * 2.6
      let start = moment.size.y + radius * 1.3
      let end = -radius - stringLength - radius
      // They set off slowly and gain speed.
      let way = 0.72 * share + 0.28 * share * share
      let sway = sinf(moment.time * pace + phase)
      let center = SIMD2(
        mix(radius, moment.size.x - radius, x) + swayWidth * sway, mix(start, end, way))
      let lean = 0.13 * cosf(moment.time * pace + phase)
      var sprites = string(
        from: center, radius: radius, lean: lean, length: stringLength,
        time: moment.time * pace * 1.25 + phase)
      sprites.append(ReactionSprite(.balloon(color), at: center, size: radius * 1.25, angle: lean))
      if isBehind { list.behind += sprites } else { list.front += sprites }
    }
  }

  /// The string as straight pieces along a wave that grows towards its loose end.
  private static func string(
    from center: SIMD2<Float>, radius: Float, lean: Float, length: Float, time: Float
  ) -> [ReactionSprite] {
    let pieces = 11
    let down = turned(direction(lean))
    let knot = center + down * (BalloonShape.knot * radius * 1.22)
    func point(_ piece: Int) -> SIMD2<Float> {
      let share = Float(piece) / Float(pieces)
      let wave = sinf(time - share * 4.6) * share - sinf(time) * 0.25 * share
      // The loose end hangs straight down.
      let axis = down * (1 - share) + SIMD2(0, share)
      return knot + axis * (length * share) + SIMD2(wave * radius * 0.20, 0)
    }
    let width = max(0.9, radius * 0.022)
    return (0..<pieces).map { piece in
      let (upper, lower) = (point(piece), point(piece + 1))
      // Level ends: two pieces meet in one edge, whatever their directions.
      return ReactionSprite(
        .string, at: (upper + lower) / 2, right: SIMD2(width, 0), down: (lower - upper) / 2,
        opacity: 1 - 0.5 * Float(piece) / Float(pieces))
    }
  }
}
