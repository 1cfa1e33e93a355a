package import ImageIO
internal import PixelTransforms

extension CGImagePropertyOrientation {
  /// The orientation that makes a viewer turn the picture `rotationAngle` degrees clockwise and then, if asked, to
  /// swap left and right; see ``OrientationTable``.
  ///
  /// Photos keep the sensor's pixels and say so, as Apple's do. Angles that are no quarter turn count as none.
  package init(rotationAngle: Int, isMirrored: Bool) {
    self = OrientationTable.change(rotation: rotationAngle, isMirrored: isMirrored).exif
  }
}

extension ConnectionSettings {
  /// What remains for a viewer to do with a connection's photo whose pixels are turned already.
  func orientation(after turn: QuarterTurn) -> CGImagePropertyOrientation {
    CGImagePropertyOrientation(rotationAngle: rotation - turn.rawValue, isMirrored: isMirrored)
  }
}
