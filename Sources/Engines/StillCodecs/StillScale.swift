/// By how much a picture is made smaller while it is decoded, so that what is asked for decides the memory.
///
/// A JPEG's details are never computed; a PNG is averaged row by row.
public enum StillScale: Int, Sendable, CaseIterable {
  /// Every pixel.
  case full = 1
  /// One pixel of four.
  case half = 2
  /// One pixel of 16.
  case quarter = 4
  /// One pixel of 64.
  case eighth = 8

  /// The size of a picture of `width` by `height` pixels: rounded up.
  public func size(width: Int, height: Int) -> (width: Int, height: Int) {
    ((width + rawValue - 1) / rawValue, (height + rawValue - 1) / rawValue)
  }
}
