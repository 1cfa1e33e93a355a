internal import Foundation

/// Parts sound into what lasts (tones) and what strikes (attacks), which add up to it.
///
/// In a picture of the spectrum over time tones are lines along time and strikes lines across it: what is greater than its neighbours in
/// the one direction's median, belongs to the other. Not thread-safe.
///
/// Source: FitzGerald, Harmonic/percussive separation using median filtering, DAFx 2010.
struct SoundSeparator {
  private let channels: Int
  private let size: Int
  private let hop: Int
  private let lead: Int
  private let transform: FourierTransform
  private let window: [Float]
  /// Frames before and after one whose medians decide about it, and bins likewise.
  private let reach: Int
  private let width: Int
  /// Interleaved; the first moment is `begin`.
  private var input: [Float]
  private var begin: Int
  private var spectra: [Spectrum] = []
  /// The number of the first spectrum that is kept.
  private var firstSpectrum = 0
  private var next = 0
  /// What the frames until now have added up to, from `done` on.
  private var lasting: [Float] = []
  private var striking: [Float] = []
  private var done: Int

  private struct Spectrum {
    /// One of each channel.
    var real: [[Float]]
    var imaginary: [[Float]]
    var magnitudes: [Float]
  }

  init(rate: Int, channels: Int) {
    self.channels = channels
    var size = 256
    while size * 2 <= rate / 20 { size *= 2 }
    self.size = size
    hop = size / 4
    reach = max(2, rate / 10 / hop)
    width = max(2, 180 * size / rate)
    transform = FourierTransform(count: size)
    let count = size
    window = (0..<size).map { Float(0.5 - 0.5 * cos(2 * Double.pi * Double($0) / Double(count))) }
    // Frame 0 has its middle a hop before the first moment, so that this lies under as many frames as the others.
    lead = size / 2 + hop
    begin = -lead
    done = -lead
    input = [Float](repeating: 0, count: lead * channels)
  }

  /// Takes more sound, and appends what is decided by now: both parts have the same length.
  mutating func process(_ samples: [Float], _ lasting: inout [Float], _ striking: inout [Float]) {
    input.append(contentsOf: samples)
    while begin + input.count / channels >= next * hop - lead + size { analyse() }
    decide(until: firstDecided + max(0, next - firstDecided - reach), &lasting, &striking)
  }

  /// Gives what is left, up to so many moments since the beginning.
  mutating func finish(at end: Int, _ lasting: inout [Float], _ striking: inout [Float]) {
    input.append(contentsOf: repeatElement(0, count: (size + hop) * channels))
    while (next - 1) * hop - lead < end {
      input.append(contentsOf: repeatElement(0, count: hop * channels))
      analyse()
    }
    decide(until: next, &lasting, &striking)
  }

  private var firstDecided: Int { decided }
  private var decided = 0

  private mutating func analyse() {
    let from = (next * hop - lead - begin) * channels
    var spectrum = Spectrum(real: [], imaginary: [], magnitudes: [Float](repeating: 0, count: size / 2 + 1))
    for channel in 0..<channels {
      var real = (0..<size).map { input[from + $0 * channels + channel] * window[$0] }
      var imaginary = [Float](repeating: 0, count: size)
      transform.forward(&real, &imaginary)
      for bin in 0...size / 2 {
        spectrum.magnitudes[bin] += (real[bin] * real[bin] + imaginary[bin] * imaginary[bin]).squareRoot()
      }
      spectrum.real.append(Array(real[0...size / 2]))
      spectrum.imaginary.append(Array(imaginary[0...size / 2]))
    }
    spectra.append(spectrum)
    next += 1
    let gone = next * hop - lead - begin
    if gone > 16 * hop {
      input.removeFirst(gone * channels)
      begin += gone
    }
  }

  private mutating func decide(until end: Int, _ lastingOut: inout [Float], _ strikingOut: inout [Float]) {
    while decided < end {
      let mask = shareOfLasting(decided)
      add(decided, mask)
      decided += 1
      let old = decided - reach - 1 - firstSpectrum
      if old > 0 {
        spectra.removeFirst(old)
        firstSpectrum += old
      }
    }
    // Nothing is added any more before the next frame.
    let ready = (decided * hop - lead - done) * channels
    guard ready > 0, ready <= lasting.count else { return }
    // Before the first moment lies the half of frame 0 that is no sound.
    let skipped = min(ready, max(0, -done) * channels)
    lastingOut.append(contentsOf: lasting[skipped..<ready])
    strikingOut.append(contentsOf: striking[skipped..<ready])
    lasting.removeFirst(ready)
    striking.removeFirst(ready)
    done += ready / channels
  }

  private func shareOfLasting(_ frame: Int) -> [Float] {
    let own = spectra[frame - firstSpectrum].magnitudes
    let low = max(firstSpectrum, frame - reach), high = min(next - 1, frame + reach)
    let around = (low...high).map { spectra[$0 - firstSpectrum].magnitudes }
    var values = [Float](repeating: 0, count: max(2 * reach, 2 * width) + 1)
    return own.indices.map { bin in
      for index in around.indices { values[index] = around[index][bin] }
      let long = Self.median(&values, around.count)
      let first = max(0, bin - width), last = min(own.count - 1, bin + width)
      for index in first...last { values[index - first] = own[index] }
      let across = Self.median(&values, last - first + 1)
      let (a, b) = (long * long * long * long, across * across * across * across)
      return a + b > 0 ? a / (a + b) : 1
    }
  }

  private static func median(_ values: inout [Float], _ count: Int) -> Float {
    values.withUnsafeMutableBufferPointer { values in
      for index in 1..<count {
        let value = values[index]
        var place = index
        while place > 0, values[place - 1] > value {
          values[place] = values[place - 1]
          place -= 1
        }
        values[place] = value
      }
      return values[count / 2]
    }
  }

  private mutating func add(_ frame: Int, _ share: [Float]) {
    let spectrum = spectra[frame - firstSpectrum]
    let at = (frame * hop - lead - done) * channels
    let missing = at + size * channels - lasting.count
    if missing > 0 {
      lasting.append(contentsOf: repeatElement(0, count: missing))
      striking.append(contentsOf: repeatElement(0, count: missing))
    }
    // A quarter of the window's length apart, their squares add up to 1.5.
    let scale = 1 / (1.5 * Float(size))
    for channel in 0..<channels {
      // What lasts and what strikes are the real and the imaginary part of one transform.
      var real = [Float](repeating: 0, count: size)
      var imaginary = [Float](repeating: 0, count: size)
      for bin in 0...size / 2 {
        let (x, y) = (spectrum.real[channel][bin], spectrum.imaginary[channel][bin])
        let (a, b) = (share[bin], 1 - share[bin])
        real[bin] = a * x - b * y
        imaginary[bin] = a * y + b * x
        if bin > 0, bin < size / 2 {
          real[size - bin] = a * x + b * y
          imaginary[size - bin] = b * x - a * y
        }
      }
      transform.backward(&real, &imaginary)
      for index in 0..<size {
        let factor = window[index] * scale
        lasting[at + index * channels + channel] += real[index] * factor
        striking[at + index * channels + channel] += imaginary[index] * factor
      }
    }
  }
}
