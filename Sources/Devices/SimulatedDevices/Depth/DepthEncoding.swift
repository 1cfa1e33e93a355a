internal import CoreVideo

/// How distances are written in a map.
struct DepthEncoding: Sendable {
  private let isDisparity: Bool
  private let isHalf: Bool

  /// One of the four formats of depth and disparity.
  init(_ pixelFormat: OSType) {
    isDisparity =
      pixelFormat == kCVPixelFormatType_DisparityFloat16 || pixelFormat == kCVPixelFormatType_DisparityFloat32
    isHalf =
      pixelFormat == kCVPixelFormatType_DepthFloat16 || pixelFormat == kCVPixelFormatType_DisparityFloat16
  }

  /// Writes a row of distances in metres, which it uses up.
  func write(
    _ metres: UnsafeMutablePointer<Float>, count: Int, into row: UnsafeMutableRawBufferPointer
  ) {
    guard let base = row.baseAddress else { return }
    if isDisparity { for column in 0..<count { metres[column] = 1 / metres[column] } }
    if isHalf {
      let target = base.assumingMemoryBound(to: UInt16.self)
      for column in 0..<count { target[column] = Self.half(metres[column]) }
    } else {
      base.assumingMemoryBound(to: Float.self).update(from: metres, count: count)
    }
  }

  /// The IEEE half nearest to a number from 0 on, the even one of two; written out because `Float16` needs hardware that
  /// Linux on x86-64 may not have.
  @inline(__always)
  static func half(_ value: Float) -> UInt16 {
    let bits = value.bitPattern
    // From 65536 on there is only infinity.
    if bits >= 143 << 23 { return value.isNaN ? 0x7E00 : 0x7C00 }
    if bits < 113 << 23 {
      // Below the least normal half: adding a half lets the hardware round to the last bit that such a number has.
      return UInt16(truncatingIfNeeded: (value + 0.5).bitPattern &- Float(0.5).bitPattern)
    }
    let isOdd = (bits >> 13) & 1
    return UInt16(truncatingIfNeeded: (bits &- 112 << 23 &+ 0xFFF &+ isOdd) >> 13)
  }
}
