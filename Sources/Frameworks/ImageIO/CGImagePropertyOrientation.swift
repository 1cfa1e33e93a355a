/// The orientation of a picture's stored pixels, in EXIF's numbers.
///
/// The names say where the stored top row belongs: a picture stored `right` has to be turned 90° clockwise.
public enum CGImagePropertyOrientation: UInt32, Sendable, CaseIterable {
  /// As it is.
  case up = 1
  /// Left and right exchanged.
  case upMirrored = 2
  /// Turned by 180°.
  case down = 3
  /// Top and bottom exchanged.
  case downMirrored = 4
  /// Left and right exchanged, then turned 90° anticlockwise.
  case leftMirrored = 5
  /// Turned 90° clockwise.
  case right = 6
  /// Left and right exchanged, then turned 90° clockwise.
  case rightMirrored = 7
  /// Turned 90° anticlockwise.
  case left = 8
}
