internal import CaptureDevice
internal import Foundation

extension Scene {
  /// A still life on a table: depth from 0.5 to 3 m, text, a code, colours, and two things that move;
  /// before the front cameras, a face.
  ///
  /// It stands upright for a phone held upright, whose sensor then lies on its side; it goes on beyond the main camera's
  /// frame, so that an ultra-wide lens has something to see. Stamped, 250 lux. Its pictures are computed, not stored.
  public static let builtIn: Scene = {
    var scene = Scene(seed: 1, lux: 250, isStamped: true, isNoisy: true)
    scene.followsFieldOfView = true
    scene.background = SceneBackground(SceneContent(kind: .drawing(Room(depth: 3))), depth: 3)
    scene.layers = [
      upright(Landscape(), x: 0.24, y: 0.25, width: 0.34, depth: 2.95),
      upright(PrintedPage(page), x: 0.71, y: 0.29, width: 0.42, depth: 2.9),
      upright(Shadow(), x: 0.30, y: 0.735, width: 0.44, depth: 1.6),
      upright(Vase(), x: 0.25, y: 0.56, width: 0.36, depth: 1.6),
      upright(ColorChart(), x: 0.72, y: 0.665, width: 0.40, depth: 1.4),
      upright(Shadow(), x: 0.55, y: 0.835, width: 0.30, depth: 1),
      upright(Ball(red: 0.93, green: 0.52, blue: 0.1, skin: 1), x: 0.53, y: 0.785, width: 0.23, depth: 1),
      upright(Shadow(), x: 0.80, y: 0.895, width: 0.32, depth: 0.7),
      upright(
        Ball(red: 0.42, green: 0.62, blue: 0.14, skin: 0.35, hasStalk: true), x: 0.78, y: 0.84, width: 0.26,
        depth: 0.7),
    ]
    // Its text is far shorter than a code holds, so there is always a code. It lies within what 16:9 frames show, too.
    if let code = try? QRCode("https://en.wikipedia.org/wiki/Camera_obscura") {
      scene.layers.append(upright(code, x: 0.28, y: 0.88, width: 0.27, depth: 0.5))
    }
    scene.layers += [
      swinging(
        Ball(red: 0.2, green: 0.55, blue: 0.3), x: 0.5, y: 0.55, width: 0.09, by: (0.36, 0), period: 3.2,
        depth: 2),
      swinging(
        Ball(red: 0.95, green: 0.78, blue: 0.15), x: 0.455, y: 0.28, width: 0.07, by: (0, 0.18), period: 5.1,
        depth: 2.4),
    ]
    var visitor = upright(Face(), x: 0.5, y: 0.52, width: 0.5, depth: 0.45)
    visitor.position = .front
    scene.layers.append(visitor)
    return scene
  }()

  private static let page = [
    "Camera obscura",
    "",
    "In a dark room with a small",
    "hole in one wall, the world",
    "outside appears on the wall",
    "across from it: upside down,",
    "in full colour, and moving.",
    "",
    "A lens in place of the hole",
    "makes the picture bright; a",
    "mirror sets it upright, and",
    "a sheet of paper keeps what",
    "a steady hand can draw.",
    "",
    "A sensor keeps it without a",
    "hand: 30 times in a second,",
    "1/60 s each, at ISO 194, in",
    "12 192 768 pixels.",
  ]

  /// A thing in the upright picture: `x`, `y` and `width` are fractions of that picture's width, height and width.
  private static func upright(_ drawing: any Drawing, x: Double, y: Double, width: Double, depth: Double)
    -> SceneLayer
  {
    SceneLayer(
      SceneContent(kind: .drawing(drawing)), center: CGPoint(x: y, y: 1 - x), width: width * 0.75, angle: 270,
      depth: depth)
  }

  private static func swinging(
    _ drawing: any Drawing, x: Double, y: Double, width: Double, by way: (x: Double, y: Double),
    period: Double,
    depth: Double
  ) -> SceneLayer {
    var layer = upright(drawing, x: x, y: y, width: width, depth: depth)
    layer.swing = (way.y, -way.x, period)
    return layer
  }
}
