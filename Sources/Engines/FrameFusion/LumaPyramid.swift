internal import CFusion

/// A frame's luma, and halved again and again in 8 bits.
final class LumaPyramid: @unchecked Sendable {  // Safe: written before it is read.
  /// From full size on; the first is the frame's own memory, unless that is the only one and has more than 8 bits.
  let levels: [fusion_plane]
  private let memory: UnsafeMutablePointer<UInt8>?

  /// The longest side of the last level, in pixels.
  static let smallest = 48

  /// An empty pyramid of the right sizes; ``fill(_:with:)`` fills it.
  init(_ luma: fusion_plane) {
    var sizes: [(width: Int, height: Int)] = []
    var (width, height) = (Int(luma.width), Int(luma.height))
    let isNarrowed = luma.bytes != 1 && max(width, height) <= Self.smallest
    if isNarrowed { sizes.append((width, height)) }
    while max(width, height) > Self.smallest {
      (width, height) = ((width + 1) / 2, (height + 1) / 2)
      sizes.append((width, height))
    }
    func stride(_ width: Int) -> Int { (width + 63) / 64 * 64 }
    let bytes = sizes.reduce(0) { $0 + stride($1.width) * $1.height }
    let memory = bytes > 0 ? UnsafeMutablePointer<UInt8>.allocate(capacity: bytes) : nil
    var levels = isNarrowed ? [] : [luma]
    if var place = memory {
      for size in sizes {
        levels.append(
          fusion_plane(
            base: place, stride: stride(size.width), width: Int32(size.width), height: Int32(size.height),
            bytes: 1, step: 1))
        place += stride(size.width) * size.height
      }
    }
    self.levels = levels
    self.memory = memory
  }

  deinit { memory?.deallocate() }

  /// Fills the levels from `luma`, in strips.
  func fill(from luma: fusion_plane, with work: RowWork) {
    if levels[0].bytes != luma.bytes {
      let target = levels[0]
      work.forEachStrip(rows: Int(target.height), height: 128) { rows in
        withUnsafePointer(to: luma) { source in
          withUnsafePointer(to: target) {
            fusion_narrow(source, $0, Int32(rows.lowerBound), Int32(rows.upperBound))
          }
        }
      }
    }
    for level in levels.indices.dropFirst() {
      let (source, target) = (levels[level - 1], levels[level])
      work.forEachStrip(rows: Int(target.height), height: 128) { rows in
        withUnsafePointer(to: source) { source in
          withUnsafePointer(to: target) {
            fusion_halve(source, $0, Int32(rows.lowerBound), Int32(rows.upperBound))
          }
        }
      }
    }
  }
}
