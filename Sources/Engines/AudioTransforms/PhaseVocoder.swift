internal import Foundation

/// Stretches tones: their frequencies' phases go on from frame to frame as they do in the input.
struct PhaseVocoder {
  private let channels: Int
  private let tempo: Double
  private let size: Int
  private let hop: Int
  private let transform: FourierTransform
  private let window: [Float]
  private var input: [Float]
  private var begin: Int
  private var count = 0
  private var sum: [Float]
  /// The frame before, as it came out.
  private var former: (real: [[Float]], imaginary: [[Float]])?

  init(tempo: Double, rate: Int, channels: Int) {
    (self.tempo, self.channels) = (tempo, channels)
    var size = 512
    while size * 2 <= rate / 10 { size *= 2 }
    self.size = size
    hop = size / 4
    transform = FourierTransform(count: size)
    let count = size
    window = (0..<size).map { Float(0.5 - 0.5 * cos(2 * Double.pi * Double($0) / Double(count))) }
    // The first frame has its middle a hop before the beginning, and is compared with one before it.
    begin = -size
    input = [Float](repeating: 0, count: size * channels)
    sum = [Float](repeating: 0, count: size * channels)
  }

  mutating func process(_ samples: [Float], into output: inout [Float]) {
    input.append(contentsOf: samples)
    while true {
      // Before the beginning time passes as in the input.
      let middle = count == 0 ? -hop : Int((Double((count - 1) * hop) * tempo).rounded())
      guard begin + input.count / channels >= middle + size / 2 else { break }
      let frame = turned(middle)
      lay(frame)
      former = frame
      // Three quarters of the first frame lie before the beginning.
      if count >= 3 { output.append(contentsOf: sum[0..<hop * channels]) }
      sum.removeFirst(hop * channels)
      sum.append(contentsOf: repeatElement(0, count: hop * channels))
      count += 1
      let gone = min(middle - size / 2 - hop - begin, input.count / channels)
      if gone > 4 * hop {
        input.removeFirst(gone * channels)
        begin += gone
      }
    }
  }

  /// The spectra of the frame around a moment of the input, and of the one a hop before.
  private func spectra(
    _ middle: Int, _ channel: Int
  ) -> (now: (re: [Float], im: [Float]), before: (re: [Float], im: [Float])) {
    let from = (middle - size / 2 - begin) * channels + channel
    let back = from - hop * channels
    // Two frames of real numbers are the parts of one transform.
    var real = (0..<size).map { input[from + $0 * channels] * window[$0] }
    var imaginary = (0..<size).map { input[back + $0 * channels] * window[$0] }
    transform.forward(&real, &imaginary)
    let half = size / 2
    var now = (re: [Float](repeating: 0, count: half + 1), im: [Float](repeating: 0, count: half + 1))
    var before = now
    for bin in 0...half {
      let other = (size - bin) & (size - 1)
      now.re[bin] = (real[bin] + real[other]) / 2
      now.im[bin] = (imaginary[bin] - imaginary[other]) / 2
      before.re[bin] = (imaginary[bin] + imaginary[other]) / 2
      before.im[bin] = (real[other] - real[bin]) / 2
    }
    return (now, before)
  }

  private func turned(_ middle: Int) -> (real: [[Float]], imaginary: [[Float]]) {
    let spectra = (0..<channels).map { self.spectra(middle, $0) }
    var real = spectra.map(\.now.re), imaginary = spectra.map(\.now.im)
    guard let former, tempo != 1 else { return (real, imaginary) }
    let half = size / 2
    var energy = [Float](repeating: 0, count: half + 1)
    for channel in 0..<channels {
      for bin in 0...half {
        energy[bin] +=
          real[channel][bin] * real[channel][bin] + imaginary[channel][bin] * imaginary[channel][bin]
      }
    }
    let peaks = Self.peaks(energy)
    for (index, peak) in peaks.enumerated() {
      // Its bins reach to the smallest value between it and the next peak.
      let low = index == 0 ? 0 : Self.valley(energy, peaks[index - 1], peak)
      let high = index + 1 == peaks.count ? half + 1 : Self.valley(energy, peak, peaks[index + 1])
      // The loudest channel says how far the phase has gone on.
      var (loudest, most) = (0, -Float.infinity)
      for channel in 0..<channels {
        let (p, q) = (real[channel][peak], imaginary[channel][peak])
        let loudness: Float = p * p + q * q
        if loudness > most { (loudest, most) = (channel, loudness) }
      }
      let (a, b) = (former.real[loudest][peak], former.imaginary[loudest][peak])
      let (c, d) = (spectra[loudest].before.re[peak], -spectra[loudest].before.im[peak])
      var (x, y): (Float, Float) = (a * c - b * d, a * d + b * c)
      let length: Float = (x * x + y * y).squareRoot()
      if length > 1e-20 { (x, y) = (x / length, y / length) } else { (x, y) = (1, 0) }
      for channel in 0..<channels {
        for bin in low..<high {
          let (p, q) = (real[channel][bin], imaginary[channel][bin])
          real[channel][bin] = p * x - q * y
          imaginary[channel][bin] = p * y + q * x
        }
      }
    }
    return (real, imaginary)
  }

  /// The bins that are greater than two on either side.
  private static func peaks(_ energy: [Float]) -> [Int] {
    energy.indices.filter { bin in
      let value = energy[bin]
      guard value > 0 else { return false }
      for other in max(0, bin - 2)...min(energy.count - 1, bin + 2) where other != bin {
        if energy[other] > value || (energy[other] == value && other < bin) { return false }
      }
      return true
    }
  }

  private static func valley(_ energy: [Float], _ first: Int, _ last: Int) -> Int {
    var (place, least) = (first + 1, Float.infinity)
    for bin in first + 1...last where energy[bin] < least { (place, least) = (bin, energy[bin]) }
    return place
  }

  private mutating func lay(_ frame: (real: [[Float]], imaginary: [[Float]])) {
    let half = size / 2
    let scale = 1 / (1.5 * Float(size))
    for channel in 0..<channels {
      var real = frame.real[channel] + [Float](repeating: 0, count: half - 1)
      var imaginary = frame.imaginary[channel] + [Float](repeating: 0, count: half - 1)
      for bin in 1..<half {
        real[size - bin] = real[bin]
        imaginary[size - bin] = -imaginary[bin]
      }
      imaginary[0] = 0
      imaginary[half] = 0
      transform.backward(&real, &imaginary)
      for index in 0..<size { sum[index * channels + channel] += real[index] * window[index] * scale }
    }
  }
}
