internal import AudioTransforms
internal import Linux

/// The level of a channel in decibels of full scale.
package struct AudioLevel: Sendable, Hashable {
  /// The mean.
  package var average: Float
  /// The highest of the last second.
  package var peak: Float

  /// Nothing is heard.
  package static let silence = AudioLevel(average: AudioMeter.silence, peak: AudioMeter.silence)
}

/// Measures the levels of interleaved audio; not thread-safe.
package struct AudioLevels: Sendable {
  private var meters: [AudioMeter]

  /// So many channels in silence.
  package init(channels: Int) {
    meters = Array(repeating: AudioMeter(), count: channels)
  }

  /// Takes more samples.
  package mutating func hear(_ samples: [Float], rate: Double) {
    let numbers = samples.map { Int16((max(-1, min(1, $0)) * 32_767).rounded()) }
    numbers.withUnsafeBufferPointer { numbers in
      for channel in meters.indices {
        meters[channel].hear(numbers, channel: channel, of: meters.count, gain: 1, rate: rate)
      }
    }
  }

  /// The levels now.
  package var levels: [AudioLevel] {
    meters.map { AudioLevel(average: $0.averageLevel, peak: $0.peakLevel) }
  }
}

/// The levels that a client has taken over last: what Apple's players and recorders call meters.
///
/// Thread-safe.
package final class TakenLevels: Sendable {
  private let state = Locked((isOn: false, levels: [AudioLevel]()))

  /// Switched off, with nothing taken.
  package init() {}

  /// Whether levels are measured.
  package var isOn: Bool {
    get { state.withLock { $0.isOn } }
    set { state.withLock { $0.isOn = newValue } }
  }

  /// Takes over the levels, one for each channel, which are not asked for while it is off.
  package func take(_ levels: @autoclosure () -> [AudioLevel]) {
    guard isOn else { return }
    let now = levels()
    state.withLock { $0.levels = now }
  }

  /// A channel's level; silence for a channel that there is not.
  package func level(of channel: Int) -> AudioLevel {
    let levels = state.withLock { $0.levels }
    return levels.indices.contains(channel) ? levels[channel] : .silence
  }
}
