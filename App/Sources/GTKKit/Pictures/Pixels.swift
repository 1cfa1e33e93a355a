/// A picture in memory: rows of premultiplied BGRA.
package struct Pixels: @unchecked Sendable {
  // Safe because the owner keeps the bytes, and they are not written again.

  package let width: Int
  package let height: Int
  package let bytesPerRow: Int
  /// The first byte; valid as long as the owner lives.
  package let base: UnsafeRawPointer
  /// What keeps the bytes.
  package let owner: AnyObject

  /// A picture whose bytes `owner` keeps.
  package init(width: Int, height: Int, bytesPerRow: Int, base: UnsafeRawPointer, owner: AnyObject) {
    self.width = width
    self.height = height
    self.bytesPerRow = bytesPerRow
    self.base = base
    self.owner = owner
  }
}
