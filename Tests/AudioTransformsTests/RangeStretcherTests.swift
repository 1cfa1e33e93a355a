import AudioTransforms
import Foundation
import Testing

@Suite("A range of a sound at another tempo")
struct RangeStretcherTests {
  private static let rate = 16_000

  /// A sound of tones, of so many seconds, whose zero is `lead` moments behind the first sample.
  private func tones(_ frequencies: [Double], count: Int, lead: Int) -> [Float] {
    (0..<count).map { index in
      let time = Double(index - lead) / Double(Self.rate)
      return Float(frequencies.reduce(0) { $0 + 0.2 * sin(2 * .pi * $1 * time) })
    }
  }

  private func stretched(
    _ method: RangeStretcher.Method, _ input: [Float], lead: Int, frames: Int, length: Int, piece: Int = 700
  ) -> [Float] {
    var stretcher = RangeStretcher(
      method, frames: frames, length: length, lead: lead, rate: Self.rate, channels: 1)
    var output: [Float] = []
    for start in stride(from: 0, to: input.count, by: piece) {
      stretcher.process(Array(input[start..<min(start + piece, input.count)]), into: &output)
    }
    stretcher.finish(into: &output)
    return output
  }

  @Test(arguments: [RangeStretcher.Method.waveform, .spectrum], [0.25, 0.5, 0.9, 1.5, 4])
  func `it begins and ends as the sound does, and is as long as it should be`(
    method: RangeStretcher.Method, tempo: Double
  ) {
    let (lead, frames) = (4000, 8000)
    let length = Int(Double(frames) / tempo)
    let input = tones([300, 505, 1210], count: lead + frames + 4000, lead: lead)
    let output = stretched(method, input, lead: lead, frames: frames, length: length)
    #expect(output.count == length)
    for index in 0..<8 {
      #expect(abs(output[index] - input[lead + index]) < 0.02)
      #expect(abs(output[length - 1 - index] - input[lead + frames - 1 - index]) < 0.02)
    }
    // Nowhere is it much louder or quieter than the sound.
    let usual = input.map { $0 * $0 }.reduce(0, +) / Float(input.count)
    for start in stride(from: 0, to: length - 800, by: 400) {
      let power = output[start..<start + 800].map { $0 * $0 }.reduce(0, +) / 800
      #expect(power > usual / 4 && power < usual * 3, "\(start) of \(length)")
    }
  }

  @Test(arguments: [RangeStretcher.Method.waveform, .spectrum])
  func `pieces of any size give the same`(method: RangeStretcher.Method) {
    let input = tones([300, 505], count: 9000, lead: 2000)
    let first = stretched(method, input, lead: 2000, frames: 5000, length: 9000, piece: 1)
    let second = stretched(method, input, lead: 2000, frames: 5000, length: 9000, piece: 9000)
    #expect(first == second)
  }

  @Test(arguments: [RangeStretcher.Method.waveform, .spectrum])
  func `a range may be as short as a sample, and lie at either end of the sound`(
    method: RangeStretcher.Method
  ) {
    for (frames, length) in [(1, 1), (1, 30), (40, 1), (2, 3), (1000, 2000)] {
      let input = tones([300], count: frames, lead: 0)
      let output = stretched(method, input, lead: 0, frames: frames, length: length)
      #expect(output.count == length && output.allSatisfy { abs($0) < 0.5 })
    }
  }

  @Test(arguments: [0.5, 1.0 / 3, 0.25, 2], [RangeStretcher.Method.spectrum, .waveform])
  func `a tone that sets in is not heard before`(tempo: Double, method: RangeStretcher.Method) {
    // Dying tones with a sharp beginning, over one that lasts.
    var input = tones([150], count: 48_000, lead: 0).map { $0 * 0.1 }
    let onsets = (1..<9).map { $0 * 4800 + 37 }
    for onset in onsets {
      for index in 0..<4000 {
        let time = Double(index) / Double(Self.rate)
        input[onset + index] += Float(0.5 * exp(-time * 20) * cos(2 * .pi * 700 * time))
      }
    }
    let length = Int(Double(input.count) / tempo)
    let output = stretched(method, input, lead: 0, frames: input.count, length: length)
    for onset in onsets {
      let place = Int(Double(onset) / tempo)
      let near = place - 1600..<min(place + 480, length)
      let loudest = near.map { abs(output[$0]) }.max() ?? 0
      #expect(loudest > 0.25)
      let first = near.first { abs(output[$0]) > loudest * 0.3 } ?? 0
      #expect(abs(first - place) < Self.rate / 100, "\(Double(first - place) / 16) ms")
    }
  }
}
