package import ImageIO

extension CGImagePropertyOrientation {
  /// The orientation that tells a viewer to turn the picture `rotationAngle` degrees clockwise and then, if asked, to
  /// swap left and right.
  ///
  /// Photos keep the sensor's pixels and say so, as Apple's do. Angles that are no quarter turn count as none.
  package init(rotationAngle: Int, isMirrored: Bool) {
    self =
      switch (((rotationAngle % 360) + 360) % 360, isMirrored) {
      case (90, false): .right
      case (90, true): .leftMirrored
      case (180, false): .down
      case (180, true): .downMirrored
      case (270, false): .left
      case (270, true): .rightMirrored
      case (_, false): .up
      case (_, true): .upMirrored
      }
  }
}
