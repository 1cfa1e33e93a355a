/// How much of each place of a picture belongs to a person: rows of bytes from the top, 0 for nothing and 255 for all.
///
/// It covers the whole picture, mostly in fewer pixels than this has.
package struct PersonMask: Sendable, Hashable {
  package let width: Int
  package let height: Int
  /// `width` times `height` bytes.
  package let alpha: [UInt8]

  /// A mask of so many pixels, at least one.
  package init(width: Int, height: Int, alpha: [UInt8]) {
    precondition(
      width > 0 && height > 0 && alpha.count == width * height, "A mask has a byte for each pixel.")
    self.width = width
    self.height = height
    self.alpha = alpha
  }
}
