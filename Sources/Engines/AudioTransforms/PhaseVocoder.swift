internal import Foundation

/// Stretches sound: the phases of its frequencies go on from frame to frame as they do in the input, those around a peak as the peak's do.
///
/// Where a sound sets in, the frames around that moment lie as far from it as in the input, and end or begin at it: so it is heard when it
/// should be, and nothing of it before. Frequencies that are new there begin with their own phases, and the others go on.
///
/// Sources: Laroche and Dolson, Improved phase vocoder time-scale modification of audio, 1999; for attacks Röbel, A new approach to
/// transient processing in the phase vocoder, DAFx 2003.
struct PhaseVocoder {
  private let channels: Int
  private let map: TimeMap
  private let size: Int
  private let hop: Int
  /// How far the input must reach beyond the moment of a frame.
  private let ahead: Int
  private let transform: FourierTransform
  private let window: [Float]
  private var input: [Float]
  private var begin: Int
  private var attacks: [Int] = []
  private var count = 0
  private var sum: [Float]
  /// The squares of the windows that lie under each moment of the sum.
  private var weights: [Float]
  /// The frame before, as it came out.
  private var former: Former?

  /// The part of the input that a frame has, and how much around its middle of what comes out is laid down.
  private struct Place {
    var middle: Int
    /// Where the frame's sound has set in, and where the next one does.
    var first = Int.min
    var end = Int.max
    /// The same in the output, from the frame's middle on.
    var firstHeard = Int.min
    var endHeard = Int.max
    /// Whether a sound has set in since the frame before.
    var isNew = false
  }

  private struct Former {
    var real: [[Float]]
    var imaginary: [[Float]]
    var place: Place
  }

  /// - Parameters:
  ///   - lead: Moments of input that come before zero.
  ///   - delay: Moments by which attacks are known later than the input is.
  init(map: TimeMap, rate: Int, channels: Int, lead: Int, delay: Int) {
    (self.map, self.channels) = (map, channels)
    var size = 512
    while size * 2 <= rate / 10 { size *= 2 }
    self.size = size
    hop = size / 4
    ahead = size / 2 + hop * Int(max(1, map.tempo).rounded(.up)) + delay
    transform = FourierTransform(count: size)
    let count = size
    window = (0..<size).map { Float(0.5 - 0.5 * cos(2 * Double.pi * Double($0) / Double(count))) }
    // The first frame has its middle a hop before the beginning, and is compared with one before it.
    begin = -max(size, lead)
    input = [Float](repeating: 0, count: max(0, size - lead) * channels)
    sum = [Float](repeating: 0, count: size * channels)
    weights = [Float](repeating: 0, count: size)
  }

  /// Takes more input, and appends all output that can be made now.
  ///
  /// - Parameter attacks: Where a sound sets in, known as far as the input reaches.
  mutating func process(_ samples: [Float], attacks: [Int], into output: inout [Float]) {
    input.append(contentsOf: samples)
    self.attacks += attacks
    while true {
      let moment = (count - 1) * hop
      let ideal = map.input(at: moment)
      guard begin + input.count / channels >= ideal + ahead else { break }
      let here = place(at: moment, ideal)
      let frame = turned(here)
      lay(frame.real, frame.imaginary, here)
      former = Former(real: frame.real, imaginary: frame.imaginary, place: here)
      // Three quarters of the first frame lie before the beginning.
      if count >= 3 {
        for index in 0..<hop * channels { output.append(sum[index] / max(weights[index / channels], 0.1)) }
      }
      sum.removeFirst(hop * channels)
      sum.append(contentsOf: repeatElement(0, count: hop * channels))
      weights.removeFirst(hop)
      weights.append(contentsOf: repeatElement(0, count: hop))
      count += 1
      forget(before: ideal - size / 2 - hop - ahead)
    }
  }

  private mutating func forget(before moment: Int) {
    let gone = min(moment - begin, input.count / channels)
    guard gone > 4 * hop else { return }
    input.removeFirst(gone * channels)
    begin += gone
    // One is kept that lies before all that is still to come.
    while attacks.count > 1, attacks[1] < begin { attacks.removeFirst() }
  }

  /// What of the input is heard around a moment of the output.
  private func place(at moment: Int, _ ideal: Int) -> Place {
    var place = Place(middle: ideal)
    guard map.tempo != 1 else { return place }
    let last = attacks.last { map.output(at: $0) <= moment }
    let next = attacks.first { map.output(at: $0) > moment }
    if let last {
      let since = moment - map.output(at: last)
      (place.first, place.firstHeard) = (last, -since)
      if since < hop {
        place.middle = last + since
        place.isNew = true
      }
    }
    if let next {
      let until = map.output(at: next) - moment
      (place.end, place.endHeard) = (next, until)
      if until <= hop, !place.isNew { place.middle = next - until }
    }
    return place
  }

  /// The samples around a moment, windowed; nothing of other sounds than the place's.
  private func windowed(_ middle: Int, _ place: Place, _ channel: Int) -> [Float] {
    var samples = [Float](repeating: 0, count: size)
    let (low, high) = indexes(place, around: middle)
    guard low < high else { return samples }
    let offset = (middle - size / 2 - begin) * channels + channel
    for index in low..<high { samples[index] = input[offset + index * channels] * window[index] }
    return samples
  }

  private func indexes(_ place: Place, around middle: Int) -> (low: Int, high: Int) {
    let from = middle - size / 2
    return (max(place.first, from) - from, min(place.end, from + size) - from)
  }

  /// The sum of the window over what a place has around a moment.
  private func weight(_ place: Place, around middle: Int) -> Float {
    let (low, high) = indexes(place, around: middle)
    return low < high ? window[low..<high].reduce(0, +) : 0
  }

  /// The spectra of a frame, and of the one a hop before in the input.
  private func spectra(
    _ place: Place, before other: Place, _ channel: Int
  ) -> (now: (re: [Float], im: [Float]), before: (re: [Float], im: [Float])) {
    // Two frames of real numbers are the parts of one transform.
    var real = windowed(place.middle, place, channel)
    var imaginary = windowed(place.middle - hop, other, channel)
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

  private func turned(_ place: Place) -> (real: [[Float]], imaginary: [[Float]]) {
    // What was heard before an attack is compared with what was heard before it.
    let other = place.isNew ? former?.place ?? place : place
    let spectra = (0..<channels).map { self.spectra(place, before: other, $0) }
    var real = spectra.map(\.now.re), imaginary = spectra.map(\.now.im)
    guard let former, map.tempo != 1 else { return (real, imaginary) }
    let half = size / 2
    var energy = [Float](repeating: 0, count: half + 1)
    for channel in 0..<channels {
      for bin in 0...half {
        energy[bin] +=
          real[channel][bin] * real[channel][bin] + imaginary[channel][bin] * imaginary[channel][bin]
      }
    }
    let peaks = Self.peaks(energy)
    let scale = weight(other, around: place.middle - hop) / max(weight(place, around: place.middle), 1e-9)
    for (index, peak) in peaks.enumerated() {
      let past = spectra.reduce(Float(0)) { sum, channel in
        sum + channel.before.re[peak] * channel.before.re[peak]
          + channel.before.im[peak] * channel.before.im[peak]
      }
      // Twice as strong as it was is new.
      if place.isNew, energy[peak] * scale * scale > 4 * past { continue }
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

  private mutating func lay(_ reals: [[Float]], _ imaginaries: [[Float]], _ place: Place) {
    let half = size / 2
    let scale = 1 / Float(size)
    let own = indexes(place, around: place.middle)
    let low = max(own.low, max(place.firstHeard, -half) + half)
    let high = min(own.high, min(place.endHeard, half) + half)
    guard low < high else { return }
    for index in low..<high { weights[index] += window[index] * window[index] }
    for channel in 0..<channels {
      var real = reals[channel] + [Float](repeating: 0, count: half - 1)
      var imaginary = imaginaries[channel] + [Float](repeating: 0, count: half - 1)
      for bin in 1..<half {
        real[size - bin] = real[bin]
        imaginary[size - bin] = -imaginary[bin]
      }
      imaginary[0] = 0
      imaginary[half] = 0
      transform.backward(&real, &imaginary)
      for index in low..<high { sum[index * channels + channel] += real[index] * window[index] * scale }
    }
  }
}
