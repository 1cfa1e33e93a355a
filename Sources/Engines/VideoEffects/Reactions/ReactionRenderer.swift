package import CoreVideo
internal import Foundation
package import PixelTransforms

/// Draws reactions into pictures.
///
/// What is drawn depends on the scene and the picture alone, never on what was drawn before: frames may be asked for in any
/// order, and the same scene gives the same bytes on any thread. One object serves all streams; it keeps the shapes that it
/// has drawn so far (some ten megabytes). Thread-safe; threads wait for each other only to look up a shape.
package final class ReactionRenderer: Sendable {
  private let store = SpriteStore()

  /// How many shapes are kept.
  package var shapeCount: Int { store.count }

  /// A renderer that has drawn nothing yet.
  package init() {}

  /// Draws the reactions that are going on at the scene's time into a picture.
  ///
  /// `buffer` is a picture of 8 bits in two planes (`420v` or `420f`) of any size, which is changed in place; lengths are
  /// shares of its shorter side. Colours follow its matrix attachment and range. Nothing happens when no reaction is
  /// visible (``ReactionScene/isVisible``).
  ///
  /// Cost, of a picture of 1920×1080 on one core: one to three milliseconds for thumbs, hearts and confetti, four to seven for the
  /// others. The first frames of a kind take some ten more each, for its shapes (``prepare(_:for:)``).
  ///
  /// - Throws: ``PixelTransforms/PixelTransformError/formatUnsupported(_:)`` for another format,
  ///   ``PixelTransforms/PixelTransformError/bufferUnavailable(_:)`` when its memory cannot be locked for writing.
  package func draw(_ scene: ReactionScene, into buffer: CVPixelBuffer) throws(PixelTransformError) {
    guard let encoding = SpriteEncoding(of: buffer) else {
      throw .formatUnsupported(CVPixelBufferGetPixelFormatType(buffer))
    }
    guard scene.isVisible else { return }
    let status = CVPixelBufferLockBaseAddress(buffer, [])
    guard status == kCVReturnSuccess else { throw .bufferUnavailable(status) }
    defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
    guard let canvas = ReactionCanvas(buffer, encoding: encoding) else {
      throw .bufferUnavailable(kCVReturnInvalidArgument)
    }
    let view = ViewerSpace(
      stored: SIMD2(Float(canvas.width), Float(canvas.height)), turn: scene.turn)
    draw(SpriteList(of: scene, view: view), view: view, mask: scene.mask, into: canvas)
  }

  /// Draws the shapes of reactions ahead, so that their first frames take hardly longer than the others.
  ///
  /// For pictures of the size, format and matrix of `buffer`, whose pixels are not touched. Blocks for some hundred
  /// milliseconds for all kinds: call it away from the frames' thread. Does nothing for a format that ``draw(_:into:)`` refuses.
  package func prepare(_ kinds: [ReactionKind] = ReactionKind.allCases, for buffer: CVPixelBuffer) {
    guard let encoding = SpriteEncoding(of: buffer) else { return }
    let size = SIMD2(Float(CVPixelBufferGetWidth(buffer)), Float(CVPixelBufferGetHeight(buffer)))
    let view = ViewerSpace(stored: size, turn: .none)
    for kind in kinds {
      let reaction = Reaction(kind: kind, startNanoseconds: 0, seed: 0)
      // A look at each tenth of a second meets nearly every size that a shape has.
      for time in stride(from: 0, to: kind.durationNanoseconds, by: 100_000_000) {
        let list = SpriteList(of: ReactionScene(reactions: [reaction], timeNanoseconds: time), view: view)
        for sprite in list.behind + list.front { _ = texture(of: sprite, encoding: encoding) }
      }
    }
  }

  private func draw(
    _ list: SpriteList, view: ViewerSpace, mask: PersonMask?, into canvas: ReactionCanvas
  ) {
    let isBehindUsed = !list.behind.isEmpty || !list.light.isEmpty || !list.atmosphere.isClear
    let person = isBehindUsed ? mask.map { WidenedRows($0, over: canvas) } : nil
    defer { person?.deallocate() }
    if !list.light.isEmpty {
      drawLight(list, view: view, person: person, into: canvas)
    } else if !list.atmosphere.isClear {
      canvas.apply(list.atmosphere, light: nil, person: person)
    }
    for sprite in list.behind { draw(view.stored(sprite), behind: person, into: canvas) }
    for sprite in list.front { draw(view.stored(sprite), behind: nil, into: canvas) }
  }

  /// Adds up the light at a small size, for it has no edges, and puts it behind the person.
  private func drawLight(
    _ list: SpriteList, view: ViewerSpace, person: WidenedRows?, into canvas: ReactionCanvas
  ) {
    let divisor = [2, 4, 8].last { min(canvas.width, canvas.height) / $0 >= 90 } ?? 1
    let light = ReactionCanvas(lightOf: canvas, shrunkBy: divisor)
    defer { light.deallocate() }
    for sprite in list.light {
      var small = view.stored(sprite)
      small.center /= Float(divisor)
      small.right /= Float(divisor)
      small.down /= Float(divisor)
      draw(small, behind: nil, into: light)
    }
    if list.haze > 0 { Haze.fill(light, amount: list.haze, time: list.hazeTime) }
    let luma = WidenedRows(
      light.lumaBytes, columns: light.width, rows: light.height, pitch: light.lumaPitch, width: canvas.width,
      height: canvas.height)
    let chroma = WidenedRows(
      light.chromaBytes, columns: light.chromaWidth, rows: light.chromaHeight, pitch: light.chromaPitch,
      channels: 2,
      width: canvas.chromaWidth, height: canvas.chromaHeight)
    defer {
      luma.deallocate()
      chroma.deallocate()
    }
    canvas.apply(list.atmosphere, light: (luma, chroma), person: person)
  }

  private func draw(_ sprite: ReactionSprite, behind person: WidenedRows?, into canvas: ReactionCanvas) {
    canvas.draw(sprite, texture(of: sprite, encoding: canvas.encoding), behind: person)
  }

  private func texture(of sprite: ReactionSprite, encoding: SpriteEncoding) -> SpriteTexture {
    let width = length(sprite.right) / Float(sprite.shape.aspect)
    let extent = 2 * (sprite.shape.isLong ? width : max(width, length(sprite.down)))
    return store.texture(sprite.shape, extent: extent, encoding: encoding)
  }
}

extension WidenedRows {
  /// A mask over a picture.
  fileprivate init(_ mask: PersonMask, over canvas: ReactionCanvas) {
    self = mask.alpha.withUnsafeBufferPointer { bytes in
      WidenedRows(
        bytes, columns: mask.width, rows: mask.height, pitch: mask.width, width: canvas.width,
        height: canvas.height)
    }
  }
}

extension SpriteList {
  /// What the reactions of a scene look like at its time.
  package init(of scene: ReactionScene, view: ViewerSpace) {
    self.init()
    for reaction in scene.reactions where reaction.isGoingOn(at: scene.timeNanoseconds) {
      let moment = ReactionMoment(reaction, at: scene.timeNanoseconds, in: scene, view: view)
      switch reaction.kind {
      case .thumbsUp: ThumbReaction.draw(moment, isUp: true, into: &self)
      case .thumbsDown: ThumbReaction.draw(moment, isUp: false, into: &self)
      case .balloons: BalloonReaction.draw(moment, into: &self)
      case .heart: HeartReaction.draw(moment, into: &self)
      case .fireworks: FireworkReaction.draw(moment, into: &self)
      case .rain: RainReaction.draw(moment, into: &self)
      case .confetti: ConfettiReaction.draw(moment, into: &self)
      case .lasers: LaserReaction.draw(moment, into: &self)
      }
    }
  }
}
