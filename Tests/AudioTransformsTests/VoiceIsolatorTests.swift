import AudioTransforms
import Foundation
import Testing

@Suite("Voices without noise")
struct VoiceIsolatorTests {
  private static let rate = 16_000.0

  /// Sums of tones that come and go as syllables do, at about -13 dB.
  private func voice(seconds: Double, rate: Double = rate) -> [Double] {
    (0..<Int(seconds * rate)).map { index in
      let time = Double(index) / rate
      let base = 2 * Double.pi * (140 * time - 1.7 * cos(2 * Double.pi * 1.3 * time))
      var sum = 0.0
      for tone in 1...12 {
        let way = (Double(tone) * 140 - 700) / 900
        sum += sin(Double(tone) * base) * exp(-way * way / 2) / Double(tone)
      }
      let syllables = max(0, sin(2 * Double.pi * 2.2 * time)).squareRoot()
      let speaks = sin(2 * Double.pi * 0.31 * time) > -0.6
      return speaks ? 0.25 * sum * syllables : 0
    }
  }

  /// Even noise at -40 dB, the same in every run.
  private func noise(_ count: Int) -> [Double] {
    var state: UInt64 = 42
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (Double(state >> 33) / Double(1 << 31) - 0.5) * 2 * 0.0173
    }
  }

  private func samples(_ values: [Double]) -> [Int16] {
    values.map { Int16(max(-1, min(1, $0)) * 32767) }
  }

  private func isolated(
    _ samples: [Int16], rate: Double = rate, channels: Int = 1, lengths: [Int] = [160]
  ) -> [Int16] {
    var isolator = VoiceIsolator(rate: rate, channels: channels)
    var result: [Int16] = []
    var (place, turn) = (0, 0)
    while place < samples.count {
      let end = min(samples.count, place + lengths[turn % lengths.count] * channels)
      result += samples[place..<end].withUnsafeBufferPointer { isolator.process($0) }
      (place, turn) = (end, turn + 1)
    }
    return result
  }

  /// The level of samples from a time on, in decibels.
  private func level(_ samples: some Sequence<Int16>) -> Double {
    let squares = samples.map { pow(Double($0) / 32767, 2) }
    return 10 * log10(squares.reduce(0, +) / Double(max(squares.count, 1)) + 1e-12)
  }

  private func difference(_ one: some Sequence<Int16>, _ other: some Sequence<Int16>) -> Double {
    let squares = zip(one, other).map { pow((Double($0) - Double($1)) / 32767, 2) }
    return 10 * log10(squares.reduce(0, +) / Double(max(squares.count, 1)) + 1e-12)
  }

  @Test func `noise alone becomes quiet within a second, and no louder before`() {
    let heard = samples(noise(48_000))
    let result = isolated(heard)
    #expect(level(result[16_000...]) < level(heard) - 14, "\(level(result[16_000...])) of \(level(heard))")
    #expect(level(result[..<16_000]) < level(heard) + 0.5)
  }

  @Test func `a voice stays as loud, at its place, and is nearer to what was said than what was heard`() {
    let said = samples(voice(seconds: 6))
    let heard = samples(zip(voice(seconds: 6), noise(96_000)).map { $0 + $1 })
    let result = isolated(heard)
    let (start, end) = (16_000, result.count)
    #expect(end > 96_000 - 600)
    #expect(abs(level(result[start..<end]) - level(said[start..<end])) < 1)
    let before = difference(heard[start..<end], said[start..<end])
    let after = difference(result[start..<end], said[start..<end])
    #expect(after < before - 3, "\(after) dB after \(before) dB")
  }

  @Test func `a voice without noise is hardly changed, and silence not at all`() {
    let said = samples(voice(seconds: 4))
    let result = isolated(said)
    #expect(difference(result, said) < level(said) - 16, "\(difference(result, said) - level(said))")
    let silence = [Int16](repeating: 0, count: 8000)
    #expect(isolated(silence).allSatisfy { $0 == 0 })
  }

  @Test func `the lengths of what comes do not matter`() {
    let heard = samples(zip(voice(seconds: 1), noise(16_000)).map { $0 + $1 })
    let whole = isolated(heard, lengths: [16_000])
    for lengths in [[160], [1], [7, 441, 13], [128], [1000]] {
      #expect(isolated(heard, lengths: lengths) == whole)
    }
  }

  @Test func `channels are cleaned each by itself`() {
    let (left, right) = (samples(voice(seconds: 1)), samples(noise(16_000)))
    let both = zip(left, right).flatMap { [$0, $1] }
    let result = isolated(both, channels: 2)
    let count = result.count / 2
    let lefts: [Int16] = (0..<count).map { result[2 * $0] }
    let rights: [Int16] = (0..<count).map { result[2 * $0 + 1] }
    #expect(lefts == Array(isolated(left)[..<count]))
    #expect(rights == Array(isolated(right)[..<count]))
  }

  @Test(arguments: [8000.0, 44_100, 48_000, 96_000])
  func `at every rate noise is lowered, 20 ms late at most`(
    _ rate: Double
  ) {
    let heard = samples(noise(Int(rate * 1.2)))
    let result = isolated(heard, rate: rate)
    #expect(Double(heard.count - result.count) / rate < 0.045)
    #expect(level(result.suffix(Int(rate * 0.2))) < level(heard) - 12)
  }
}
