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
    /// What the still picture shows.
    var view = FrameView()
    var looks: [LayerLook] = []
    /// Layers painted by themselves, for the canvas that was last used.
    var canvas: Canvas?
    var rasters: [Int: LayerRaster] = [:]
    var sprites: [Int: (key: SpriteKey, sprite: Sprite)] = [:]
    var table: SensorTable?
    var balance: BalanceTable?
  }

  private struct SpriteKey: Equatable {
    var zoom: Double
    var look: LayerLook
  }

  private let key: PainterKey
  private let model: SimulatedDeviceModel
  private let world: SimulatedWorld
  private let matrix: ColorMatrix
  /// Layers that this camera can see, back to front.
  private let layers: [SceneLayer]
  /// How many of them lie behind the first that moves: those and the background stand still.
  private let stillCount: Int
  /// Whether those look the same at all times.
  private let isTimeless: Bool
  private let cache = Locked(Cache())

  /// Pictures from this size on are painted on all cores; below, the hand-over costs more than it gains.
  private static let parallelPixels = 3_000_000

  init(_ key: PainterKey, model: SimulatedDeviceModel, world: SimulatedWorld) {
    self.key = key
    self.model = model
    self.world = world
    matrix = ColorMatrix(uses709: key.uses709, usesP3: key.usesP3)
    layers = world.scene.layers.filter { $0.position == nil || $0.position == model.facts.position }
    stillCount = layers.firstIndex { $0.moves } ?? layers.count
    isTimeless = layers[..<stillCount].allSatisfy { $0.isTimeless }
  }

  // MARK: Geometry

  private var size: FrameSize { key.size }

  /// How many times larger than the reference things appear at zoom 1.
  private var magnification: Double { world.scene.followsFieldOfView ? max(model.magnification, 0.1) : 1 }

  /// From fractions of the frame to pixels of a canvas.
  private func place(_ point: CGPoint, on canvas: Canvas, shift: (x: Double, y: Double)) -> CGPoint {
    let width = canvas.width
    // The built-in scene is laid out on the whole 4:3 sensor, of which wider frames show the middle.
    let height = world.scene.followsFieldOfView ? width * 0.75 : canvas.height
    return CGPoint(
      x: width / 2 + (point.x - 0.5) * width * magnification * canvas.zoom - shift.x,
      y: canvas.height / 2 + (point.y - 0.5) * height * magnification * canvas.zoom - shift.y)
  }

  private func extent(_ layer: SceneLayer, on canvas: Canvas) -> (width: Double, height: Double) {
    let width = max(layer.width * canvas.width * magnification * canvas.zoom, 0.01)
    return (width, width * (layer.content.drawing.aspect ?? 1))
  }

  private func placed(_ layer: SceneLayer, at seconds: Double, on canvas: Canvas) -> PlacedLayer {
    let (width, height) = extent(layer, on: canvas)
    return PlacedLayer(
      layer.content.drawing, center: place(layer.center(at: seconds), on: canvas, shift: (0, 0)),
      width: width, height: height, degrees: layer.angle, frame: canvas.size)
  }

  /// The background, which covers the frame whatever its shape.
  private func placedBackground(on canvas: Canvas) -> PlacedLayer {
    let drawing = world.scene.background.content.drawing
    var width = canvas.width * magnification * canvas.zoom
    var height = world.scene.followsFieldOfView ? width * 0.75 : canvas.height * canvas.zoom
    if let aspect = drawing.aspect {
      if width * aspect < height { width = height / aspect } else { height = width * aspect }
    }
    let middle = CGPoint(x: canvas.width / 2, y: canvas.height / 2)
    // A picture ends, but the frame must be covered even where a lens sees beyond it: the edge goes on.
    var covering: any Drawing = drawing is ScenePicture ? Endless(drawing) : drawing
    if var plain = drawing as? PlainColor {
      plain.isEndless = true
      covering = plain
    }
    return PlacedLayer(
      covering, center: middle, width: width, height: height, degrees: 0, frame: canvas.size, isEndless: true)
  }

  /// A place of the view without bending, as the lens bends it; both in pixels of the frame.
  private func bent(_ point: CGPoint, in view: FrameView) -> CGPoint {
    guard view.bending != 0 else { return point }
    let half = Double(size.width) / 2
    let aspect = Double(size.height) / Double(size.width)
    let corner = 1 + view.bending * (1 + aspect * aspect)
    let x = (point.x - half) / view.crop / half
    let y = (point.y - Double(size.height) / 2) / view.crop / half
    // Where the lens shows it: the radius whose straight one this is, by Newton's steps.
    let straight = (x * x + y * y).squareRoot()
    guard straight > 1e-9 else { return point }
    var radius = straight
    for _ in 0..<6 {
      let error = radius * (1 + view.bending * radius * radius) / corner - straight
      radius -= error / ((1 + 3 * view.bending * radius * radius) / corner)
    }
    let factor = radius / straight * view.crop * half
    return CGPoint(x: half + x * factor, y: Double(size.height) / 2 + y * factor)
  }

  // MARK: Painting

  /// Paints the frame of `moment` into a 420v or 420f buffer of the painter's size.
  func paint(_ moment: FrameMoment, into buffer: CVPixelBuffer) {
    if moment.isFlash {
      fill(buffer, luma: key.isFullRange ? 255 : 235)
    } else {
      paintScene(moment, into: buffer)
    }
    if world.scene.isStamped { FrameStamp.draw(moment.sequence, into: buffer) }
  }

  private func fill(_ buffer: CVPixelBuffer, luma: UInt8) {
    for (index, plane) in buffer.planes.enumerated() {
      plane.baseAddress.initializeMemory(
        as: UInt8.self, repeating: index == 0 ? luma : 128, count: plane.bytesPerRow * plane.height)
    }
  }

  private func paintScene(_ moment: FrameMoment, into buffer: CVPixelBuffer) {
    var shake = world.shake(at: moment.seconds, width: size.width)
    shake.x *= moment.shake * moment.view.zoom
    shake.y *= moment.shake * moment.view.zoom
    let balance = balanceTable(for: moment)
    let rows = RowSource(
      still: stillPicture(moment.view, at: moment.seconds), shift: shake,
      sprites: sprites(moment.view, at: moment.seconds, shift: shake), balance: balance)
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

  /// Writes the depth of every pixel in metres: the nearest layer that is there, else the background.
  func paintDepth(
    _ view: FrameView, seconds: Double, into depths: UnsafeMutablePointer<Float>, stride: Int
  ) {
    let canvas = Canvas(zoom: view.zoom, frame: size)
    let visible = layers.filter { $0.isVisible(at: seconds) }
    let placedLayers = visible.map { (placed($0, at: seconds, on: canvas), Float($0.depth(at: seconds))) }
    for row in 0..<size.height {
      let line = depths + row * stride
      for column in 0..<size.width { line[column] = Float(world.scene.background.depth) }
      for (layer, depth) in placedLayers { layer.stamp(depth: depth, row: row, into: line) }
    }
  }

  /// The depth at one place in metres: of the nearest layer that is there, else of the background.
  func depth(at point: FramePoint, view: FrameView, seconds: Double) -> Double {
    let canvas = Canvas(zoom: view.zoom, frame: size)
    let x = Double(point.x) * Double(size.width)
    let y = Double(point.y) * Double(size.height)
    for layer in layers.reversed() where layer.isVisible(at: seconds) {
      if placed(layer, at: seconds, on: canvas).covers(x: x, y: y) { return layer.depth(at: seconds) }
    }
    return world.scene.background.depth
  }

  /// Rows of the frame before the sensor, without shake.
  func rows(_ view: FrameView, at seconds: Double) -> RowSource {
    RowSource(
      still: stillPicture(view, at: seconds), shift: (0, 0),
      sprites: sprites(view, at: seconds, shift: (0, 0)))
  }

  // MARK: What is kept

  private func look(_ index: Int, _ layer: SceneLayer, view: FrameView, at seconds: Double) -> LayerLook {
    let depth = layer.depth(at: seconds)
    return LayerLook(
      index: index, blur: view.blurPixels(depth: depth, width: size.width),
      light: view.lightFraction(depth: depth))
  }

  private func backgroundLook(_ view: FrameView) -> LayerLook {
    let background = world.scene.background
    let isPlain = background.content.drawing is PlainColor
    return LayerLook(
      index: -1, blur: isPlain ? 0 : view.blurPixels(depth: background.depth, width: size.width),
      light: view.lightFraction(depth: background.depth))
  }

  private func stillPicture(_ view: FrameView, at seconds: Double) -> StaticPicture {
    let (kept, keptLooks) = cache.withLock { ($0.view == view ? $0.still : nil, $0.looks) }
    if let kept, isTimeless { return kept }
    var looks = [backgroundLook(view)]
    for index in 0..<stillCount where layers[index].isVisible(at: seconds) {
      looks.append(look(index, layers[index], view: view, at: seconds))
    }
    if let kept, looks == keptLooks { return kept }
    let picture = makeStillPicture(view, looks)
    cache.withLock { cache in
      cache.still = picture
      cache.view = view
      cache.looks = looks
    }
    return picture
  }

  private func makeStillPicture(_ view: FrameView, _ looks: [LayerLook]) -> StaticPicture {
    if view.crop == 1 && view.bending == 0 && looks.allSatisfy(\.isPlain) {
      let canvas = Canvas(zoom: view.lensZoom, frame: size)
      return StaticPicture(
        layers: looks.map { placed($0, on: canvas) }, size: size, matrix: matrix)
    }
    let canvas = Canvas(view, frame: size)
    var rasters = cache.withLock { $0.canvas == canvas ? $0.rasters : [:] }
    let parts = looks.map { look in
      let raster = rasters[look.index] ?? LayerRaster(placed(look, on: canvas), canvas: canvas.size)
      rasters[look.index] = raster
      return ViewRenderer.Part(raster, look)
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

  private func placed(_ look: LayerLook, on canvas: Canvas) -> PlacedLayer {
    look.index < 0 ? placedBackground(on: canvas) : placed(layers[look.index], at: 0, on: canvas)
  }

  private func sprites(_ view: FrameView, at seconds: Double, shift: (x: Double, y: Double))
    -> [Sprite.Placed]
  {
    guard stillCount < layers.count else { return [] }
    let canvas = Canvas(zoom: view.zoom, frame: size)
    return (stillCount..<layers.count).filter { layers[$0].isVisible(at: seconds) }.map { index in
      let middle = bent(place(layers[index].center(at: seconds), on: canvas, shift: (0, 0)), in: view)
      let look = look(index, layers[index], view: view, at: seconds)
      return Sprite.Placed(
        sprite(look, on: canvas), center: CGPoint(x: middle.x - shift.x, y: middle.y - shift.y))
    }
  }

  private func sprite(_ look: LayerLook, on canvas: Canvas) -> Sprite {
    let key = SpriteKey(zoom: canvas.zoom, look: look)
    if let kept = cache.withLock({ $0.sprites[look.index] }), kept.key == key { return kept.sprite }
    let layer = layers[look.index]
    let (width, height) = extent(layer, on: canvas)
    let sprite = Sprite(
      layer.content.drawing, width: width, height: height, degrees: layer.angle, matrix: matrix,
      blur: look.blur, light: look.light)
    cache.withLock { $0.sprites[look.index] = (key, sprite) }
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

/// A drawing whose edge colours go on for ever.
struct Endless: Drawing {
  let drawing: any Drawing
  var aspect: Double? { drawing.aspect }

  init(_ drawing: any Drawing) {
    self.drawing = drawing
  }

  func color(u: Float, v: Float, pixel: Float) -> SIMD4<Float> {
    drawing.color(u: min(max(u, 0), 1), v: min(max(v, 0), 1), pixel: pixel)
  }
}
