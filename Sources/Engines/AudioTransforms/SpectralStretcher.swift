internal import Foundation

/// Sound at another tempo and the same pitch, for work that may take its time.
///
/// What lasts is taken apart into its frequencies, whose phases go on at the new tempo; those around a peak keep their relation to it. What
/// strikes is laid together of short pieces, so that it stays short. At a tempo of 1 what comes out is what went in. Not thread-safe.
///
/// Sources: Laroche and Dolson, Improved phase vocoder time-scale modification of audio, 1999; Driedger, Müller and Ewert, Improving
/// time-scale modification of music signals using harmonic-percussive separation, 2014.
package struct SpectralStretcher {
  private let channels: Int
  private let tempo: Double
  private var separator: SoundSeparator
  private var lasting: PhaseVocoder
  private var striking: PieceStretcher
  private var parts: (lasting: [Float], striking: [Float]) = ([], [])
  private var output: (lasting: [Float], striking: [Float]) = ([], [])
  private var taken = 0
  private var given = 0

  /// - Parameters:
  ///   - tempo: How many seconds of input are heard in one; above 0.
  ///   - rate: Moments in a second.
  ///   - channels: How many; samples of one moment lie together.
  package init(tempo: Double, rate: Int, channels: Int) {
    self.tempo = tempo
    self.channels = channels
    separator = SoundSeparator(rate: rate, channels: channels)
    lasting = PhaseVocoder(tempo: tempo, rate: rate, channels: channels)
    striking = PieceStretcher(tempo: tempo, rate: rate, channels: channels)
  }

  /// Takes more input, and appends all output that can be made now.
  package mutating func process(_ samples: [Float], into result: inout [Float]) {
    taken += samples.count / channels
    separator.process(samples, &parts.lasting, &parts.striking)
    stretch(&result)
  }

  /// Appends the rest: all output together takes as long as the input at the tempo.
  package mutating func finish(into result: inout [Float]) {
    separator.finish(at: taken, &parts.lasting, &parts.striking)
    let end = Int((Double(taken) / tempo).rounded())
    stretch(&result)
    while given < end {
      let silence = [Float](repeating: 0, count: 8192 * channels)
      parts.lasting += silence
      parts.striking += silence
      stretch(&result)
    }
    result.removeLast((given - end) * channels)
    given = end
  }

  private mutating func stretch(_ result: inout [Float]) {
    lasting.process(parts.lasting, into: &output.lasting)
    striking.process(parts.striking, into: &output.striking)
    parts = ([], [])
    let count = min(output.lasting.count, output.striking.count)
    guard count > 0 else { return }
    for index in 0..<count { result.append(output.lasting[index] + output.striking[index]) }
    output.lasting.removeFirst(count)
    output.striking.removeFirst(count)
    given += count / channels
  }
}
