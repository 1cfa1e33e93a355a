/// The view and the light of one frame: all that decides the place and the sharpness of things, but for the hand's shake.
///
/// Frames with equal views of a scene that stands still have the same picture, which is kept.
struct FrameView: Hashable, Sendable {
  /// The magnification through the lens's whole view, against zoom 1.
  var lensZoom = 1.0
  /// The crop of that view: 2 is the middle half.
  var crop = 1.0
  /// Photosites in a row of the lens's sensor: no frame shows finer detail, however far it is enlarged.
  var photosites = Int.max
  /// The blur circle's diameter, as a fraction of the frame's width, of a thing one dioptre away from the focus.
  var blur = 0.0
  /// One over the distance in metres that is sharp.
  var focusDioptres = 0.0
  /// The bending of straight lines outwards; 0 is straight.
  var bending = 0.0
  /// The lamp's light in a metre's distance over the scene's own.
  var lampShare = 0.0
  /// The lamp's red, green and blue over those of the scene's light, whose white is white; green is 1.
  var lampTint = SIMD3<Double>.one
  /// At how many metres a thing has the light that the exposure counts with.
  var litDepth = 1.0

  /// The magnification of things in the frame, against zoom 1.
  var zoom: Double { lensZoom * crop }

  /// The blur circle's diameter in pixels of a frame `width` pixels wide, for a thing at `depth` metres.
  ///
  /// In steps of a sixteenth, so that views that look equal are equal.
  func blurPixels(depth: Double, width: Int) -> Float {
    guard blur > 0 else { return 0 }
    let diameter = blur * abs(1 / max(depth, 0.01) - focusDioptres) * Double(width)
    // Below a third of a pixel it cannot be seen; above a fifth of the frame nothing can.
    guard diameter > 0.35 else { return 0 }
    return Float((min(diameter, Double(width) / 5) * 16).rounded() / 16)
  }

  /// The red, green and blue of the light on a thing at `depth` metres over the light at ``litDepth``.
  func lightFraction(depth: Double) -> SIMD3<Float> {
    guard lampShare > 0 else { return .one }
    func lamp(_ depth: Double) -> Double { lampShare / (max(depth, 0.1) * max(depth, 0.1)) }
    return SIMD3<Float>((1 + lamp(depth) * lampTint) / (1 + lamp(litDepth)))
  }
}
