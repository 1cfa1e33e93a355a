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
    var stillLayers: [Int] = []
    var sprites: [Int: Sprite] = [:]
    var table: SensorTable?
  }

  private let key: PainterKey
  private let model: SimulatedDeviceModel
  private let world: SimulatedWorld
  private let matrix: ColorMatrix
  /// Layers that this camera can see, back to front.
  private let layers: [SceneLayer]
  /// How many of them lie behind the first that moves: those and the background stand still.
  private let stillCount: Int
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
  }

  // MARK: Geometry

  private var size: FrameSize { key.size }

  /// How many times larger than the reference things appear.
  private var magnification: Double { world.scene.followsFieldOfView ? max(model.magnification, 0.1) : 1 }

  /// From fractions of the frame to pixels.
  private func place(_ point: CGPoint, shift: (x: Double, y: Double)) -> CGPoint {
    let width = Double(size.width)
    // The built-in scene is laid out on the whole 4:3 sensor, of which wider frames show the middle.
    let height = world.scene.followsFieldOfView ? width * 0.75 : Double(size.height)
    return CGPoint(
      x: width / 2 + (point.x - 0.5) * width * magnification - shift.x,
      y: Double(size.height) / 2 + (point.y - 0.5) * height * magnification - shift.y)
  }

  private func extent(_ layer: SceneLayer) -> (width: Double, height: Double) {
    let width = max(layer.width * Double(size.width) * magnification, 0.01)
    return (width, width * (layer.content.drawing.aspect ?? 1))
  }

  private func placed(_ layer: SceneLayer, at seconds: Double) -> PlacedLayer {
    let (width, height) = extent(layer)
    return PlacedLayer(
      layer.content.drawing, center: place(layer.center(at: seconds), shift: (0, 0)), width: width,
      height: height, degrees: layer.angle, frame: size)
  }

  /// The background, which covers the frame whatever its shape.
  private var placedBackground: PlacedLayer {
    let drawing = world.scene.background.content.drawing
    var width = Double(size.width) * magnification
    var height = (world.scene.followsFieldOfView ? width * 0.75 : Double(size.height))
    if let aspect = drawing.aspect {
      if width * aspect < height { width = height / aspect } else { height = width * aspect }
    }
    let middle = CGPoint(x: Double(size.width) / 2, y: Double(size.height) / 2)
    // A picture ends, but the frame must be covered even where a lens sees beyond it: the edge goes on.
    let covering: any Drawing = drawing is ScenePicture ? Endless(drawing) : drawing
    return PlacedLayer(
      covering, center: middle, width: width, height: height, degrees: 0, frame: size, isEndless: true)
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
    let shake = world.shake(at: moment.seconds, width: size.width)
    let rows = RowSource(
      still: stillPicture(at: moment.seconds), shift: shake,
      sprites: sprites(at: moment.seconds, shift: shake))
    let table = table(for: moment)
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
  func paintDepth(seconds: Double, into depths: UnsafeMutablePointer<Float>, stride: Int) {
    let visible = layers.filter { $0.isVisible(at: seconds) }
    let placedLayers = visible.map { (placed($0, at: seconds), Float($0.depth(at: seconds))) }
    for row in 0..<size.height {
      let line = depths + row * stride
      for column in 0..<size.width { line[column] = Float(world.scene.background.depth) }
      for (layer, depth) in placedLayers { layer.stamp(depth: depth, row: row, into: line) }
    }
  }

  // MARK: What is kept

  private func stillPicture(at seconds: Double) -> StaticPicture {
    let visible = (0..<stillCount).filter { layers[$0].isVisible(at: seconds) }
    let kept = cache.withLock { $0.stillLayers == visible ? $0.still : nil }
    if let kept { return kept }
    let picture = StaticPicture(
      layers: [placedBackground] + visible.map { placed(layers[$0], at: 0) }, size: size, matrix: matrix)
    cache.withLock { cache in
      cache.still = picture
      cache.stillLayers = visible
    }
    return picture
  }

  private func sprites(at seconds: Double, shift: (x: Double, y: Double)) -> [Sprite.Placed] {
    (stillCount..<layers.count).filter { layers[$0].isVisible(at: seconds) }.map { index in
      Sprite.Placed(sprite(index), center: place(layers[index].center(at: seconds), shift: shift))
    }
  }

  private func sprite(_ index: Int) -> Sprite {
    if let sprite = cache.withLock({ $0.sprites[index] }) { return sprite }
    let (width, height) = extent(layers[index])
    let sprite = Sprite(
      layers[index].content.drawing, width: width, height: height, degrees: layers[index].angle,
      matrix: matrix)
    cache.withLock { $0.sprites[index] = sprite }
    return sprite
  }

  private func table(for moment: FrameMoment) -> SensorTable {
    let wanted = SensorTable.Key(
      gain: moment.gain, iso: moment.iso, isNoisy: moment.isNoisy && world.scene.isNoisy,
      isFullRange: key.isFullRange)
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
