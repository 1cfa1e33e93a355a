internal import CPainting

/// White balance that is off: multiplies linear red, green and blue of every pixel.
///
/// The least colourful of the three stays; the sensor's gain takes the common factor, so that nothing clips here.
struct BalanceTable: Sendable {
  let balance: SIMD3<Float>
  /// The common factor, for the sensor.
  let gain: Double
  private let matrix: LumaMatrix
  private let red: [Float]
  private let green: [Float]
  private let blue: [Float]

  /// - Parameter balance: The factors; the largest becomes ``gain``.
  init(_ balance: SIMD3<Float>, matrix: LumaMatrix) {
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
          var balance = painting_balance(
            red: red.baseAddress, green: green.baseAddress, blue: blue.baseAddress,
            red_from_cr: parts.redFromCr, green_from_cb: parts.greenFromCb,
            green_from_cr: parts.greenFromCr, blue_from_cb: parts.blueFromCb, matrix: matrix.weights)
          painting_balance_rows(&balance, luma, nextLuma, chroma, count)
        }
      }
    }
  }
}
