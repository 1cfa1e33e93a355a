import AudioTransforms
import Foundation
import Testing

@Suite("Sound at another tempo, by its spectrum")
struct SpectralStretcherTests {
  private static let rate = 16_000

  private func stretched(_ input: [Float], _ tempo: Double, channels: Int = 1) -> [Float] {
    var stretcher = SpectralStretcher(tempo: tempo, rate: Self.rate, channels: channels)
    var output: [Float] = []
    var at = 0
    // Pieces of any size give the same.
    for size in sequence(first: 1000, next: { $0 % 3000 + 777 }) {
      guard at < input.count else { break }
      let end = min(input.count, at + size * channels)
      stretcher.process(Array(input[at..<end]), into: &output)
      at = end
    }
    stretcher.finish(into: &output)
    return output
  }

  private func tones(_ frequencies: [Double], seconds: Double) -> [Float] {
    (0..<Int(seconds * Double(Self.rate))).map { moment in
      let time = Double(moment) / Double(Self.rate)
      return Float(frequencies.reduce(0) { $0 + 0.15 * sin(2 * .pi * $1 * time) })
    }
  }

  /// The frequency near `wanted` at which the middle of the sound is loudest, found to a thousandth.
  private func frequency(near wanted: Double, in sound: [Float]) -> Double {
    let part = sound[sound.count / 4..<sound.count * 3 / 4]
    func loudness(_ frequency: Double) -> Double {
      var (real, imaginary) = (0.0, 0.0)
      for (index, value) in part.enumerated() {
        let window = 0.5 - 0.5 * cos(2 * .pi * Double(index) / Double(part.count))
        let angle = 2 * .pi * frequency * Double(index) / Double(Self.rate)
        real += window * Double(value) * cos(angle)
        imaginary += window * Double(value) * sin(angle)
      }
      return real * real + imaginary * imaginary
    }
    let candidates = (-30...30).map { wanted * (1 + Double($0) / 1000) }
    return candidates.max { loudness($0) < loudness($1) } ?? 0
  }

  @Test func `at a tempo of one what comes out is what went in`() {
    let input = tones([440, 1000], seconds: 0.7)
    let output = stretched(input, 1)
    #expect(output.count == input.count)
    #expect(zip(input, output).allSatisfy { abs($0 - $1) < 1e-4 })
  }

  @Test(arguments: [0.5, 1.0 / 3, 2])
  func `the partials of a chord keep their frequencies within a percent, and it takes as long as it should`(
    tempo: Double
  ) {
    let chord = [220, 277.18, 329.63, 440, 1000]
    let input = tones(chord, seconds: 2)
    let output = stretched(input, tempo)
    #expect(output.count == Int((Double(input.count) / tempo).rounded()))
    for partial in chord {
      #expect(abs(frequency(near: partial, in: output) / partial - 1) < 0.01, "\(partial)")
    }
  }

  @Test(arguments: [0.5, 1.0 / 3, 2])
  func `strikes lie within ten milliseconds of where they belong`(tempo: Double) {
    var input = [Float](repeating: 0, count: Self.rate * 2)
    let strikes = stride(from: 0.3, to: 1.8, by: 0.25).map { $0 }
    for strike in strikes {
      for index in 0..<600 {
        let noise = Float((index * 7919 + 13) % 101) / 50 - 1
        input[Int(strike * Double(Self.rate)) + index] += 0.5 * exp(-Float(index) / 100) * noise
      }
    }
    let output = stretched(input, tempo)
    for strike in strikes {
      let place = strike / tempo
      let near = Int((place - 0.05) * Double(Self.rate))..<Int((place + 0.05) * Double(Self.rate))
      let loudest = near.map { abs(output[$0]) }.max() ?? 0
      let first = near.first { abs(output[$0]) > loudest * 0.3 } ?? 0
      #expect(abs(Double(first) / Double(Self.rate) - place) < 0.01, "\(strike)")
    }
  }

  @Test func `channels keep their relation`() {
    let mono = tones([300, 700], seconds: 1)
    let output = stretched(mono.flatMap { [$0, -0.5 * $0] }, 0.5, channels: 2)
    #expect(
      stride(from: 0, to: output.count, by: 2).allSatisfy { abs(output[$0] * -0.5 - output[$0 + 1]) < 1e-3 })
  }
}
