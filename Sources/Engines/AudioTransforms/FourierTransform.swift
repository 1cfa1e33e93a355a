internal import Foundation

/// The discrete Fourier transform of a power of two of complex numbers.
///
/// Source: Cooley and Tukey, An algorithm for the machine calculation of complex Fourier series, 1965.
struct FourierTransform: Sendable {
  /// How many numbers.
  let size: Int
  private let cosines: [Float]
  private let sines: [Float]
  /// Where each number goes first: its place with the bits in reverse.
  private let places: [Int]

  /// - Parameter size: A power of two.
  init(size: Int) {
    precondition(size > 1 && size & (size - 1) == 0, "A transform is of a power of two of numbers.")
    self.size = size
    cosines = (0..<size / 2).map { Float(cos(2 * Double.pi * Double($0) / Double(size))) }
    sines = (0..<size / 2).map { Float(-sin(2 * Double.pi * Double($0) / Double(size))) }
    var places = [Int](repeating: 0, count: size)
    for index in 1..<size { places[index] = places[index / 2] / 2 + (index & 1) * (size / 2) }
    self.places = places
  }

  /// Transforms numbers in place.
  func forward(_ real: inout [Float], _ imaginary: inout [Float]) {
    real.withUnsafeMutableBufferPointer { real in
      imaginary.withUnsafeMutableBufferPointer { imaginary in transform(real, imaginary) }
    }
  }

  /// The inverse, but for a factor of ``size``.
  func inverse(_ real: inout [Float], _ imaginary: inout [Float]) {
    // With both parts changed the transform goes the other way.
    forward(&imaginary, &real)
  }

  private func transform(
    _ real: UnsafeMutableBufferPointer<Float>, _ imaginary: UnsafeMutableBufferPointer<Float>
  ) {
    for (index, place) in places.enumerated() where place > index {
      real.swapAt(index, place)
      imaginary.swapAt(index, place)
    }
    var half = 1
    while half < size {
      let stride = size / (2 * half)
      for first in Swift.stride(from: 0, to: size, by: 2 * half) {
        for step in 0..<half {
          let (cosine, sine) = (cosines[step * stride], sines[step * stride])
          let (one, other) = (first + step, first + step + half)
          let turnedReal = real[other] * cosine - imaginary[other] * sine
          let turnedImaginary = real[other] * sine + imaginary[other] * cosine
          real[other] = real[one] - turnedReal
          imaginary[other] = imaginary[one] - turnedImaginary
          real[one] += turnedReal
          imaginary[one] += turnedImaginary
        }
      }
      half *= 2
    }
  }
}
