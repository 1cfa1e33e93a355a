internal import Foundation

/// Audio at another tempo and the same pitch.
///
/// Pieces of the input are laid over each other at another distance; each is moved by up to 10 ms so that it goes on where the one
/// before it would have. At a tempo of 1 what comes out is what went in. Not thread-safe.
///
/// Source: Verhelst and Roelands, An overlap-add technique based on waveform similarity (WSOLA), ICASSP 1993.
package struct TempoStretcher {
  private let channels: Int
  /// The factor of the speed.
  private let tempo: Double
  /// Half a piece, in moments: 20 ms.
  private let hop: Int
  /// The farthest that a piece may be moved.
  private let reach: Int
  private let rise: [Float]
  private var input: [Float] = []
  /// Moments of the input that are forgotten.
  private var passed = 0
  /// The beginning of the piece before, and the number of pieces.
  private var last: Int
  private var count = 0

  /// - Parameters:
  ///   - tempo: How many seconds of input are heard in one; above 0.
  ///   - rate: Moments in a second.
  ///   - channels: How many; samples of one moment lie together.
  package init(tempo: Double, rate: Int, channels: Int) {
    self.tempo = tempo
    self.channels = channels
    hop = max(rate / 50, 16)
    reach = rate / 100
    last = -hop
    let hop = hop
    rise = (0..<hop).map { Float(0.5 - 0.5 * cos(Double.pi * (Double($0) + 0.5) / Double(hop))) }
  }

  /// The position in the input of the next output, in moments since the beginning.
  package var position: Double { Double(count * hop) * tempo }

  /// Takes more input, and appends all output that can be made now.
  package mutating func process(_ samples: [Float], into output: inout [Float]) {
    input.append(contentsOf: samples)
    while true {
      let ideal = Int((Double(count * hop) * tempo).rounded())
      let first = max(ideal - reach, passed)
      guard passed + input.count / channels >= max(ideal + reach, last + hop) + hop else { return }
      let begin = count == 0 || tempo == 1 ? ideal : best(around: ideal, from: first)
      mix(from: begin, into: &output)
      last = begin
      count += 1
      forget(before: min(last + hop, Int(Double(count * hop) * tempo) - reach))
    }
  }

  private mutating func forget(before place: Int) {
    let gone = min(place - passed, input.count / channels)
    // Moved in larger pieces, for each move costs.
    guard gone > 8 * hop else { return }
    input.removeFirst(gone * channels)
    passed += gone
  }

  /// The piece before fades out while this one fades in.
  private func mix(from begin: Int, into output: inout [Float]) {
    let (old, new) = ((last + hop - passed) * channels, (begin - passed) * channels)
    input.withUnsafeBufferPointer { input in
      rise.withUnsafeBufferPointer { rise in
        output.reserveCapacity(output.count + hop * channels)
        for moment in 0..<hop {
          for channel in 0..<channels {
            let place = moment * channels + channel
            let share = rise[moment]
            output.append(input[old + place] * (1 - share) + input[new + place] * share)
          }
        }
      }
    }
  }

  /// The place near `ideal` where the input goes on most like behind the piece before.
  private func best(around ideal: Int, from first: Int) -> Int {
    input.withUnsafeBufferPointer { input in
      let wanted = (last + hop - passed) * channels
      func likeness(_ place: Int, _ step: Int) -> Float {
        var (product, energy): (Float, Float) = (0, 1e-9)
        let other = (place - passed) * channels
        var moment = 0
        while moment < hop {
          let (a, b) = (input[wanted + moment * channels], input[other + moment * channels])
          product += a * b
          energy += b * b
          moment += step
        }
        return product / energy.squareRoot()
      }
      func search(_ places: some Sequence<Int>, _ step: Int) -> Int {
        var (found, most) = (ideal, -Float.infinity)
        for place in places {
          let value = likeness(place, step)
          if value > most { (found, most) = (place, value) }
        }
        return found
      }
      let rough = search(stride(from: first, through: ideal + reach, by: 8), 12)
      return search(max(first, rough - 7)...min(ideal + reach, rough + 7), 5)
    }
  }
}
