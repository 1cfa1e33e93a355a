internal import CReactions

/// A small plane of bytes, widened to a picture's width: each row of the picture is then a mean of two of its rows.
///
/// A mask or light of some hundred pixels is widened once for a frame; the mean down the rows is left to the loops that read it.
struct WidenedRows {
  let rows: reactions_mask
  private let memory: UnsafeMutablePointer<UInt8>

  /// Widens `plane` to `width` columns, with the values between bytes on the straight line from one to the next.
  ///
  /// - Parameters:
  ///   - plane: `columns` pixels of `channels` bytes (one or two) in each row, `pitch` bytes apart.
  ///   - height: The rows of the picture that is covered.
  ///
  /// The memory is the caller's to give back (``deallocate()``).
  init(
    _ plane: UnsafeBufferPointer<UInt8>, columns: Int, rows: Int, pitch: Int, channels: Int = 1, width: Int,
    height: Int
  ) {
    let wide = width * channels
    memory = .allocate(capacity: wide * rows)
    self.rows = reactions_mask(bytes: memory, pitch: wide, rows: Int32(rows), height: Int32(height))
    // A copy of a row, with its last pixel once more: the loop reads pairs of pixels, four bytes at once.
    let row = UnsafeMutablePointer<UInt8>.allocate(capacity: (columns + 3) * channels)
    let places = UnsafeMutablePointer<Int32>.allocate(capacity: width)
    defer {
      row.deallocate()
      places.deallocate()
    }
    for x in 0..<width {
      let place = (Float(x) + 0.5) * Float(columns) / Float(width) - 0.5
      places[x] = Int32(clamp(place, 0, Float(columns - 1)) * 128)
    }
    for y in 0..<rows {
      for byte in 0..<columns * channels { row[byte] = plane[y * pitch + byte] }
      for byte in columns * channels..<(columns + 3) * channels { row[byte] = row[byte - channels] }
      reactions_widen(row, places, memory + y * wide, width, Int32(channels))
    }
  }

  func deallocate() { memory.deallocate() }
}
