internal import CPainting

/// A drawing whose places are not all equally far away.
protocol Relief: Drawing {
  /// Writes how many metres each place stands out from the layer's depth towards the camera.
  ///
  /// - Parameters:
  ///   - run: As for ``Drawing/paint(_:over:count:)``.
  ///   - width: The drawing's width in metres.
  ///   - metres: NaN where the drawing is half opaque or less.
  func relief(_ run: painting_run, width: Float, into metres: UnsafeMutablePointer<Float>, count: Int)
}

extension Relief {
  /// How far one place stands out.
  func relief(u: Float, v: Float, pixel: Float, width: Float) -> Float {
    var metres: Float = .nan
    relief(painting_run(u: u, v: v, du: 0, dv: 0, pixel: pixel), width: width, into: &metres, count: 1)
    return metres
  }
}
