internal import Foundation

/// Another sample rate for one channel, sample by sample exact in time, over stretches of whatever length.
///
/// Each output sample is the input, weighted around its moment with a windowed sinc: half a kernel of input that follows is
/// needed before it can be made, so the last half kernel of a stream is never heard (a third of a millisecond at 48 kHz).
/// Frequencies that the lower of both rates cannot hold are cut off.
///
/// Not thread-safe. Cost: about 40 multiplications a sample when the rate rises, more by the ratio when it falls.
/// Source: Kaiser's window, Oppenheim and Schafer, Discrete-Time Signal Processing, section 7.5.3.
package struct Resampler {
  /// Zero crossings of the sinc on each side; less lets more of what must be cut off through.
  private static let crossings = 20
  /// Places between two input samples for which weights are kept; between them weights are blended.
  private static let phases = 512
  /// Kaiser's beta: what must be cut off is 90 dB down.
  private static let beta = 9.0

  /// Output rate over input rate is `up / down`, in lowest terms.
  private let up: Int
  private let down: Int
  /// Input samples on each side of the moment.
  private let reach: Int
  /// The weights for each phase, one after the other, and the first phase of the next sample behind them.
  private let weights: [Float]
  private var input: [Float]
  /// The number of input samples before those in `input`; those before the stream are zeros.
  private var passed: Int
  /// The number of output samples so far.
  private var made = 0

  /// From one rate to another, in whole hertz.
  package init(from inputRate: Int, to outputRate: Int) {
    var (a, b) = (inputRate, outputRate)
    while b != 0 { (a, b) = (b, a % b) }
    up = outputRate / a
    down = inputRate / a
    let cutoff = min(1, Double(outputRate) / Double(inputRate))
    reach = Int((Double(Self.crossings) / cutoff).rounded(.up))
    weights = Self.weights(reach: reach, cutoff: cutoff)
    input = [Float](repeating: 0, count: reach)
    passed = -reach
  }

  /// The distance of the next output sample from the end of the input until now, in input samples; mostly below zero.
  package var nextPosition: Double {
    Double(made * down) / Double(up) - Double(passed + input.count)
  }

  /// Takes more input and appends all output that can be made now.
  package mutating func process(_ samples: some Sequence<Float>, into output: inout [Float]) {
    input.append(contentsOf: samples)
    let taps = 2 * reach
    while true {
      let position = made * down
      let whole = position / up
      // Samples whole - reach + 1 … whole + reach are needed.
      let first = whole - reach + 1 - passed
      guard first + taps <= input.count else { break }
      let place = Double(position % up) / Double(up) * Double(Self.phases)
      let phase = Int(place)
      let blend = Float(place - Double(phase))
      output.append(sum(from: first, phase: phase, blend: blend, taps: taps))
      made += 1
    }
    let done = (made * down) / up - reach + 1 - passed
    if done > 0 {
      input.removeFirst(min(done, input.count))
      passed += done
    }
    // Keeps the counts small for ever: a whole number of periods says nothing.
    if made > 1 << 40, made % up == 0 {
      passed -= made / up * down
      made = 0
    }
  }

  private func sum(from first: Int, phase: Int, blend: Float, taps: Int) -> Float {
    input.withUnsafeBufferPointer { input in
      weights.withUnsafeBufferPointer { weights in
        var near: Float = 0, far: Float = 0
        let row = phase * taps
        for tap in 0..<taps {
          let sample = input[first + tap]
          near += sample * weights[row + tap]
          far += sample * weights[row + taps + tap]
        }
        return near + (far - near) * blend
      }
    }
  }

  /// The sinc in its window for `phases + 1` places between two samples; each row sums to 1, so that a constant stays one.
  private static func weights(reach: Int, cutoff: Double) -> [Float] {
    let taps = 2 * reach
    var rows: [Float] = []
    rows.reserveCapacity((phases + 1) * taps)
    let whole = bessel(beta)
    for phase in 0...phases {
      let fraction = Double(phase) / Double(phases)
      let row = (0..<taps).map { tap -> Double in
        let distance = Double(tap - reach + 1) - fraction
        let turned = .pi * distance * cutoff
        let sinc = turned == 0 ? 1 : sin(turned) / turned
        let edge = distance / Double(reach)
        return abs(edge) >= 1 ? 0 : sinc * bessel(beta * (1 - edge * edge).squareRoot()) / whole
      }
      let sum = row.reduce(0, +)
      rows.append(contentsOf: row.map { Float($0 / sum) })
    }
    return rows
  }

  /// The modified Bessel function of order 0, by its power series.
  private static func bessel(_ x: Double) -> Double {
    var term = 1.0, sum = 1.0, k = 1.0
    while term > 1e-12 * sum {
      term *= (x / 2 / k) * (x / 2 / k)
      sum += term
      k += 1
    }
    return sum
  }
}
