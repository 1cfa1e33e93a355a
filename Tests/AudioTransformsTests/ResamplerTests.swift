import Foundation
import AudioTransforms
import Testing

@Suite("Resampler")
struct ResamplerTests {
  private static func sine(_ frequency: Double, rate: Double, count: Int) -> [Float] {
    (0..<count).map { Float(0.5 * sin(2 * .pi * frequency * Double($0) / rate)) }
  }

  /// Runs `input` through in stretches of uneven lengths.
  private static func run(_ input: [Float], from: Int, to: Int) -> [Float] {
    var resampler = Resampler(from: from, to: to)
    var output: [Float] = []
    var place = 0
    var length = 7
    while place < input.count {
      let end = min(input.count, place + length)
      resampler.process(input[place..<end], into: &output)
      place = end
      length = length * 37 % 501 + 1
    }
    return output
  }

  @Test(arguments: [(48_000, 44_100), (44_100, 48_000), (48_000, 16_000), (8_000, 48_000), (48_000, 47_999)])
  func `a tone comes out as the same tone at the same time`(from: Int, to: Int) {
    let output = Self.run(Self.sine(997, rate: Double(from), count: from / 2), from: from, to: to)
    let wanted = Self.sine(997, rate: Double(to), count: output.count)
    #expect(abs(output.count - to / 2) < to / 100 + 200)
    // The stream's beginning rings: there was silence before.
    let skipped = to / 100
    let worst = zip(output, wanted).dropFirst(skipped).map { abs($0 - $1) }.max() ?? 1
    #expect(worst < 1e-4, "\(worst)")
  }

  @Test
  func `what the lower rate cannot hold is cut off`() {
    let output = Self.run(Self.sine(15_000, rate: 48_000, count: 24_000), from: 48_000, to: 16_000)
    let worst = output.dropFirst(200).map(abs).max() ?? 1
    #expect(worst < 2e-4, "\(worst)")
  }

  @Test
  func `how the input is cut does not change a sample`() {
    let input = Self.sine(440, rate: 48_000, count: 9_600)
    var resampler = Resampler(from: 48_000, to: 44_100)
    var whole: [Float] = []
    resampler.process(input, into: &whole)
    #expect(Self.run(input, from: 48_000, to: 44_100) == whole)
  }

  @Test
  func `the next position says when a sample lies`() {
    var resampler = Resampler(from: 48_000, to: 24_000)
    #expect(resampler.nextPosition == 0)
    var output: [Float] = []
    resampler.process([Float](repeating: 1, count: 480), into: &output)
    #expect(resampler.nextPosition == Double(2 * output.count - 480))
    #expect(resampler.nextPosition < 0)
  }
}
