/// The power of the steady noise under a voice, for each frequency: what is there between words.
///
/// The least power of the last second and a half: a voice pauses, a fan does not.
///
/// Source: Martin, Noise power spectral density estimation based on optimal smoothing and minimum statistics, 2001; with a fixed
/// smoothing and a fixed factor from the least to the mean.
struct NoiseFloor: Sendable {
  /// The estimate.
  private(set) var power: [Float]
  private var smoothed: [Float]
  /// The least of the part of the window under way, and those of the parts before.
  private var least: [Float]
  private var parts: [[Float]] = []
  private var count = 0
  private let partLength: Int

  private static let partCount = 8
  private static let windowSeconds = 1.6
  private static let smoothing: Float = 0.8
  /// How many times the least is the mean.
  private static let bias: Float = 3

  /// - Parameters:
  ///   - count: How many frequencies.
  ///   - stepSeconds: The time from one spectrum to the next.
  init(count: Int, stepSeconds: Double) {
    power = [Float](repeating: 0, count: count)
    (smoothed, least) = (power, power)
    partLength = max(1, Int((Self.windowSeconds / Double(Self.partCount) / stepSeconds).rounded()))
  }

  /// Takes the powers of a spectrum.
  mutating func hear(_ spectrum: [Float]) {
    let isFirst = count == 0
    count += 1
    let endsPart = count % partLength == 0
    let last = spectrum.count - 1
    for index in spectrum.indices {
      // Neighbours waver less together than each alone.
      let mean =
        (spectrum[max(index - 1, 0)] + 2 * spectrum[index] + spectrum[min(index + 1, last)]) / 4
      smoothed[index] =
        isFirst ? mean : Self.smoothing * smoothed[index] + (1 - Self.smoothing) * mean
      least[index] = isFirst ? mean : min(least[index], smoothed[index])
    }
    if endsPart {
      parts.append(least)
      if parts.count > Self.partCount { parts.removeFirst() }
      least = smoothed
    }
    for index in power.indices {
      var lowest = least[index]
      for part in parts { lowest = min(lowest, part[index]) }
      power[index] = Self.bias * lowest
    }
  }
}
