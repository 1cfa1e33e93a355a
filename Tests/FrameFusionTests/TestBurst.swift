import CoreVideo
import FoundationExtras
import SeededNumbers

/// A made scene as a camera with noise sees it, at a shift, in any of the formats that are fused.
struct TestBurst {
  var width = 160
  var height = 128
  var format = kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
  /// The noise's deviation in 8-bit levels.
  var noise = 8.0
  /// A moving square of 40 pixels: where it is, `nil` for none.
  var patch: (x: Double, y: Double)?

  /// Smooth texture, so that a shift by a fraction of a pixel is exact: waves in some directions.
  func luma(_ x: Double, _ y: Double) -> Double {
    var value = 120.0
    for (index, wave) in Self.waves.enumerated() {
      value += wave.2 * Self.sine(wave.0 * x + wave.1 * y + Double(index))
    }
    return value
  }

  private static let waves: [(Double, Double, Double)] = [
    (0.21, 0.13, 22), (-0.35, 0.27, 14), (0.05, -0.41, 18), (0.63, 0.22, 9), (0.017, 0.023, 25),
    (-0.29, 0.71, 7),
  ]

  /// A sine without the C library, the same on every machine.
  private static func sine(_ x: Double) -> Double {
    let turn = x / 6.283185307179586
    let t = turn - turn.rounded(.down)
    let half = t < 0.5 ? t : t - 0.5
    let bow = 16 * half * (0.5 - half)
    let refined = 0.775 * bow + 0.225 * bow * bow
    return t < 0.5 ? refined : -refined
  }

  /// The scene's luma and chroma in 8-bit levels at a pixel of a frame that is shifted by (`dx`, `dy`).
  func scene(_ x: Int, _ y: Int, shift: (x: Double, y: Double)) -> (luma: Double, cb: Double, cr: Double) {
    let (u, v) = (Double(x) - shift.x, Double(y) - shift.y)
    if let patch, abs(u - patch.x) < 20, abs(v - patch.y) < 20 {
      let value = 128 + 70 * Self.sine(0.45 * (u - patch.x) + 1) * Self.sine(0.5 * (v - patch.y))
      return (value, 90, 170)
    }
    return (luma(u, v), 128 + 20 * Self.sine(0.08 * u), 128 + 20 * Self.sine(0.07 * v))
  }

  /// A frame; without a generator one without noise.
  func frame(shift: (x: Double, y: Double) = (0, 0), with generator: SeededGenerator? = nil, gain: Double = 1)
    -> CVPixelBuffer
  {
    var generator = generator
    func noisy(_ value: Double, _ share: Double) -> Double {
      guard generator != nil else { return value * gain }
      // The sum of four even numbers is normal enough; each has a deviation of 1 / √12.
      var sum = -2.0
      for _ in 0..<4 { sum += Double((generator?.next() ?? 0) >> 11) / 9_007_199_254_740_992 }
      return value * gain + sum * 1.7320508 * noise * share
    }
    return filled { x, y in
      let color = scene(x, y, shift: shift)
      return (noisy(color.luma, 1), { noisy(color.cb, 0.5) }, { noisy(color.cr, 0.5) })
    }
  }

  /// A buffer with these values; chroma is asked for where the format has it.
  func filled(_ value: (Int, Int) -> (luma: Double, cb: () -> Double, cr: () -> Double)) -> CVPixelBuffer {
    var made: CVPixelBuffer?
    CVPixelBufferCreate(nil, width, height, format, nil, &made)
    guard let buffer = made else { preconditionFailure("no buffer") }
    CVPixelBufferLockBaseAddress(buffer, [])
    defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
    for y in 0..<height {
      for x in 0..<width {
        let color = value(x, y)
        store(color.luma, in: buffer, plane: 0, x, y)
        guard x % 2 == 0, isFourTwoTwo || y % 2 == 0 else { continue }
        store(color.cb(), in: buffer, plane: 1, x, isFourTwoTwo ? y : y / 2)
        store(color.cr(), in: buffer, plane: 1, x + 1, isFourTwoTwo ? y : y / 2)
      }
    }
    return buffer
  }

  /// Whether two rows share one row of chroma.
  var sharesChromaRows: Bool { !isFourTwoTwo }

  private var isFourTwoTwo: Bool {
    [
      kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_422YpCbCr8_yuvs,
      kCVPixelFormatType_422YpCbCr8,
    ].contains(format)
  }

  private var isDeep: Bool {
    [kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr10BiPlanarFullRange]
      .contains(format)
  }

  private func place(_ buffer: CVPixelBuffer, _ plane: Int, _ x: Int, _ y: Int) -> UnsafeMutableRawPointer {
    let isPacked = buffer.planes.count == 1
    let memory = buffer.planes[isPacked ? 0 : plane]
    let row = memory.baseAddress + y * memory.bytesPerRow
    switch format {
    case kCVPixelFormatType_422YpCbCr8_yuvs: return row + 2 * x + plane
    case kCVPixelFormatType_422YpCbCr8: return row + 2 * x + 1 - plane
    default: return row + (isDeep ? 2 : 1) * x
    }
  }

  private func store(_ value: Double, in buffer: CVPixelBuffer, plane: Int, _ x: Int, _ y: Int) {
    let place = place(buffer, plane, x, y)
    if isDeep {
      place.storeBytes(of: UInt16(max(0, min(1023, (value * 4).rounded()))) << 6, as: UInt16.self)
    } else {
      place.storeBytes(of: UInt8(max(0, min(255, value.rounded()))), as: UInt8.self)
    }
  }

  /// A sample in 8-bit levels.
  func sample(_ buffer: CVPixelBuffer, plane: Int, _ x: Int, _ y: Int) -> Double {
    let place = place(buffer, plane, x, y)
    return isDeep ? Double(place.load(as: UInt16.self) >> 6) / 4 : Double(place.load(as: UInt8.self))
  }

  /// The mean square of the difference from the scene, of luma or of chroma, in a rectangle.
  func error(
    _ buffer: CVPixelBuffer, plane: Int = 0, x: Range<Int>? = nil, y: Range<Int>? = nil
  ) -> Double {
    CVPixelBufferLockBaseAddress(buffer, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
    var (sum, count) = (0.0, 0.0)
    for row in y ?? 0..<height {
      for column in x ?? 0..<width {
        let color = scene(column, row, shift: (0, 0))
        if plane == 0 {
          let d = sample(buffer, plane: 0, column, row) - color.luma
          (sum, count) = (sum + d * d, count + 1)
        } else if column % 2 == 0, isFourTwoTwo || row % 2 == 0 {
          let d = sample(buffer, plane: 1, column, isFourTwoTwo ? row : row / 2) - color.cb
          (sum, count) = (sum + d * d, count + 1)
        }
      }
    }
    return sum / count
  }

  /// The bytes of the picture's pixels.
  static func bytes(_ buffer: CVPixelBuffer) -> [UInt8] {
    CVPixelBufferLockBaseAddress(buffer, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
    var bytes: [UInt8] = []
    let deep =
      CVPixelBufferGetPixelFormatType(buffer) == kCVPixelFormatType_420YpCbCr10BiPlanarFullRange
      || CVPixelBufferGetPixelFormatType(buffer) == kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange
    let isPacked = buffer.planes.count == 1
    for (index, plane) in buffer.planes.enumerated() {
      let samples = isPacked ? 2 * plane.width : index == 0 ? plane.width : 2 * plane.width
      for row in 0..<plane.height { bytes += plane.row(row).prefix(samples * (deep ? 2 : 1)) }
    }
    return bytes
  }

  static let shifts: [(x: Double, y: Double)] = [
    (0, 0), (1.3, -0.6), (2.75, 0.4), (-1.5, 2.2), (0.5, 3.1), (-2.25, -1.7), (3.4, 2.5), (-0.8, 1.1),
  ]

  /// A burst of `count` frames with noise, each at a shift of its own.
  func frames(_ count: Int, seed: UInt64) -> [CVPixelBuffer] {
    (0..<count).map { index in
      frame(
        shift: Self.shifts[index % Self.shifts.count],
        with: SeededGenerator(usual: seed &+ UInt64(index) &* 1000))
    }
  }
}
