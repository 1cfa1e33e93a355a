internal import DepthMaps
internal import FoundationExtras

/// The encoding of distances in a map.
struct DepthEncoding: Sendable {
  private let isDisparity: Bool
  private let isHalf: Bool

  /// One of the four formats of depth and disparity; any other is metres in singles.
  init(_ pixelFormat: OSType) {
    let format = DepthFormat(pixelFormat)
    isDisparity = format?.quantity == .disparity
    isHalf = format?.isHalf == true
  }

  /// Writes a row of distances in metres, which it uses up.
  func write(
    _ metres: UnsafeMutablePointer<Float>, count: Int, into row: UnsafeMutableRawBufferPointer
  ) {
    guard let base = row.baseAddress else { return }
    if isDisparity { for column in 0..<count { metres[column] = 1 / metres[column] } }
    if isHalf {
      HalfFloat.write(
        UnsafeBufferPointer(start: metres, count: count), to: base.assumingMemoryBound(to: UInt16.self))
    } else {
      base.assumingMemoryBound(to: Float.self).update(from: metres, count: count)
    }
  }
}
