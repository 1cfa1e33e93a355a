internal import Foundation

/// Audio at another tempo and the same pitch.
///
/// Pieces of the input are laid over each other at another distance; each is moved by up to 10 ms so that it goes on where the one
/// before it would have. Where a sound sets in no piece is moved, if that is asked for: pieces before it end where it begins, and those
/// behind it begin behind it. At a tempo of 1 what comes out is what went in. Not thread-safe.
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
  private var finder: AttackFinder?
  /// Where the input sets in, as far as it is known and of interest.
  private var attacks: [Int] = []

  /// - Parameters:
  ///   - tempo: How many seconds of input are heard in one; above 0.
  ///   - rate: Moments in a second.
  ///   - channels: How many; samples of one moment lie together.
  ///   - keepsAttacks: Whether what sets in is heard once, and where it belongs; takes 40 ms of input more before output comes.
  package init(tempo: Double, rate: Int, channels: Int, keepsAttacks: Bool = false) {
    if keepsAttacks { finder = AttackFinder(rate: rate, channels: channels, begin: 0) }
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
    // The beginning of the sound is none.
    attacks += finder?.process(samples).filter { $0 >= hop } ?? []
    while true {
      let ideal = Int((Double(count * hop) * tempo).rounded())
      var needed = max(ideal + reach, last + hop) + hop
      if let finder { needed = max(needed + hop, moment(at: (count + 1) * hop)) + finder.block }
      guard passed + input.count / channels >= needed else { return }
      if let attack = attackOfNextPiece() {
        let begin = attack.input - attack.moment
        mix(from: begin, at: attack.moment, into: &output)
        last = begin
      } else {
        let begin = count == 0 || tempo == 1 ? ideal : best(in: places(around: ideal))
        mix(from: begin, at: nil, into: &output)
        last = begin
      }
      count += 1
      let next = moment(at: count * hop)
      attacks.removeAll { $0 < next - 4 * hop - reach }
      forget(before: min(last + hop, next - reach - (finder == nil ? 0 : 2 * hop)))
    }
  }

  /// The moment of the input that is heard at one of the output.
  private func moment(at output: Int) -> Int { Int((Double(output) * tempo).rounded()) }

  /// When the sound that sets in at a moment of the input is heard.
  private func heard(_ attack: Int) -> Int { Int((Double(attack) / tempo).rounded()) }

  /// What sets in while the next piece fades in, and how long after that begins; the piece then begins with it.
  private func attackOfNextPiece() -> (input: Int, moment: Int)? {
    guard count > 0, tempo != 1, let input = attacks.first(where: { heard($0) >= count * hop }) else {
      return nil
    }
    let moment = heard(input) - count * hop
    return moment < hop && input - moment >= passed ? (input, moment) : nil
  }

  /// Where the next piece may begin: near its place, behind what has set in, and such that it ends before what is still to.
  private func places(around ideal: Int) -> ClosedRange<Int> {
    var (low, high) = (ideal - reach, ideal + reach)
    if let next = attacks.first(where: { heard($0) >= (count + 1) * hop }) {
      high = min(high, next - 2 * hop)
      // With a choice, for the same piece over and over would be a tone.
      low = min(low, high - reach)
    }
    if let former = attacks.last(where: { heard($0) < count * hop }), let finder {
      low = min(max(low, former + finder.block), high)
    }
    low = max(low, passed)
    return low...max(low, high)
  }

  private mutating func forget(before place: Int) {
    let gone = min(place - passed, input.count / channels)
    // Moved in larger pieces, for each move costs.
    guard gone > 8 * hop else { return }
    input.removeFirst(gone * channels)
    passed += gone
  }

  /// The piece before fades out while this one fades in: slowly, or within 2 ms before the moment at which something sets in.
  private func mix(from begin: Int, at attack: Int?, into output: inout [Float]) {
    let (old, new) = ((last + hop - passed) * channels, (begin - passed) * channels)
    var rise = rise
    if let attack {
      let fade = Float(max(1, reach / 5))
      for moment in 0..<hop { rise[moment] = max(0, min(1, 1 - Float(attack - moment) / fade)) }
    }
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

  /// The place where the input goes on most like behind the piece before.
  private func best(in places: ClosedRange<Int>) -> Int {
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
      func search(_ candidates: some Sequence<Int>, _ step: Int) -> Int {
        var (found, most) = (places.lowerBound, -Float.infinity)
        for place in candidates {
          let value = likeness(place, step)
          if value > most { (found, most) = (place, value) }
        }
        return found
      }
      let rough = search(stride(from: places.lowerBound, through: places.upperBound, by: 8), 12)
      return search(max(places.lowerBound, rough - 7)...min(places.upperBound, rough + 7), 5)
    }
  }
}
