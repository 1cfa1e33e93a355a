import CoreMedia
import SeededNumbers
import Testing

/// Times of all sizes, many of them at the limits, the same in every run.
private func times(_ count: Int, seed: UInt64) -> [CMTime] {
  var generator = SeededGenerator(seed: seed)
  return (0..<count).map { _ in
    let scales: [Int32] = [
      1, 2, 3, 24, 25, 30, 600, 1001, 30000, 44100, 48000, 90000, 1_000_000_000, .max, .max - 1,
    ]
    let scale =
      Bool.random(using: &generator)
      ? scales.randomElement(using: &generator) ?? 1 : Int32.random(in: 1...Int32.max, using: &generator)
    let width = Int64.random(in: 0...63, using: &generator)
    let value = Int64(truncatingIfNeeded: generator.next()) >> width
    return CMTime(value: Bool.random(using: &generator) ? value : -(value + 1), timescale: scale)
  }
}

private func exact(_ time: CMTime) -> ExactFraction {
  ExactFraction(ExactNumber(time.value), ExactNumber(Int64(time.timescale)))
}

/// The reason why a result is not the documented rounding of `expected`; `nil` when it is.
private func fault(_ result: CMTime, _ expected: ExactFraction, startingScale: Int32) -> String? {
  guard result.isValid else { return "invalid" }
  let limit = ExactNumber(Int64.max) + ExactNumber(1)
  // |expected × scale| must be below 2^63 - 1/2 to be rounded into 64 bits.
  func fits(_ scale: Int32) -> Bool {
    let doubled = expected.numerator * ExactNumber(Int64(scale)) * ExactNumber(2)
    let bound = (limit * ExactNumber(2) - ExactNumber(1)) * expected.denominator
    return doubled < bound && -bound - (expected.denominator + expected.denominator) < doubled
  }
  var scale = startingScale
  while scale > 1, !fits(scale) { scale /= 2 }
  guard fits(scale) else {
    let isNegative = expected.numerator < ExactNumber(0)
    return result.isPositiveInfinity != isNegative && result.isNegativeInfinity == isNegative
      ? nil : "not infinite"
  }
  guard result.isNumeric else { return "not a number" }
  guard result.timescale == scale else { return "timescale \(result.timescale), not \(scale)" }
  let error =
    expected.numerator * ExactNumber(Int64(scale)) - ExactNumber(result.value) * expected.denominator
  guard !(expected.denominator < error.magnitude * ExactNumber(2)) else { return "off by more than a half" }
  return result.hasBeenRounded == !error.isZero ? nil : "wrong about being rounded"
}

private func leastCommonMultiple(_ a: Int32, _ b: Int32) -> Int32 {
  var (x, y) = (Int64(a), Int64(b))
  while y != 0 { (x, y) = (y, x % y) }
  return Int32(clamping: Int64(a) / x * Int64(b))
}

@Suite struct `CMTime arithmetic` {
  @Test func `sums and differences are the exact ones, rounded once`() {
    for (a, b) in zip(times(3000, seed: 1), times(3000, seed: 2)) {
      let scale = leastCommonMultiple(a.timescale, b.timescale)
      #expect(fault(a + b, exact(a) + exact(b), startingScale: scale) == nil, "\(a) + \(b)")
      #expect(fault(a - b, exact(a) + -exact(b), startingScale: scale) == nil, "\(a) - \(b)")
    }
  }

  @Test func `products with integers are the exact ones, rounded once`() {
    var generator = SeededGenerator(seed: 3)
    for time in times(3000, seed: 4) {
      let factor = Int32(truncatingIfNeeded: generator.next()) >> Int32.random(in: 0...31, using: &generator)
      let expected = exact(time) * ExactFraction(ExactNumber(Int64(factor)), ExactNumber(1))
      let product = CMTimeMultiply(time, multiplier: factor)
      #expect(fault(product, expected, startingScale: time.timescale) == nil, "\(time) × \(factor)")
    }
  }

  @Test func `products with floating-point numbers are the exact ones, rounded once`() {
    var generator = SeededGenerator(seed: 5)
    for time in times(3000, seed: 6) {
      let exponent = Int.random(in: -80...70, using: &generator)
      let significand = Int64(generator.next() >> 12)
      let factor = Double(significand) * Double(sign: .plus, exponent: exponent - 52, significand: 1)
      var scale = time.timescale
      while scale < 65536 { scale *= 2 }
      var expected = exact(time) * ExactFraction(ExactNumber(significand), ExactNumber(1))
      for _ in 0..<abs(exponent - 52) {
        if exponent > 52 {
          expected.numerator = expected.numerator * ExactNumber(2)
        } else {
          expected.denominator = expected.denominator * ExactNumber(2)
        }
      }
      let product = CMTimeMultiplyByFloat64(time, multiplier: factor)
      #expect(fault(product, expected, startingScale: scale) == nil, "\(time) × \(factor)")
      #expect(CMTimeMultiplyByFloat64(time, multiplier: -factor) == CMTimeSubtract(.zero, product))
    }
  }

  @Test func `ratios are exact wherever a timescale for that exists`() {
    var generator = SeededGenerator(seed: 7)
    for time in times(3000, seed: 8) {
      let multiplier =
        Int32(truncatingIfNeeded: generator.next()) >> Int32.random(in: 0...31, using: &generator)
      var divisor = Int32(truncatingIfNeeded: generator.next()) >> Int32.random(in: 0...31, using: &generator)
      if divisor == 0 { divisor = -1 }
      let ratio = ExactFraction(ExactNumber(Int64(multiplier)), ExactNumber(Int64(divisor)))
      var expected = exact(time) * ratio
      if expected.denominator < ExactNumber(0) {
        expected = ExactFraction(-expected.numerator, -expected.denominator)
      }
      let result = CMTimeMultiplyByRatio(time, multiplier: multiplier, divisor: divisor)
      if result.isNumeric, !result.hasBeenRounded {
        #expect(exact(result).compared(to: expected) == 0, "\(time) × \(multiplier) / \(divisor)")
      } else {
        #expect(fault(result, expected, startingScale: result.isNumeric ? result.timescale : 1) == nil)
      }
    }
    #expect(CMTimeMultiplyByRatio(CMTime(value: 1, timescale: 30), multiplier: 1, divisor: 2).timescale == 60)
    #expect(
      CMTimeMultiplyByRatio(CMTime(value: 10, timescale: 600), multiplier: 3, divisor: 2).timescale == 600)
    #expect(CMTimeMultiplyByRatio(.zero, multiplier: 1, divisor: 0).isValid == false)
    #expect(
      CMTimeMultiplyByRatio(CMTime(value: -1, timescale: 1), multiplier: 1, divisor: 0).isNegativeInfinity)
  }

  @Test func `addition commutes and subtraction undoes it`() {
    for (a, b) in zip(times(2000, seed: 9), times(2000, seed: 10)) {
      #expect(a + b == b + a)
      let sum = a + b
      if sum.isNumeric, !sum.hasBeenRounded {
        let back = sum - b
        if !back.hasBeenRounded { #expect(back == a) }
      }
      #expect(a - a == .zero)
    }
  }

  @Test func `infinities and the unknown follow the header's table`() {
    let one = CMTime(value: 1, timescale: 1)
    #expect((CMTime.positiveInfinity + .positiveInfinity).isPositiveInfinity)
    #expect((CMTime.negativeInfinity + .negativeInfinity).isNegativeInfinity)
    #expect(!(CMTime.positiveInfinity + .negativeInfinity).isValid)
    #expect(!(CMTime.positiveInfinity - .positiveInfinity).isValid)
    #expect((CMTime.negativeInfinity - .positiveInfinity).isNegativeInfinity)
    #expect((one - .negativeInfinity).isPositiveInfinity)
    #expect((one + .indefinite).isIndefinite)
    #expect((CMTime.indefinite + .negativeInfinity).isNegativeInfinity)
    #expect(!(one + .invalid).isValid)
    #expect(!(CMTime.positiveInfinity - .invalid).isValid)
    #expect(CMTimeMultiply(.positiveInfinity, multiplier: -2).isNegativeInfinity)
    #expect(CMTimeMultiplyByFloat64(.negativeInfinity, multiplier: -0.5).isPositiveInfinity)
    #expect(CMTimeMultiplyByFloat64(one, multiplier: .infinity).isPositiveInfinity)
    #expect(!CMTimeMultiplyByFloat64(one, multiplier: .nan).isValid)
    #expect(CMTimeAbsoluteValue(.negativeInfinity).isPositiveInfinity)
    #expect(CMTimeAbsoluteValue(CMTime(value: -3, timescale: 2)) == CMTime(value: 3, timescale: 2))
    #expect(CMTimeAbsoluteValue(CMTime(value: .min, timescale: 2)).hasBeenRounded == false)
  }

  @Test func `times of two epochs do not add up`() {
    let second = CMTimeMakeWithEpoch(value: 5, timescale: 1, epoch: 2)
    let third = CMTimeMakeWithEpoch(value: 9, timescale: 1, epoch: 3)
    let duration = CMTime(value: 4, timescale: 1)
    #expect(!(third - second).isValid)
    #expect((second + duration).epoch == 2)
    #expect((second + duration).value == 9)
    let difference = CMTimeMakeWithEpoch(value: 7, timescale: 1, epoch: 2) - second
    #expect(difference.epoch == 0)
    #expect(difference.value == 2)
  }

  @Test func `the rounded flag is inherited`() {
    let rounded = CMTimeConvertScale(CMTime(value: 1, timescale: 3), timescale: 10, method: .default)
    #expect(rounded.hasBeenRounded)
    #expect((rounded + CMTime(value: 1, timescale: 10)).hasBeenRounded)
    #expect(CMTimeMultiply(rounded, multiplier: 3).hasBeenRounded)
    #expect(CMTimeMultiplyByRatio(rounded, multiplier: 1, divisor: 3).hasBeenRounded)
  }
}

@Suite struct `CMTime order` {
  @Test func `every time has its place`() {
    let ordered: [CMTime] = [
      .negativeInfinity, CMTime(value: .min, timescale: 1), CMTime(value: -1, timescale: 3), .zero,
      CMTime(value: 333_333_333, timescale: 1_000_000_000), CMTime(value: 1, timescale: 3),
      CMTime(value: .max, timescale: 1), CMTimeMakeWithEpoch(value: -5, timescale: 1, epoch: 1), .indefinite,
      .positiveInfinity, .invalid,
    ]
    for (i, a) in ordered.enumerated() {
      for (j, b) in ordered.enumerated() {
        #expect(CMTimeCompare(a, b) == (i < j ? -1 : i > j ? 1 : 0), "\(a) \(b)")
      }
    }
  }

  @Test func `numbers compare as exact fractions, and equal ones hash alike`() {
    var generator = SeededGenerator(seed: 12)
    for (a, b) in zip(times(3000, seed: 13), times(3000, seed: 14)) {
      #expect(CMTimeCompare(a, b) == exact(a).compared(to: exact(b)))
      #expect(CMTimeMinimum(a, b) <= CMTimeMaximum(a, b))
      let factor = Int32.random(in: 1...1000, using: &generator)
      let (scale, overflows) = a.timescale.multipliedReportingOverflow(by: factor)
      let (value, tooLong) = a.value.multipliedReportingOverflow(by: Int64(factor))
      if !overflows, !tooLong {
        let same = CMTime(value: value, timescale: scale)
        #expect(same == a)
        #expect(Set([same, a]).count == 1)
      }
    }
  }
}
