import AVFoundation
import Dispatch

/// A ``FilterMatrix`` for Y'CbCr pictures of 4:2:0 and 8 bits.
///
/// The conversions to RGB and back are linear, too, so that all three are one matrix.
struct VideoColorMatrix: Sendable {
  /// For Y', Cb and Cr: the shares of Y', Cb and Cr, and what is added, in 1/4096.
  private let rows: [SIMD4<Int32>]
  private static let one = 4096.0
  /// The levels that luma and chroma may have.
  private let lumas: ClosedRange<Int32>
  private let chromas: ClosedRange<Int32>

  /// The luma plane, and the chroma plane with Cb and Cr in turn at half the resolution.
  struct Planes {
    let luma: UnsafeMutablePointer<UInt8>
    let lumaBytesPerRow: Int
    let chroma: UnsafeMutablePointer<UInt8>
    let chromaBytesPerRow: Int

    /// Those of a locked buffer; `nil` when it is something else.
    init?(_ buffer: CVPixelBuffer) {
      guard CVPixelBufferGetPlaneCount(buffer) == 2, let luma = CVPixelBufferGetBaseAddressOfPlane(buffer, 0),
        let chroma = CVPixelBufferGetBaseAddressOfPlane(buffer, 1)
      else { return nil }
      self.luma = luma.assumingMemoryBound(to: UInt8.self)
      self.chroma = chroma.assumingMemoryBound(to: UInt8.self)
      lumaBytesPerRow = CVPixelBufferGetBytesPerRowOfPlane(buffer, 0)
      chromaBytesPerRow = CVPixelBufferGetBytesPerRowOfPlane(buffer, 1)
    }
  }

  /// - Parameters:
  ///   - coding: A value of `kCVImageBufferYCbCrMatrixKey`; `nil` is that of high definition.
  ///   - isFullRange: Whether all levels are used, and not those of video range.
  init(_ matrix: FilterMatrix, coding: String?, isFullRange: Bool) {
    let (black, lumaSteps, chromaSteps) = isFullRange ? (0.0, 255.0, 255.0) : (16, 219, 224)
    lumas = isFullRange ? 0...255 : 16...235
    chromas = isFullRange ? 0...255 : 16...240
    let (red, blue) =
      if coding == kCVImageBufferYCbCrMatrix_ITU_R_601_4 as String {
        (0.299, 0.114)
      } else if coding == kCVImageBufferYCbCrMatrix_ITU_R_2020 as String {
        (0.2627, 0.0593)
      } else {
        (0.2126, 0.0722)
      }
    /// The changed Y', Cb and Cr, without limits.
    func changed(_ y: Double, _ cb: Double, _ cr: Double) -> [Double] {
      let light = (y - black) * 255 / lumaSteps
      let r = light + 2 * (1 - red) * (cr - 128) * 255 / chromaSteps
      let b = light + 2 * (1 - blue) * (cb - 128) * 255 / chromaSteps
      let g = (light - red * r - blue * b) / (1 - red - blue)
      let new = matrix.changed(r, g, b)
      let newLight = red * new[0] + (1 - red - blue) * new[1] + blue * new[2]
      return [
        black + newLight * lumaSteps / 255,
        128 + (new[2] - newLight) / (2 * (1 - blue)) * chromaSteps / 255,
        128 + (new[0] - newLight) / (2 * (1 - red)) * chromaSteps / 255,
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

  /// Writes a picture's new colours into another of the same size; large ones on all processors.
  func apply(from: Planes, to: Planes, width: Int, height: Int) {
    let bands = width * height > 500_000 ? 8 : 1
    let pairs = (height + 1) / 2
    // Safe because each band has rows of its own.
    nonisolated(unsafe) let (from, to) = (from, to)
    DispatchQueue.concurrentPerform(iterations: bands) { band in
      for row in pairs * band / bands..<pairs * (band + 1) / bands {
        let (above, below) = (2 * row, min(2 * row + 1, height - 1))
        let chroma = from.chroma + row * from.chromaBytesPerRow
        for luma in above...below {
          changeLuma(
            from.luma + luma * from.lumaBytesPerRow, chroma, to.luma + luma * to.lumaBytesPerRow, width)
        }
        changeChroma(
          from.luma + above * from.lumaBytesPerRow, from.luma + below * from.lumaBytesPerRow, chroma,
          to.chroma + row * to.chromaBytesPerRow, width)
      }
    }
  }

  private func changeLuma(
    _ luma: UnsafePointer<UInt8>, _ chroma: UnsafePointer<UInt8>, _ new: UnsafeMutablePointer<UInt8>,
    _ width: Int
  ) {
    let lumas = lumas
    let row = rows[0]
    for pair in 0..<width / 2 {
      let place = 2 * pair
      let rest = row.y &* Int32(chroma[place]) &+ row.z &* Int32(chroma[place + 1]) &+ row.w
      new[place] = Self.level(row.x &* Int32(luma[place]) &+ rest, lumas)
      new[place + 1] = Self.level(row.x &* Int32(luma[place + 1]) &+ rest, lumas)
    }
    guard width % 2 == 1 else { return }
    let last = width - 1
    let rest = row.y &* Int32(chroma[last]) &+ row.z &* Int32(chroma[last + 1]) &+ row.w
    new[last] = Self.level(row.x &* Int32(luma[last]) &+ rest, lumas)
  }

  /// One chroma sample covers four pixels: the mean of their luma counts.
  private func changeChroma(
    _ above: UnsafePointer<UInt8>, _ below: UnsafePointer<UInt8>, _ chroma: UnsafePointer<UInt8>,
    _ new: UnsafeMutablePointer<UInt8>, _ width: Int
  ) {
    let (blue, red) = (rows[1], rows[2])
    let chromas = chromas
    for pair in 0..<(width + 1) / 2 {
      let place = 2 * pair
      let next = min(place + 1, width - 1)
      let light =
        (Int32(above[place]) &+ Int32(above[next]) &+ Int32(below[place]) &+ Int32(below[next]) &+ 2) >> 2
      let (cb, cr) = (Int32(chroma[place]), Int32(chroma[place + 1]))
      new[place] = Self.level(blue.x &* light &+ blue.y &* cb &+ blue.z &* cr &+ blue.w, chromas)
      new[place + 1] = Self.level(red.x &* light &+ red.y &* cb &+ red.z &* cr &+ red.w, chromas)
    }
  }

  /// The level, kept to those that there are.
  @inline(__always)
  private static func level(_ sum: Int32, _ levels: ClosedRange<Int32>) -> UInt8 {
    UInt8(truncatingIfNeeded: min(max(sum >> 12, levels.lowerBound), levels.upperBound))
  }
}
