internal import CaptureDevice
internal import Foundation

/// The geometry of a scene in frames of one size, which frames and depth maps share.
struct SceneGeometry: Sendable {
  /// Of the frame.
  let size: FrameSize
  let world: SimulatedWorld
  /// Layers that this camera can see, back to front.
  let layers: [SceneLayer]
  /// Their places among the scene's layers.
  let numbers: [Int]
  /// The number of layers behind the first that moves: those and the background stand still.
  let stillCount: Int
  /// The magnification of things against the reference, at zoom 1.
  let magnification: Double
  /// The part of people that is shown, of mattes; `nil` shows everything as it is.
  let part: PersonPart?

  init(size: FrameSize, model: SimulatedDeviceModel, world: SimulatedWorld, showing part: PersonPart? = nil) {
    self.size = size
    self.world = world
    self.part = part
    let all = world.scene.layers
    numbers = all.indices.filter { all[$0].position == nil || all[$0].position == model.facts.position }
    layers = numbers.map { all[$0] }
    stillCount = layers.firstIndex { $0.moves } ?? layers.count
    magnification = world.scene.followsFieldOfView ? max(model.magnification, 0.1) : 1
  }

  /// What is painted of a layer or the background at `seconds`.
  func drawing(_ content: SceneContent, at seconds: Double) -> any Drawing {
    shown(content.drawing(at: seconds))
  }

  private func shown(_ drawing: any Drawing) -> any Drawing {
    part.flatMap { PartDrawing(drawing, $0) } ?? drawing
  }

  /// The shift of still things in a frame, to the right and down, in pixels.
  func shift(of moment: FrameMoment) -> (x: Double, y: Double) {
    var shake = world.shake(at: moment.seconds, width: size.width)
    shake.x *= moment.shake * moment.view.zoom
    shake.y *= moment.shake * moment.view.zoom
    return shake
  }

  /// From fractions of the frame to pixels of a canvas.
  private func place(_ point: CGPoint, on canvas: LayerCanvas) -> CGPoint {
    let width = canvas.width
    // The built-in scene is laid out on the whole 4:3 sensor, of which wider frames show the middle.
    let height = world.scene.followsFieldOfView ? width * 0.75 : canvas.height
    return CGPoint(
      x: width / 2 + (point.x - 0.5) * width * magnification * canvas.zoom,
      y: canvas.height / 2 + (point.y - 0.5) * height * magnification * canvas.zoom)
  }

  /// The middle of a layer on a canvas.
  func middle(of layer: SceneLayer, at seconds: Double, on canvas: LayerCanvas) -> CGPoint {
    place(layer.center(at: seconds), on: canvas)
  }

  /// The size of a layer on a canvas, in pixels.
  func extent(_ layer: SceneLayer, on canvas: LayerCanvas) -> (width: Double, height: Double) {
    if let stature = layer.height, layer.content.person != nil {
      let frame = world.scene.followsFieldOfView ? canvas.width * 0.75 : canvas.height
      let drawn = stature * Double(PersonFigure.height / PersonFigure.stature)
      let height = max(drawn * frame * magnification * canvas.zoom, 0.01)
      return (height / PersonDrawing.aspect, height)
    }
    let width = max(layer.width * canvas.width * magnification * canvas.zoom, 0.01)
    return (width, width * (layer.content.aspect ?? 1))
  }

  /// The width of a layer in metres, as the main camera's lens sees it from its depth.
  func metresWide(_ layer: SceneLayer) -> Double { layer.width * layer.depth * Self.widthInOneMetre }

  /// The width of what the main camera sees in a metre's distance: its view is 69.4° wide.
  private static let widthInOneMetre = 1.385

  /// The middle of a layer's face on a canvas: of a person the head's, else the layer's own.
  func faceMiddle(of layer: SceneLayer, at seconds: Double, on canvas: LayerCanvas) -> CGPoint {
    let middle = middle(of: layer, at: seconds, on: canvas)
    guard layer.content.person != nil else { return middle }
    let height = extent(layer, on: canvas).height
    let up =
      (Double(PersonFigure.stature) / 2 - Double(PersonFigure.face.y)) / Double(PersonFigure.height) * height
    let angle = layer.angle * .pi / 180
    return CGPoint(x: middle.x + up * sin(angle), y: middle.y - up * cos(angle))
  }

  /// A layer as a straight lens shows it on a canvas.
  func placed(_ layer: SceneLayer, at seconds: Double, on canvas: LayerCanvas) -> PlacedLayer {
    let (width, height) = extent(layer, on: canvas)
    return PlacedLayer(
      drawing(layer.content, at: seconds), center: place(layer.center(at: seconds), on: canvas),
      width: width, height: height, degrees: layer.angle, frame: canvas.size)
  }

  /// A layer that moves, in the frame as a view shows it: the lens bends its place, but not its outline.
  func placedMoving(_ layer: SceneLayer, at seconds: Double, view: FrameView, shift: (x: Double, y: Double))
    -> PlacedLayer
  {
    let (width, height) = extent(layer, on: LayerCanvas(zoom: view.zoom, frame: size))
    return PlacedLayer(
      drawing(layer.content, at: seconds), center: middle(of: layer, at: seconds, view: view, shift: shift),
      width: width,
      height: height, degrees: layer.angle, frame: size)
  }

  /// The middle of a moving layer in the frame.
  func middle(of layer: SceneLayer, at seconds: Double, view: FrameView, shift: (x: Double, y: Double))
    -> CGPoint
  {
    let canvas = LayerCanvas(zoom: view.zoom, frame: size)
    let middle = bent(place(layer.center(at: seconds), on: canvas), in: view)
    return CGPoint(x: middle.x - shift.x, y: middle.y - shift.y)
  }

  /// The background, which covers the frame whatever its shape.
  func placedBackground(on canvas: LayerCanvas) -> PlacedLayer {
    let drawing = world.scene.background.content.drawing(at: 0)
    var width = canvas.width * magnification * canvas.zoom
    var height = world.scene.followsFieldOfView ? width * 0.75 : canvas.height * canvas.zoom
    if let aspect = drawing.aspect {
      if width * aspect < height { width = height / aspect } else { height = width * aspect }
    }
    let middle = CGPoint(x: canvas.width / 2, y: canvas.height / 2)
    // A picture ends, but the frame must be covered even where a lens sees beyond it: the edge goes on.
    var covering: any Drawing = (drawing as? ScenePicture).map { Endless(picture: $0) } ?? drawing
    if var plain = drawing as? PlainColor {
      plain.isEndless = true
      covering = plain
    }
    return PlacedLayer(
      shown(covering), center: middle, width: width, height: height, degrees: 0, frame: canvas.size,
      isEndless: true)
  }

  // MARK: The lens

  /// A place of the view without bending, as the lens bends it; both in pixels of the frame.
  private func bent(_ point: CGPoint, in view: FrameView) -> CGPoint {
    guard view.bending != 0 else { return point }
    let half = Double(size.width) / 2
    let corner = corner(view)
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

  /// The other way round: from places of the frame as a view shows it to where a straight lens would show the same.
  struct Straightening {
    private let middle: SIMD2<Double>
    /// The factor of a distance from the middle: its value in the middle, and its growth with the square of the distance.
    private let inMiddle: Double
    private let perSquare: Double

    fileprivate init(size: FrameSize, bending: Double, crop: Double, corner: Double) {
      middle = SIMD2(Double(size.width), Double(size.height)) / 2
      inMiddle = 1 / corner
      perSquare = bending / corner / (crop * middle.x * crop * middle.x)
    }

    @inline(__always)
    func callAsFunction(_ place: SIMD2<Double>) -> SIMD2<Double> {
      let distance = place - middle
      return middle + distance * (inMiddle + perSquare * (distance * distance).sum())
    }
  }

  /// The straightening that takes back the bending of a view.
  func straightening(_ view: FrameView) -> Straightening {
    Straightening(size: size, bending: view.bending, crop: view.crop, corner: corner(view))
  }

  private func corner(_ view: FrameView) -> Double {
    let aspect = Double(size.height) / Double(size.width)
    return 1 + view.bending * (1 + aspect * aspect)
  }
}
