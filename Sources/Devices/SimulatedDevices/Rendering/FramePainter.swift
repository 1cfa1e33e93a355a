internal import CaptureDevice
internal import CoreVideo
internal import Dispatch
internal import Foundation
internal import Linux

/// Paints the frames of one device in one shape.
///
/// Each frame is a pure function of the scene, the device, the shape and the moment. What stands still is painted once;
/// moving layers are shifted over it, then the sensor's table gives exposure and noise. Thread-safe.
final class FramePainter: Sendable {
  private struct Cache {
    var still: StaticPicture?
    /// The view of the still picture.
    var view = FrameView()
    var appearances: [LayerAppearance] = []
    /// Layers painted by themselves, for the canvas that was last used.
    var canvas: LayerCanvas?
    var rasters: [Int: LayerRaster] = [:]
    var sprites: [Int: (key: SpriteKey, sprite: Sprite)] = [:]
    var table: SensorTable?
    var balance: BalanceTable?
  }

  private struct SpriteKey: Equatable {
    var zoom: Double
    var appearance: LayerAppearance
    /// Where a person is, and what it does.
    var center: CGPoint?
    var posture: PersonFigure.Posture?
  }

  private let key: PainterKey
  private let model: SimulatedDeviceModel
  private let world: SimulatedWorld
  private let matrix: LumaMatrix
  private let geometry: SceneGeometry
  /// Whether what stands still looks the same at all times.
  private let isTimeless: Bool
  private let cache = Locked(Cache())

  /// Pictures from this size on are painted on all cores; below, the hand-over costs more than it gains.
  private static let parallelPixels = 3_000_000

  /// - Parameter part: The part of people that is shown, white on black, instead of the scene.
  init(
    _ key: PainterKey, model: SimulatedDeviceModel, world: SimulatedWorld, showing part: PersonPart? = nil
  ) {
    self.key = key
    self.model = model
    self.world = world
    matrix = LumaMatrix(uses709: key.uses709, usesP3: key.usesP3)
    geometry = SceneGeometry(size: key.size, model: model, world: world, showing: part)
    isTimeless = geometry.layers[..<geometry.stillCount].allSatisfy { $0.isTimeless }
  }

  private var size: FrameSize { key.size }
  private var layers: [SceneLayer] { geometry.layers }
  private var stillCount: Int { geometry.stillCount }
  private var isMatte: Bool { geometry.part != nil }

  // MARK: Painting

  /// Paints the frame of `moment` into a 420v or 420f buffer of the painter's size.
  func paint(_ moment: FrameMoment, into buffer: CVPixelBuffer) {
    if isMatte { return paintScene(moment, into: buffer) }
    world.paintedPictures.withLock { $0 += 1 }
    if moment.isFlash {
      fill(buffer, luma: key.isFullRange ? 255 : 235)
    } else {
      paintScene(moment, into: buffer)
    }
    if world.scene.isStamped { FrameStamp.draw(moment.sequence, into: buffer) }
  }

  private func fill(_ buffer: CVPixelBuffer, luma: UInt8) {
    for (index, plane) in buffer.planes.enumerated() {
      memset(plane.baseAddress, index == 0 ? Int32(luma) : 128, plane.bytesPerRow * plane.height)
    }
  }

  private func paintScene(_ moment: FrameMoment, into buffer: CVPixelBuffer) {
    let shake = geometry.shift(of: moment)
    let balance = balanceTable(for: moment)
    let rows = RowSource(
      still: stillPicture(moment.view, at: moment.seconds), shift: shake,
      moving: moving(moment.view, at: moment.seconds, shift: shake), balance: balance)
    let table = table(for: moment, balanceGain: balance?.gain ?? 1)
    let noise = Chance(world.scene.seed, "noise", UInt64(moment.sequence), whose: model.facts.uniqueID).bits
    let sensor = SensorRow(table: table, noise: noise)
    let luma = buffer.planes[0]
    let chroma = buffer.planes[1]
    let pairs = chroma.height
    let isParallel = size.width * size.height >= Self.parallelPixels
    let bandCount = isParallel ? min(pairs, 16) : 1
    DispatchQueue.concurrentPerform(iterations: bandCount) { band in
      let range = pairs * band / bandCount..<pairs * (band + 1) / bandCount
      var scratch = rows.makeScratch()
      defer { scratch.free() }
      for pair in range {
        let source = rows.pair(pair, scratch: &scratch)
        let upper = pair * 2
        sensor.expose(source.luma, row: upper, count: luma.width, into: luma.row(upper))
        if upper + 1 < luma.height {
          sensor.expose(source.nextLuma, row: upper + 1, count: luma.width, into: luma.row(upper + 1))
        }
        sensor.exposeChroma(
          source.chroma, luma: source.luma, row: pair, count: chroma.width, into: chroma.row(pair))
      }
    }
  }

  /// The depth at one place in metres: of the nearest layer that is there, else of the background.
  func depth(at point: FramePoint, view: FrameView, seconds: Double) -> Double {
    let canvas = LayerCanvas(zoom: view.zoom, frame: size)
    let x = Double(point.x) * Double(size.width)
    let y = Double(point.y) * Double(size.height)
    for layer in layers.reversed() where layer.isVisible(at: seconds) {
      if geometry.placed(layer, at: seconds, on: canvas).covers(x: x, y: y) {
        return layer.depth(at: seconds)
      }
    }
    return world.scene.background.depth
  }

  /// The middle of the largest layer with a face that lies in view, as a straight lens shows it; `nil` where none does.
  func face(view: FrameView, seconds: Double) -> FramePoint? {
    let canvas = LayerCanvas(zoom: view.zoom, frame: size)
    let middles = layers.filter { $0.isFace && $0.isVisible(at: seconds) }.map { layer in
      (width: layer.width, place: geometry.faceMiddle(of: layer, at: seconds, on: canvas))
    }
    let seen = middles.filter { face in
      (0..<Double(size.width)).contains(face.place.x) && (0..<Double(size.height)).contains(face.place.y)
    }
    return seen.max { $0.width < $1.width }.map {
      FramePoint(x: Float($0.place.x / Double(size.width)), y: Float($0.place.y / Double(size.height)))
    }
  }

  /// Rows of the frame before the sensor, without shake.
  func rows(_ view: FrameView, at seconds: Double) -> RowSource {
    RowSource(
      still: stillPicture(view, at: seconds), shift: (0, 0),
      moving: moving(view, at: seconds, shift: (0, 0)))
  }

  // MARK: What is kept

  private func appearance(_ index: Int, _ layer: SceneLayer, view: FrameView, at seconds: Double)
    -> LayerAppearance
  {
    let depth = layer.depth(at: seconds)
    return LayerAppearance(
      index: index, blur: view.blurPixels(depth: depth, width: size.width),
      light: light(view, depth))
  }

  /// The light on a thing at `depth` metres; a matte knows no light.
  private func light(_ view: FrameView, _ depth: Double) -> SIMD3<Float> {
    isMatte ? .one : view.lightFraction(depth: depth)
  }

  private func backgroundAppearance(_ view: FrameView) -> LayerAppearance {
    let background = world.scene.background
    let isPlain = isMatte || background.content.drawing(at: 0) is PlainColor
    return LayerAppearance(
      index: -1, blur: isPlain ? 0 : view.blurPixels(depth: background.depth, width: size.width),
      light: light(view, background.depth))
  }

  private func stillPicture(_ view: FrameView, at seconds: Double) -> StaticPicture {
    let (kept, keptAppearances) = cache.withLock { ($0.view == view ? $0.still : nil, $0.appearances) }
    if let kept, isTimeless { return kept }
    var appearances = [backgroundAppearance(view)]
    for index in 0..<stillCount where layers[index].isVisible(at: seconds) {
      appearances.append(appearance(index, layers[index], view: view, at: seconds))
    }
    if let kept, appearances == keptAppearances { return kept }
    let picture = makeStillPicture(view, appearances)
    cache.withLock { cache in
      cache.still = picture
      cache.view = view
      cache.appearances = appearances
    }
    return picture
  }

  private func makeStillPicture(_ view: FrameView, _ appearances: [LayerAppearance]) -> StaticPicture {
    if view.crop == 1 && view.bending == 0 && appearances.allSatisfy(\.isPlain) {
      let canvas = LayerCanvas(zoom: view.lensZoom, frame: size)
      return StaticPicture(
        layers: appearances.map { placed($0, on: canvas) }, size: size, matrix: matrix)
    }
    let canvas = LayerCanvas(view, frame: size)
    var rasters = cache.withLock { $0.canvas == canvas ? $0.rasters : [:] }
    // Of layers that are gone nothing is kept.
    rasters = rasters.filter { raster in appearances.contains { $0.index == raster.key } }
    let parts = appearances.map { appearance in
      let raster =
        rasters[appearance.index] ?? LayerRaster(placed(appearance, on: canvas), canvas: canvas.size)
      rasters[appearance.index] = raster
      return ViewRenderer.Part(raster, appearance)
    }
    if !isLarge {
      cache.withLock { cache in
        cache.canvas = canvas
        cache.rasters = rasters
      }
    }
    return ViewRenderer(canvas: canvas, crop: view.crop, bending: view.bending, parts: parts).picture(matrix)
  }

  /// Whether layers are not kept by themselves: those of a full-size picture would fill a hundred megabytes.
  private var isLarge: Bool { size.width * size.height > 9_000_000 }

  private func placed(_ appearance: LayerAppearance, on canvas: LayerCanvas) -> PlacedLayer {
    appearance.index < 0
      ? geometry.placedBackground(on: canvas) : geometry.placed(layers[appearance.index], at: 0, on: canvas)
  }

  private func moving(_ view: FrameView, at seconds: Double, shift: (x: Double, y: Double)) -> [MovingLayer] {
    guard stillCount < layers.count else { return [] }
    let canvas = LayerCanvas(zoom: view.zoom, frame: size)
    let visible = (stillCount..<layers.count).filter { layers[$0].isVisible(at: seconds) }
    forgetSprites(but: visible)
    return visible.map { index in
      let appearance = appearance(index, layers[index], view: view, at: seconds)
      let center = geometry.middle(of: layers[index], at: seconds, view: view, shift: shift)
      if let person = layers[index].content.person {
        let changing = ChangingLayer(
          placed: geometry.placedMoving(layers[index], at: seconds, view: view, shift: shift),
          light: appearance.light, matrix: matrix)
        guard appearance.blur > 0 else { return .changing(changing) }
        let key = SpriteKey(
          zoom: canvas.zoom, appearance: appearance, center: center, posture: person.posture(at: seconds))
        return .sprite(Sprite.Placed(blurred(changing, key), corner: changing.placed, blur: appearance.blur))
      }
      return .sprite(Sprite.Placed(sprite(appearance, on: canvas), center: center))
    }
  }

  /// A person out of focus; kept while it does not move.
  private func blurred(_ layer: ChangingLayer, _ key: SpriteKey) -> Sprite {
    let index = key.appearance.index
    if let kept = cache.withLock({ $0.sprites[index] }), kept.key == key { return kept.sprite }
    let sprite = Sprite(layer, blur: key.appearance.blur)
    cache.withLock { $0.sprites[index] = (key, sprite) }
    return sprite
  }

  /// Lets go of layers that are gone: a scene may have thousands, one after the other.
  private func forgetSprites(but visible: [Int]) {
    let gone = cache.withLock { cache in
      guard cache.sprites.count > visible.count else { return cache.sprites }
      let old = cache.sprites
      cache.sprites = old.filter { visible.contains($0.key) }
      return old
    }
    withExtendedLifetime(gone) {}
  }

  private func sprite(_ appearance: LayerAppearance, on canvas: LayerCanvas) -> Sprite {
    let key = SpriteKey(zoom: canvas.zoom, appearance: appearance)
    if let kept = cache.withLock({ $0.sprites[appearance.index] }), kept.key == key { return kept.sprite }
    let layer = layers[appearance.index]
    let (width, height) = geometry.extent(layer, on: canvas)
    let sprite = Sprite(
      geometry.drawing(layer.content, at: 0), width: width, height: height, degrees: layer.angle,
      matrix: matrix,
      blur: appearance.blur, light: appearance.light)
    cache.withLock { $0.sprites[appearance.index] = (key, sprite) }
    return sprite
  }

  private func balanceTable(for moment: FrameMoment) -> BalanceTable? {
    guard moment.balance != .one else { return nil }
    if let table = cache.withLock({ $0.balance }), table.balance == moment.balance { return table }
    let table = BalanceTable(moment.balance, matrix: matrix)
    cache.withLock { $0.balance = table }
    return table
  }

  private func table(for moment: FrameMoment, balanceGain: Double) -> SensorTable {
    let wanted = SensorTable.Key(
      gain: moment.gain * balanceGain, iso: moment.iso, isNoisy: moment.isNoisy && world.scene.isNoisy,
      isFullRange: key.isFullRange, isHDR: moment.isHDR,
      isGloballyToneMapped: moment.isGloballyToneMapped)
    if let table = cache.withLock({ $0.table }), table.key == wanted { return table }
    let table = SensorTable(wanted)
    cache.withLock { $0.table = table }
    return table
  }
}
