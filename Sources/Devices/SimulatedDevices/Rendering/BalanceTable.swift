/// White balance that is off: multiplies linear red, green and blue of every pixel.
///
/// The least colourful of the three stays; the sensor's gain takes the common factor, so that nothing clips here.
struct BalanceTable: Sendable {
  let balance: SIMD3<Float>
  /// The common factor, for the sensor.
  let gain: Double
  private let matrix: ColorMatrix
  private let red: [Float]
  private let green: [Float]
  private let blue: [Float]

  /// - Parameter balance: The factors; the largest becomes ``gain``.
  init(_ balance: SIMD3<Float>, matrix: ColorMatrix) {
    self.balance = balance
    self.matrix = matrix
    let most = max(balance.max(), 1e-6)
    gain = Double(most)
    red = Self.tones(balance.x / most)
    green = Self.tones(balance.y / most)
    blue = Self.tones(balance.z / most)
  }

  /// Coded values in quarters of a level, from 0 to 255.
  private static func tones(_ factor: Float) -> [Float] {
    (0...1024).map { SRGB.coded(SRGB.linear(min(Float($0) / 1020, 1)) * factor) * 255 }
  }

  /// Changes two rows of luma and the differences between them.
  func apply(
    luma: UnsafeMutablePointer<UInt8>, nextLuma: UnsafeMutablePointer<UInt8>,
    chroma: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    let parts = matrix.toColors
    red.withUnsafeBufferPointer { red in
      green.withUnsafeBufferPointer { green in
        blue.withUnsafeBufferPointer { blue in
          for column in Swift.stride(from: 0, to: count, by: 2) {
            let cb = Float(chroma[column]) - 128
            let cr = Float(chroma[column + 1]) - 128
            let toRed = parts.redFromCr * cr
            let toGreen = parts.greenFromCb * cb + parts.greenFromCr * cr
            let toBlue = parts.blueFromCb * cb
            var sumCb: Float = 0
            var sumCr: Float = 0
            for line in [luma, nextLuma] {
              for x in column..<column + 2 {
                let y = Float(line[x])
                let color = matrix.planar255(
                  red[Self.step(y + toRed)], green[Self.step(y + toGreen)], blue[Self.step(y + toBlue)])
                line[x] = StaticPicture.byte(color.luma)
                sumCb += color.cb
                sumCr += color.cr
              }
            }
            chroma[column] = StaticPicture.byte(sumCb / 4 + 128)
            chroma[column + 1] = StaticPicture.byte(sumCr / 4 + 128)
          }
        }
      }
    }
  }

  @inline(__always)
  private static func step(_ value: Float) -> Int {
    Int(min(max(value, 0), 255) * 4 + 0.5)
  }
}
