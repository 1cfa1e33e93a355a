/// A picture in memory: rows of premultiplied BGRA.
public struct Pixels: @unchecked Sendable {  // Safe because the owner keeps the bytes, and they are not written again.
  public let width: Int
  public let height: Int
  public let bytesPerRow: Int
  /// The first byte; valid as long as the owner lives.
  public let base: UnsafeRawPointer
  /// What keeps the bytes.
  public let owner: AnyObject

  /// A picture whose bytes `owner` keeps.
  public init(width: Int, height: Int, bytesPerRow: Int, base: UnsafeRawPointer, owner: AnyObject) {
    self.width = width
    self.height = height
    self.bytesPerRow = bytesPerRow
    self.base = base
    self.owner = owner
  }
}
