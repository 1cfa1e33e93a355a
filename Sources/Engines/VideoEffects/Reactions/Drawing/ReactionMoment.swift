internal import Foundation
package import PixelTransforms

/// A reaction at a frame's time, in the picture as viewers see it: the origin is its top left corner, y grows downwards.
struct ReactionMoment {
  let kind: ReactionKind
  let seed: UInt64
  /// Seconds since it began, and until its end from there.
  let time: Float
  let duration: Float
  /// The picture's size as it is seen, in pixels.
  let size: SIMD2<Float>
  /// The middle of the gesture, in pixels.
  let hand: SIMD2<Float>?
  /// The middle of the face and its size, in pixels.
  let face: (center: SIMD2<Float>, size: SIMD2<Float>)?

  /// The shorter side: the measure of all lengths.
  var unit: Float { min(size.x, size.y) }

  init(_ reaction: Reaction, at nanoseconds: Int64, in scene: ReactionScene, view: ViewerSpace) {
    kind = reaction.kind
    seed = reaction.seed
    time = Float(Double(nanoseconds - reaction.startNanoseconds) / 1e9)
    duration = Float(Double(reaction.kind.durationNanoseconds) / 1e9)
    size = view.size
    hand = reaction.hand.map { view.seen(unit: $0) }
    face = scene.face.map { face in
      let one = view.seen(unit: CGPoint(x: face.minX, y: face.minY))
      let other = view.seen(unit: CGPoint(x: face.maxX, y: face.maxY))
      return ((one + other) / 2, SIMD2(abs(one.x - other.x), abs(one.y - other.y)))
    }
  }

  /// Numbers of one particle.
  func numbers(_ particle: Int) -> ParticleNumbers { ParticleNumbers(seed: seed, particle: particle) }
}

/// The relation between a stored picture and the same as viewers see it.
package struct ViewerSpace {
  let stored: SIMD2<Float>
  let turn: QuarterTurn

  /// A picture of that size as it is stored, in pixels.
  package init(stored: SIMD2<Float>, turn: QuarterTurn) {
    (self.stored, self.turn) = (stored, turn)
  }

  /// The size as it is seen.
  package var size: SIMD2<Float> { turn.isTransposing ? SIMD2(stored.y, stored.x) : stored }

  /// Where a place of the stored picture, 0 to 1, is seen, in pixels.
  func seen(unit place: CGPoint) -> SIMD2<Float> {
    let point = SIMD2(Float(place.x), Float(place.y)) * stored
    return switch turn {
    case .none: point
    case .clockwise90: SIMD2(stored.y - point.y, point.x)
    case .half: stored - point
    case .clockwise270: SIMD2(point.y, stored.x - point.x)
    }
  }

  /// The same sprite in the stored picture.
  func stored(_ sprite: ReactionSprite) -> ReactionSprite {
    var moved = sprite
    moved.right = stored(vector: sprite.right)
    moved.down = stored(vector: sprite.down)
    moved.center =
      switch turn {
      case .none: sprite.center
      case .clockwise90: SIMD2(sprite.center.y, stored.y - sprite.center.x)
      case .half: stored - sprite.center
      case .clockwise270: SIMD2(stored.x - sprite.center.y, sprite.center.x)
      }
    return moved
  }

  private func stored(vector: SIMD2<Float>) -> SIMD2<Float> {
    switch turn {
    case .none: vector
    case .clockwise90: SIMD2(vector.y, -vector.x)
    case .half: -vector
    case .clockwise270: SIMD2(-vector.y, vector.x)
    }
  }
}
