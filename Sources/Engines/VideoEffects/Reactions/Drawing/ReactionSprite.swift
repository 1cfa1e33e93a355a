/// One shape at one place.
package struct ReactionSprite {
  package let shape: SpriteShape
  /// The middle, in pixels.
  package var center: SIMD2<Float>
  /// From the middle to the shape's right edge and to its lower edge, in pixels: they turn, scale and lean it.
  var right: SIMD2<Float>
  package var down: SIMD2<Float>
  /// 0 to 1.
  var opacity: Float

  init(
    _ shape: SpriteShape, at center: SIMD2<Float>, right: SIMD2<Float>, down: SIMD2<Float>, opacity: Float = 1
  ) {
    self.shape = shape
    self.center = center
    self.right = right
    self.down = down
    self.opacity = opacity
  }

  /// An upright one, or one that is turned clockwise; `size` is half its side.
  init(
    _ shape: SpriteShape, at center: SIMD2<Float>, size: Float, angle: Float = 0, opacity: Float = 1
  ) {
    let right = direction(angle) * size
    self.init(shape, at: center, right: right, down: turned(right), opacity: opacity)
  }

  /// One that is stretched from the place of its lower edge to that of its upper edge; `width` is half its width.
  init(
    _ shape: SpriteShape, from tail: SIMD2<Float>, to head: SIMD2<Float>, width: Float, opacity: Float = 1
  ) {
    let half = (tail - head) / 2
    let span = max(length(half), 0.01)
    self.init(
      shape, at: (tail + head) / 2, right: SIMD2(half.y, -half.x) / span * width, down: half,
      opacity: opacity)
  }
}
