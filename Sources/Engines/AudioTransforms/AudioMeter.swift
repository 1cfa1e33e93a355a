internal import Foundation

/// A level meter of one channel.
///
/// The mean is that of the squares with a time constant of a tenth of a second, the peak the largest sample of the last
/// second. Both in decibels of full scale, 0 for a square wave that fills the range, and ``silence`` for nothing.
/// Not thread-safe.
package struct AudioMeter: Sendable {
  /// The level of nothing, as Apple's recorders give it.
  package static let silence: Float = -160
  /// The time that a peak is held; a shorter one is gone before it is seen.
  private static let holdSeconds = 1.0
  private static let meanSeconds = 0.1

  private var meanSquare = 0.0
  private var peak = 0.0
  private var secondsSincePeak = 0.0

  /// A meter without input.
  package init() {}

  /// Takes more samples of one channel.
  ///
  /// - Parameters:
  ///   - samples: Interleaved.
  ///   - channel: Which channel of `channels`.
  ///   - gain: What each sample is multiplied with.
  ///   - rate: Samples of one channel in a second.
  package mutating func hear(
    _ samples: UnsafeBufferPointer<Int16>, channel: Int, of channels: Int, gain: Float, rate: Double
  ) {
    let frames = samples.count / channels
    guard frames > 0, rate > 0 else { return }
    var squares: Int64 = 0
    var largest: Int32 = 0
    var place = channel
    while place < frames * channels {
      let sample = Int32(samples[place])
      squares &+= Int64(sample &* sample)
      let size = sample < 0 ? 0 &- sample : sample
      if size > largest { largest = size }
      place &+= channels
    }
    let seconds = Double(frames) / rate
    let scale = Double(gain) / 32768
    let weight = 1 - exp(-seconds / Self.meanSeconds)
    meanSquare += (Double(squares) / Double(frames) * scale * scale - meanSquare) * weight
    secondsSincePeak += seconds
    let loudest = Double(largest) * scale
    if loudest >= peak || secondsSincePeak > Self.holdSeconds {
      peak = loudest
      secondsSincePeak = 0
    }
  }

  /// The mean power in decibels.
  package var averageLevel: Float { Self.decibels(10, meanSquare) }

  /// The held peak in decibels.
  package var peakLevel: Float { Self.decibels(20, peak) }

  private static func decibels(_ factor: Double, _ ratio: Double) -> Float {
    ratio > 0 ? max(silence, Float(factor * log10(ratio))) : silence
  }
}
