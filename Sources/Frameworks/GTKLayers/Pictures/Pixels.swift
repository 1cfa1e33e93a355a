#if GTKLayers
  /// A picture in memory: rows of premultiplied BGRA.
  public struct Pixels: @unchecked Sendable {
    // Safe because the owner keeps the bytes, and they are not written again.

    /// Pixels of a row.
    public let width: Int
    /// Rows.
    public let height: Int
    /// Bytes from a row to the next.
    public let bytesPerRow: Int
    /// The first byte; valid as long as the owner lives.
    public let base: UnsafeRawPointer
    /// Whether nothing shows through: alpha is not read then.
    public let isOpaque: Bool
    /// The object that keeps the bytes alive.
    public let owner: AnyObject

    /// A picture whose bytes `owner` keeps.
    public init(
      width: Int, height: Int, bytesPerRow: Int, base: UnsafeRawPointer, isOpaque: Bool = true,
      owner: AnyObject
    ) {
      self.width = width
      self.height = height
      self.bytesPerRow = bytesPerRow
      self.base = base
      self.isOpaque = isOpaque
      self.owner = owner
    }
  }
#endif
