import AVFoundation

/// A ``ColorMatrix`` for Y'CbCr pictures of video range, 4:2:0.
///
/// The conversions to RGB and back are linear, too, so that all three are one matrix.
struct VideoColorMatrix: Sendable {
  /// For Y', Cb and Cr: the shares of Y', Cb and Cr, and what is added, in 1/4096.
  private let rows: [SIMD4<Int32>]
  private static let one = 4096.0

  /// - Parameter coding: A value of `kCVImageBufferYCbCrMatrixKey`; `nil` is that of high definition.
  init(_ matrix: ColorMatrix, coding: String?) {
    let (red, blue) =
      if coding == kCVImageBufferYCbCrMatrix_ITU_R_601_4 as String {
        (0.299, 0.114)
      } else if coding == kCVImageBufferYCbCrMatrix_ITU_R_2020 as String {
        (0.2627, 0.0593)
      } else {
        (0.2126, 0.0722)
      }
    /// What becomes of Y', Cb and Cr, without limits.
    func changed(_ y: Double, _ cb: Double, _ cr: Double) -> [Double] {
      let light = (y - 16) * 255 / 219
      let r = light + 2 * (1 - red) * (cr - 128) * 255 / 224
      let b = light + 2 * (1 - blue) * (cb - 128) * 255 / 224
      let g = (light - red * r - blue * b) / (1 - red - blue)
      let new = matrix.changed(r, g, b)
      let newLight = red * new[0] + (1 - red - blue) * new[1] + blue * new[2]
      return [
        16 + newLight * 219 / 255, 128 + (new[2] - newLight) / (2 * (1 - blue)) * 224 / 255,
        128 + (new[0] - newLight) / (2 * (1 - red)) * 224 / 255,
      ]
    }
    let zero = changed(0, 0, 0)
    let (y, cb, cr) = (changed(1, 0, 0), changed(0, 1, 0), changed(0, 0, 1))
    rows = (0..<3).map { row in
      func share(_ value: Double) -> Int32 { Int32((value * Self.one).rounded()) }
      return SIMD4(
        share(y[row] - zero[row]), share(cb[row] - zero[row]), share(cr[row] - zero[row]),
        share(zero[row]) + Int32(Self.one / 2))
    }
  }

  /// Writes a picture's new colours into another of the same size.
  func apply(from: FilmLook.Planes, to: FilmLook.Planes, width: Int, height: Int) {
    for row in 0..<height {
      changeLuma(
        from.luma + row * from.lumaBytesPerRow, from.chroma + row / 2 * from.chromaBytesPerRow,
        to.luma + row * to.lumaBytesPerRow, width)
    }
    for row in 0..<(height + 1) / 2 {
      let below = min(2 * row + 1, height - 1)
      changeChroma(
        from.luma + 2 * row * from.lumaBytesPerRow, from.luma + below * from.lumaBytesPerRow,
        from.chroma + row * from.chromaBytesPerRow, to.chroma + row * to.chromaBytesPerRow, width)
    }
  }

  private func changeLuma(
    _ luma: UnsafePointer<UInt8>, _ chroma: UnsafePointer<UInt8>, _ new: UnsafeMutablePointer<UInt8>,
    _ width: Int
  ) {
    let row = rows[0]
    for pair in 0..<width / 2 {
      let place = 2 * pair
      let rest = row.y &* Int32(chroma[place]) &+ row.z &* Int32(chroma[place + 1]) &+ row.w
      new[place] = Self.level(row.x &* Int32(luma[place]) &+ rest, 235)
      new[place + 1] = Self.level(row.x &* Int32(luma[place + 1]) &+ rest, 235)
    }
    guard width % 2 == 1 else { return }
    let last = width - 1
    let rest = row.y &* Int32(chroma[last]) &+ row.z &* Int32(chroma[last + 1]) &+ row.w
    new[last] = Self.level(row.x &* Int32(luma[last]) &+ rest, 235)
  }

  /// One chroma sample covers four pixels: the mean of their luma counts.
  private func changeChroma(
    _ above: UnsafePointer<UInt8>, _ below: UnsafePointer<UInt8>, _ chroma: UnsafePointer<UInt8>,
    _ new: UnsafeMutablePointer<UInt8>, _ width: Int
  ) {
    let (blue, red) = (rows[1], rows[2])
    for pair in 0..<(width + 1) / 2 {
      let place = 2 * pair
      let next = min(place + 1, width - 1)
      let light =
        (Int32(above[place]) &+ Int32(above[next]) &+ Int32(below[place]) &+ Int32(below[next]) &+ 2) >> 2
      let (cb, cr) = (Int32(chroma[place]), Int32(chroma[place + 1]))
      new[place] = Self.level(blue.x &* light &+ blue.y &* cb &+ blue.z &* cr &+ blue.w, 240)
      new[place + 1] = Self.level(red.x &* light &+ red.y &* cb &+ red.z &* cr &+ red.w, 240)
    }
  }

  /// The level, limited to video range.
  @inline(__always)
  private static func level(_ sum: Int32, _ most: Int32) -> UInt8 {
    UInt8(truncatingIfNeeded: min(max(sum >> 12, 16), most))
  }
}
