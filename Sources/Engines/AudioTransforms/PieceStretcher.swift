internal import Foundation

/// Lays short pieces of the input together at another distance.
struct PieceStretcher {
  private let channels: Int
  private let tempo: Double
  private let hop: Int
  private let window: [Float]
  private var input: [Float]
  private var begin: Int
  private var count = 0
  private var sum: [Float]

  init(tempo: Double, rate: Int, channels: Int) {
    (self.tempo, self.channels) = (tempo, channels)
    let hop = max(rate / 375, 16)
    self.hop = hop
    window = (0..<2 * hop).map { Float(0.5 - 0.5 * cos(Double.pi * Double($0) / Double(hop))) }
    begin = -hop
    input = [Float](repeating: 0, count: hop * channels)
    sum = [Float](repeating: 0, count: 2 * hop * channels)
  }

  mutating func process(_ samples: [Float], into output: inout [Float]) {
    input.append(contentsOf: samples)
    while true {
      let from = Int((Double(count * hop) * tempo).rounded()) - hop
      guard begin + input.count / channels >= from + 2 * hop else { break }
      let place = (from - begin) * channels
      for index in 0..<2 * hop * channels { sum[index] += input[place + index] * window[index / channels] }
      // The first half of the first piece lies before the beginning.
      if count > 0 { output.append(contentsOf: sum[0..<hop * channels]) }
      sum.removeFirst(hop * channels)
      sum.append(contentsOf: repeatElement(0, count: hop * channels))
      count += 1
      let gone = min(from - begin, input.count / channels)
      if gone > 16 * hop {
        input.removeFirst(gone * channels)
        begin += gone
      }
    }
  }
}
