/// Sound at another tempo and the same pitch, for work that may take its time.
///
/// It is taken apart into its frequencies, whose phases go on at the new tempo; what sets in does so at once. At a tempo of 1 what comes
/// out is what went in. Not thread-safe.
package struct SpectralStretcher {
  private let channels: Int
  private let map: TimeMap
  private let lead: Int
  private var finder: AttackFinder
  private var vocoder: PhaseVocoder
  private var taken = 0
  private var given = 0

  /// - Parameters:
  ///   - tempo: How many seconds of input are heard in one; above 0.
  ///   - rate: Moments in a second.
  ///   - channels: How many; samples of one moment lie together.
  ///   - lead: How many moments of the input come before the output begins: what was heard before it.
  ///   - length: How long the output is; what is put in beyond it is what is heard then. `nil` for all that is put in.
  package init(tempo: Double, rate: Int, channels: Int, lead: Int = 0, length: Int? = nil) {
    self.channels = channels
    self.lead = lead
    map = TimeMap(tempo: tempo, end: length)
    finder = AttackFinder(rate: rate, channels: channels, begin: -lead)
    vocoder = PhaseVocoder(map: map, rate: rate, channels: channels, lead: lead, delay: finder.block)
  }

  /// Takes more input, and appends all output that can be made now.
  package mutating func process(_ samples: [Float], into result: inout [Float]) {
    taken += samples.count / channels
    stretch(samples, finder.process(samples), &result)
  }

  /// Appends the rest: all output together takes as long as the input at the tempo.
  package mutating func finish(into result: inout [Float]) {
    let end = map.end ?? map.output(at: taken - lead)
    while given < end {
      stretch([Float](repeating: 0, count: 8192 * channels), [], &result)
    }
    result.removeLast((given - end) * channels)
    given = end
  }

  private mutating func stretch(_ samples: [Float], _ attacks: [Int], _ result: inout [Float]) {
    let before = result.count
    vocoder.process(samples, attacks: attacks, into: &result)
    given += (result.count - before) / channels
  }
}
