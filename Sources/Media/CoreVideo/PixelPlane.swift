/// One plane of a picture in memory that a ``CVBuffer`` keeps alive.
package struct PixelPlane: @unchecked Sendable, Hashable {  // Safe: just an address.
  /// The first byte of the first row.
  package var baseAddress: UnsafeMutableRawPointer
  /// In columns of this plane.
  package var width: Int
  /// In rows of this plane.
  package var height: Int
  /// From one row to the next, in bytes.
  package var bytesPerRow: Int

  /// A plane of `height` rows, `bytesPerRow` apart, from `baseAddress` on.
  package init(baseAddress: UnsafeMutableRawPointer, width: Int, height: Int, bytesPerRow: Int) {
    self.baseAddress = baseAddress
    self.width = width
    self.height = height
    self.bytesPerRow = bytesPerRow
  }

  /// All rows with their padding, valid as long as the buffer that the plane came from.
  package var bytes: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: baseAddress, count: bytesPerRow * height)
  }

  /// Row `index` with its padding, valid as long as the buffer that the plane came from.
  package func row(_ index: Int) -> UnsafeMutableRawBufferPointer {
    precondition((0..<height).contains(index), "row \(index) is outside a plane of \(height) rows")
    return UnsafeMutableRawBufferPointer(start: baseAddress + index * bytesPerRow, count: bytesPerRow)
  }
}
