internal import CaptureDevice
internal import CoreVideo
internal import Linux

/// Paints maps of the distances that one device sees, edge to edge with its frames.
///
/// Each map is a pure function of the scene, the device, the shape and the moment, seen exactly as ``FramePainter`` sees the
/// frame of that moment: the distance is that of the nearest layer that is more than half opaque in the middle of the map's
/// pixel, else the background's. What stands still is looked up once, as long as the view does. Thread-safe.
final class DepthPainter: Sendable {
  /// In what shape maps are painted.
  struct Shape: Hashable, Sendable {
    /// Of the frames beside.
    var frame: FrameSize
    var map: FrameSize
    /// One of the four formats of depth and disparity.
    var pixelFormat: OSType
  }

  /// The key of the kept map of still layers: equal keys give equal maps.
  private struct StillKey: Equatable {
    var view: FrameView
    var shiftX: Double
    var shiftY: Double
    /// Places among the layers.
    var visible: [Int]
  }

  private let shape: Shape
  private let geometry: SceneGeometry
  private let encoding: DepthEncoding
  private let sensorID: String
  /// The surface of each layer; of a person it is another in each moment.
  private let surfaces: [Surface]
  private let still = Locked<(key: StillKey, owners: OwnerMap)?>(nil)

  init(_ shape: Shape, model: SimulatedDeviceModel, world: SimulatedWorld) {
    self.shape = shape
    geometry = SceneGeometry(size: shape.frame, model: model, world: world)
    encoding = DepthEncoding(shape.pixelFormat)
    sensorID = model.facts.uniqueID
    // Here, because it takes longer than a frame lasts.
    let geometry = geometry
    surfaces = geometry.numbers.indices.map { index in
      let layer = geometry.layers[index]
      if let relief = layer.content.drawing(at: 0) as? any Relief {
        return .relief(relief, width: Float(geometry.metresWide(layer)))
      }
      return .flat(world.coverage(ofLayer: geometry.numbers[index]))
    }
  }

  private var scene: Scene { geometry.world.scene }

  /// Writes the map of `moment` into a buffer of the painter's shape.
  func paint(_ moment: FrameMoment, into buffer: CVPixelBuffer) {
    let shift = geometry.shift(of: moment)
    let visible = geometry.layers.indices.filter { geometry.layers[$0].isVisible(at: moment.seconds) }
    // Focus and light change nothing here.
    var view = FrameView()
    view.lensZoom = moment.view.lensZoom
    view.crop = moment.view.crop
    view.bending = moment.view.bending
    let standing = stillOwners(
      StillKey(
        view: view, shiftX: shift.x, shiftY: shift.y,
        visible: visible.filter { $0 < geometry.stillCount }))
    let moving = visible.filter { $0 >= geometry.stillCount }.map { index in
      let layer = geometry.layers[index]
      let placed = geometry.placedMoving(layer, at: moment.seconds, view: view, shift: shift)
      return Part(owner: UInt32(index + 1), surface: surfaces[index].now(placed), placed: placed)
    }
    let sensor = sensor(moment)
    let plane = buffer.planes[0]
    var rows = MapRows(geometry: geometry, map: shape.map)
    defer { rows.free() }
    for row in 0..<shape.map.height {
      rows.owners.update(from: standing.row(row), count: shape.map.width)
      rows.relief.update(from: standing.reliefRow(row), count: shape.map.width)
      if moving.contains(where: { rows.touches($0.placed, row) }) {
        rows.place(row)
        for part in moving { rows.mark(part) }
      }
      sensor.measure(rows.owners, relief: rows.relief, count: shape.map.width, row: row, into: rows.metres)
      encoding.write(rows.metres, count: shape.map.width, into: plane.row(row))
    }
  }

  private func sensor(_ moment: FrameMoment) -> DepthSensor {
    let depths = [scene.background.depth] + geometry.layers.map { $0.depth(at: moment.seconds) }
    guard moment.isNoisy && scene.isNoisy else { return DepthSensor(depths: depths) }
    return DepthSensor(
      depths: depths,
      pixelsPerDioptre: DepthSensor.baseline * Double(shape.map.width) * geometry.magnification
        * moment.view.zoom,
      noise: Chance(scene.seed, "depth", UInt64(moment.sequence), whose: sensorID).bits)
  }

  // MARK: What is kept

  private func stillOwners(_ key: StillKey) -> OwnerMap {
    if let kept = still.withLock({ $0 }), kept.key == key { return kept.owners }
    let canvas = LayerCanvas(zoom: key.view.zoom, frame: shape.frame)
    let parts = key.visible.map { index in
      Part(
        owner: UInt32(index + 1), surface: surfaces[index],
        placed: geometry.placed(geometry.layers[index], at: 0, on: canvas))
    }
    let ground = (scene.background.content.drawing(at: 0) as? any Relief).map {
      Part(owner: 0, surface: .relief($0, width: 1), placed: geometry.placedBackground(on: canvas))
    }
    let owners = OwnerMap(shape.map)
    var rows = MapRows(geometry: geometry, map: shape.map)
    defer { rows.free() }
    for row in 0..<shape.map.height {
      rows.owners.update(repeating: 0, count: shape.map.width)
      rows.relief.update(repeating: 0, count: shape.map.width)
      if ground != nil || !parts.isEmpty {
        rows.place(row, view: key.view, shift: (key.shiftX, key.shiftY))
        if let ground { rows.mark(ground) }
        for part in parts { rows.mark(part) }
      }
      owners.row(row).update(from: rows.owners, count: shape.map.width)
      owners.reliefRow(row).update(from: rows.relief, count: shape.map.width)
    }
    still.withLock { $0 = (key, owners) }
    return owners
  }
}

extension DepthPainter {
  /// The surface of a layer: at one distance where it is opaque, or with places that stand out.
  enum Surface {
    case flat(LayerCoverage)
    case relief(any Relief, width: Float)

    /// The surface in the moment in which its layer is placed.
    func now(_ placed: PlacedLayer) -> Surface {
      guard case .relief(_, let width) = self, let drawing = placed.drawing as? any Relief else {
        return self
      }
      return .relief(drawing, width: width)
    }
  }

  /// One layer as it lies in a frame.
  struct Part {
    /// Its number in maps: 0 is the background.
    var owner: UInt32
    var surface: Surface
    var placed: PlacedLayer
  }

  /// The layer that each pixel of a map shows, of those that stand still; 0 is the background, 1 the first layer.
  private final class OwnerMap: @unchecked Sendable {  // Safe because nothing writes once it is kept.
    private let width: Int
    private let owners: UnsafeMutablePointer<UInt32>
    private let relief: UnsafeMutablePointer<Float>

    init(_ size: FrameSize) {
      width = size.width
      owners = .allocate(capacity: size.width * size.height)
      owners.initialize(repeating: 0, count: size.width * size.height)
      relief = .allocate(capacity: size.width * size.height)
      relief.initialize(repeating: 0, count: size.width * size.height)
    }

    deinit {
      owners.deallocate()
      relief.deallocate()
    }

    func row(_ row: Int) -> UnsafeMutablePointer<UInt32> { owners + row * width }
    func reliefRow(_ row: Int) -> UnsafeMutablePointer<Float> { relief + row * width }
  }
}
