internal import Linux

/// The textures that were made so far, of every shape in the sizes in which it was drawn.
///
/// Thread-safe; two threads that want the same at once both make it, and it is the same.
final class SpriteStore: Sendable {
  private struct Key: Hashable {
    let shape: SpriteShape
    let side: Int
    let encoding: SpriteEncoding
  }

  private struct Contents {
    var textures: [Key: SpriteTexture] = [:]
    var byteCount = 0
  }

  /// All textures of one picture's size take a third of this or less.
  private static let byteLimit = 48 << 20

  private let contents = Locked(Contents())

  /// How many it holds.
  var count: Int { contents.withLock { $0.textures.count } }

  /// The texture of a shape that is `extent` pixels large as it is drawn.
  func texture(_ shape: SpriteShape, extent: Float, encoding: SpriteEncoding) -> SpriteTexture {
    var side = 8
    while side < shape.largestSide, Float(side) < extent * 0.7 { side *= 2 }
    let key = Key(shape: shape, side: side, encoding: encoding)
    if let known = contents.withLock({ $0.textures[key] }) { return known }
    let made = SpriteTexture(
      shape.pixels(side: side), size: SIMD2(side * shape.aspect, side), isLight: shape.isLight,
      encoding: encoding)
    return contents.withLock { contents in
      if contents.byteCount > Self.byteLimit { contents = Contents() }
      if contents.textures.updateValue(made, forKey: key) == nil { contents.byteCount += made.byteCount }
      return made
    }
  }
}
