internal import Foundation

/// A range of a sound at another tempo and the same pitch, for a place where the sound before and behind it goes on as it is.
///
/// It begins and ends as the sound itself does, so that nothing is heard at the seams. Not thread-safe.
package struct RangeStretcher {
  /// How the tempo is changed.
  package enum Method: Sendable {
    /// ``TempoStretcher``
    case waveform
    /// ``SpectralStretcher``
    case spectrum
  }

  /// The range at its beginning or end, as it is in the input.
  private struct Edge {
    let first: Int
    var samples: [Float]
  }

  private let channels: Int
  private let length: Int
  /// How long it takes to go over from the sound itself to the stretched one, and back: 20 ms.
  private let fade: Int
  private var head: Edge
  private var tail: Edge
  private var waveform: TempoStretcher?
  private var spectrum: SpectralStretcher?
  /// How much of the input has come, the lead left out.
  private var taken: Int
  /// What is stretched and was not given yet.
  private var made: [Float] = []
  private var given = 0

  /// How much before and behind a range a method should know of.
  package static func context(rate: Int) -> Int { rate / 4 }

  /// - Parameters:
  ///   - method: How.
  ///   - frames: How long the range is in the input, in moments; above 0.
  ///   - length: How long it is in the output; above 0.
  ///   - lead: How many moments of input come before the range.
  ///   - rate: Moments in a second.
  ///   - channels: How many; samples of one moment lie together.
  package init(
    _ method: Method, frames: Int, length: Int, lead: Int, rate: Int, channels: Int
  ) {
    (self.channels, self.length) = (channels, length)
    let fade = min(rate / 50, frames / 2, length / 2)
    self.fade = fade
    let silence = [Float](repeating: 0, count: fade * channels)
    head = Edge(first: 0, samples: silence)
    tail = Edge(first: frames - fade, samples: silence)
    taken = -lead
    let tempo = Double(frames) / Double(length)
    switch method {
    case .waveform:
      waveform = TempoStretcher(tempo: tempo, rate: rate, channels: channels, keepsAttacks: true)
    case .spectrum:
      spectrum = SpectralStretcher(
        tempo: tempo, rate: rate, channels: channels, lead: lead, length: length)
    }
  }

  /// Takes more input, the lead first and what comes behind the range last, and appends all output that can be made now.
  package mutating func process(_ samples: [Float], into result: inout [Float]) {
    keep(samples, in: \.head)
    keep(samples, in: \.tail)
    let before = min(max(0, -taken) * channels, samples.count)
    taken += samples.count / channels
    waveform?.process(before == 0 ? samples : Array(samples[before...]), into: &made)
    spectrum?.process(samples, into: &made)
    // The end is known when all has come.
    give(until: length - fade, &result)
  }

  /// Appends the rest.
  package mutating func finish(into result: inout [Float]) {
    spectrum?.finish(into: &made)
    while given + made.count / channels < length {
      waveform?.process([Float](repeating: 0, count: 8192 * channels), into: &made)
    }
    made.removeLast((given + made.count / channels - length) * channels)
    give(until: length - fade, &result)
    goOver(made.count / channels - fade)
    give(until: length, &result)
  }

  private mutating func keep(_ samples: [Float], in edge: WritableKeyPath<RangeStretcher, Edge>) {
    let first = self[keyPath: edge].first
    let low = max(first, taken), high = min(first + fade, taken + samples.count / channels)
    guard low < high else { return }
    self[keyPath: edge].samples.replaceSubrange(
      (low - first) * channels..<(high - first) * channels,
      with: samples[(low - taken) * channels..<(high - taken) * channels])
  }

  private mutating func give(until end: Int, _ result: inout [Float]) {
    let count = min(end - given, made.count / channels)
    guard count > 0 else { return }
    for moment in 0..<max(0, min(count, fade - given)) {
      let share = rise(given + moment)
      for channel in 0..<channels {
        let own = head.samples[(given + moment) * channels + channel]
        made[moment * channels + channel] = own + share * (made[moment * channels + channel] - own)
      }
    }
    result.append(contentsOf: made[..<(count * channels)])
    made.removeFirst(count * channels)
    given += count
  }

  /// Goes over to the sound's own end, from a moment of what is made on.
  ///
  /// The waves of the two do not fall together: the power between them is kept, and not the sum.
  private mutating func goOver(_ first: Int) {
    var (both, own, other): (Float, Float, Float) = (0, 1e-20, 1e-20)
    for (index, end) in tail.samples.enumerated() {
      let value = made[first * channels + index]
      both += value * end
      own += value * value
      other += end * end
    }
    let likeness = max(-0.5, both / (own * other).squareRoot())
    for moment in 0..<fade {
      let share = rise(moment)
      let rest = 1 - share
      let power: Float = share * share + rest * rest + 2 * share * rest * likeness
      let (a, b) = (rest / power.squareRoot(), share / power.squareRoot())
      for channel in 0..<channels {
        let place = (first + moment) * channels + channel
        made[place] = a * made[place] + b * tail.samples[moment * channels + channel]
      }
    }
  }

  private func rise(_ moment: Int) -> Float {
    Float(0.5 - 0.5 * cos(Double.pi * (Double(moment) + 0.5) / Double(fade)))
  }
}
