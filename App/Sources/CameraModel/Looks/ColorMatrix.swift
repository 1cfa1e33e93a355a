import Dispatch

/// Colours that follow from other colours by sums of their parts.
struct ColorMatrix: Sendable {
  /// For red, green and blue: the shares of red, green and blue, and what is added, in 1/4096.
  private let rows: [SIMD4<Int32>]

  /// Fine enough that shares which add up to one do so when they are rounded.
  private static let one = 4096.0

  /// - Parameter rows: For red, green and blue: the shares of red, green and blue, and how many of 255 levels are added.
  init(rows: [(Double, Double, Double, Double)]) {
    self.rows = rows.map { row in
      SIMD4(
        Int32((row.0 * Self.one).rounded()), Int32((row.1 * Self.one).rounded()),
        Int32((row.2 * Self.one).rounded()),
        Int32((row.3 * Self.one).rounded()) + Int32(Self.one / 2))
    }
  }

  /// What becomes of red, green and blue, without limits.
  func changed(_ red: Double, _ green: Double, _ blue: Double) -> [Double] {
    rows.map { row in
      (Double(row.x) * red + Double(row.y) * green + Double(row.z) * blue + Double(row.w)) / Self.one - 0.5
    }
  }

  /// Changes a picture of BGRA in place; large ones on all processors.
  func apply(to base: UnsafeMutableRawPointer, width: Int, height: Int, bytesPerRow: Int) {
    let bands = width * height > 2_000_000 ? 8 : 1
    // Safe because each band has rows of its own.
    nonisolated(unsafe) let base = base
    DispatchQueue.concurrentPerform(iterations: bands) { band in
      for row in height * band / bands..<height * (band + 1) / bands {
        change((base + row * bytesPerRow).assumingMemoryBound(to: UInt8.self), width)
      }
    }
  }

  private func change(_ pixels: UnsafeMutablePointer<UInt8>, _ count: Int) {
    let (red, green, blue) = (rows[0], rows[1], rows[2])
    var pixel = pixels
    for _ in 0..<count {
      let (b, g, r) = (Int32(pixel[0]), Int32(pixel[1]), Int32(pixel[2]))
      pixel[0] = Self.level(blue, r, g, b)
      pixel[1] = Self.level(green, r, g, b)
      pixel[2] = Self.level(red, r, g, b)
      pixel += 4
    }
  }

  @inline(__always)
  private static func level(_ row: SIMD4<Int32>, _ r: Int32, _ g: Int32, _ b: Int32) -> UInt8 {
    let sum = row.x &* r &+ row.y &* g &+ row.z &* b &+ row.w
    return UInt8(truncatingIfNeeded: min(max(sum >> 12, 0), 255))
  }
}
