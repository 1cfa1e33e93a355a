internal import Foundation

/// The discrete Fourier transform of a power of two of complex numbers, in place.
///
/// Source: Cooley and Tukey, An algorithm for the machine calculation of complex Fourier series, 1965 (radix 2, decimation in time).
struct FourierTransform: Sendable {
  /// How many numbers.
  let count: Int
  private let cosines: [Float]
  private let sines: [Float]
  private let reversed: [Int32]

  /// - Parameter count: A power of two, 2 or more.
  init(count: Int) {
    self.count = count
    cosines = (0..<count / 2).map { Float(cos(2 * Double.pi * Double($0) / Double(count))) }
    sines = (0..<count / 2).map { Float(-sin(2 * Double.pi * Double($0) / Double(count))) }
    var reversed = [Int32](repeating: 0, count: count)
    for index in 1..<count {
      reversed[index] = reversed[index >> 1] >> 1 | (index & 1 == 1 ? Int32(count >> 1) : 0)
    }
    self.reversed = reversed
  }

  /// Transforms; both arrays hold `count` numbers.
  func forward(_ real: inout [Float], _ imaginary: inout [Float]) {
    real.withUnsafeMutableBufferPointer { real in
      imaginary.withUnsafeMutableBufferPointer { imaginary in transform(real, imaginary) }
    }
  }

  /// Transforms back, without a factor: the result is `count` times what was.
  func backward(_ real: inout [Float], _ imaginary: inout [Float]) {
    // The same with the parts exchanged.
    forward(&imaginary, &real)
  }

  private func transform(
    _ real: UnsafeMutableBufferPointer<Float>, _ imaginary: UnsafeMutableBufferPointer<Float>
  ) {
    for index in 0..<count {
      let other = Int(reversed[index])
      if index < other {
        real.swapAt(index, other)
        imaginary.swapAt(index, other)
      }
    }
    cosines.withUnsafeBufferPointer { cosines in
      sines.withUnsafeBufferPointer { sines in
        var half = 1
        while half < count {
          let step = count / (2 * half)
          var begin = 0
          while begin < count {
            var turn = 0
            for index in begin..<begin + half {
              let (c, s) = (cosines[turn], sines[turn])
              let (a, b) = (real[index + half], imaginary[index + half])
              let (x, y) = (a * c - b * s, a * s + b * c)
              real[index + half] = real[index] - x
              imaginary[index + half] = imaginary[index] - y
              real[index] += x
              imaginary[index] += y
              turn += step
            }
            begin += 2 * half
          }
          half *= 2
        }
      }
    }
  }
}
