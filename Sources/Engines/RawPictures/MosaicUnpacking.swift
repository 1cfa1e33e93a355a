internal import CMosaics
package import CoreVideo

/// The numbers of a mosaic as sensors and drivers store them.
///
/// Stateless and thread-safe.
package enum MosaicUnpacking {
  /// The least bytes of a row.
  ///
  /// - Parameters:
  ///   - bits: 8 to 16.
  ///   - isPacked: Whether 10, 12 or 14 bits lie as MIPI CSI-2 packs them: the upper eight bits of 4, 2 or 4 numbers, then their lower
  ///     ones. Else a number takes one byte up to 8 bits, and two beyond, the lower one first.
  package static func rowBytes(width: Int, bits: Int, isPacked: Bool) -> Int {
    switch (isPacked, bits) {
    case (true, 10): (width + 3) / 4 * 5
    case (true, 12): (width + 1) / 2 * 3
    case (true, 14): (width + 3) / 4 * 7
    default: bits <= 8 ? width : 2 * width
    }
  }

  /// Whether there is such a packing.
  package static func isKnown(bits: Int, isPacked: Bool) -> Bool {
    isPacked ? [10, 12, 14].contains(bits) : (8...16).contains(bits)
  }

  /// Writes the numbers of a mosaic, unscaled, into a buffer of one of the formats `kCVPixelFormatType_14Bayer_…`.
  ///
  /// - Parameters:
  ///   - bytes: Rows, `bytesPerRow` apart.
  ///   - bits: As of ``rowBytes(width:bits:isPacked:)``. Bits above them are cut off.
  /// - Returns: Whether `bytes` held a whole picture; if not, nothing was written.
  package static func unpack(
    _ bytes: UnsafeRawBufferPointer, bytesPerRow: Int, bits: Int, isPacked: Bool, into buffer: CVPixelBuffer
  ) -> Bool {
    let plane = buffer.planes[0]
    let (width, height) = (buffer.width, buffer.height)
    let least = rowBytes(width: width, bits: bits, isPacked: isPacked)
    guard isKnown(bits: bits, isPacked: isPacked), MosaicPattern(buffer.format) != nil, width > 0, height > 0,
      bytesPerRow >= least, bytes.count >= bytesPerRow * (height - 1) + least, let base = bytes.baseAddress
    else { return false }
    withExtendedLifetime(buffer) {
      for row in 0..<height {
        let source = base + row * bytesPerRow
        let target = plane.baseAddress + row * plane.bytesPerRow
        let numbers = target.assumingMemoryBound(to: UInt16.self)
        let packed = source.assumingMemoryBound(to: UInt8.self)
        switch (isPacked, bits) {
        case (true, 10): mosaics_unpack10(packed, numbers, width)
        case (true, 12): mosaics_unpack12(packed, numbers, width)
        case (true, 14): mosaics_unpack14(packed, numbers, width)
        case (_, 8): mosaics_unpack8(packed, numbers, width)
        default:
          target.copyMemory(from: source, byteCount: 2 * width)
          if bits < 16 {
            let mask = UInt16(truncatingIfNeeded: 1 << bits - 1)
            for column in 0..<width { numbers[column] &= mask }
          }
        }
      }
    }
    return true
  }
}
