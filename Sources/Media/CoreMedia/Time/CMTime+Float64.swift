/// Gives a time multiplied with a floating-point number, rounded once from the exact product.
///
/// The timescale is doubled until it is at least 65536, so that something of the fraction is left, then halved as long
/// as the value overflows; at 1 the result becomes infinite.
///
/// - Returns: Invalid when the multiplier is not a number, or when zero meets infinity.
public func CMTimeMultiplyByFloat64(_ time: CMTime, multiplier: Float64) -> CMTime {
  guard !multiplier.isNaN, time.isValid else { return .invalid }
  if time.isIndefinite { return time }
  let isNegative = (multiplier < 0) != (time.isNegativeInfinity || (time.isNumeric && time.value < 0))
  let infinity: CMTime = isNegative ? .negativeInfinity : .positiveInfinity
  guard time.isNumeric else { return multiplier == 0 ? .invalid : infinity }
  guard time.timescale > 0 else { return .invalid }
  guard multiplier.isFinite else { return time.value == 0 ? .invalid : infinity }

  var timescale = UInt128(time.timescale)
  while timescale < 65536 { timescale *= 2 }
  while timescale > 0 {
    let scaled = product(time, multiplier, timescale)
    if let scaled, scaled.value <= UInt128(Int64.max) {
      let value = isNegative ? -Int64(scaled.value) : Int64(scaled.value)
      let isExact = scaled.isExact && !time.hasBeenRounded
      return CMTime(
        value: value, timescale: Int32(timescale), flags: isExact ? .valid : [.valid, .hasBeenRounded],
        epoch: time.epoch)
    }
    timescale /= 2
  }
  return infinity
}

/// The magnitude of `time × multiplier × timescale`, halves rounded up; `nil` when it needs 128 bits or more.
private func product(_ time: CMTime, _ multiplier: Double, _ timescale: UInt128) -> (
  value: UInt128, isExact: Bool
)? {
  // multiplier = significand × 2^exponent, with a whole significand of 53 bits.
  guard multiplier != 0 else { return (0, true) }
  var significand = UInt128(multiplier.magnitude.significandBitPattern)
  var exponent = -1074
  if multiplier.isNormal {
    significand |= 1 << 52
    exponent = Int(multiplier.exponentBitPattern) - 1075
  }
  // 63 + 53 bits.
  var factor = UInt128(time.value.magnitude) * significand
  if exponent > 0 {
    guard exponent <= factor.leadingZeroBitCount else { return nil }
    factor <<= UInt128(exponent)
    exponent = 0
  }
  let divisor = UInt128(time.timescale)
  let wide = factor.multipliedFullWidth(by: timescale)
  let high = wide.high.quotientAndRemainder(dividingBy: divisor)
  let low = divisor.dividingFullWidth((high.remainder, wide.low))
  let shift = -exponent
  // The quotient has below 147 bits, so a longer shift leaves nothing.
  guard shift < 150 else { return (0, factor == 0) }
  guard shift > 0 else {
    guard high.quotient == 0 else { return nil }
    let roundsUp = low.remainder >= divisor - low.remainder
    return (low.quotient + (roundsUp && low.remainder != 0 ? 1 : 0), low.remainder == 0)
  }
  let quotient = WideQuotient(high: high.quotient, low: low.quotient)
  guard let whole = quotient.shiftedRight(by: shift) else { return nil }
  let isExact = low.remainder == 0 && quotient.hasNoBits(below: shift)
  return (whole + (quotient.hasBit(shift - 1) ? 1 : 0), isExact)
}

/// An unsigned number of 256 bits, as far as one multiplication needs it.
private struct WideQuotient {
  let high: UInt128
  let low: UInt128

  func hasBit(_ index: Int) -> Bool {
    index < 128 ? (low >> UInt128(index)) & 1 == 1 : (high >> UInt128(index - 128)) & 1 == 1
  }

  func hasNoBits(below count: Int) -> Bool {
    count < 128
      ? low & ((1 << UInt128(count)) - 1) == 0 : low == 0 && high & ((1 << UInt128(count - 128)) - 1) == 0
  }

  func shiftedRight(by count: Int) -> UInt128? {
    if count >= 128 { return high >> UInt128(count - 128) }
    guard high >> UInt128(count) == 0 else { return nil }
    return (low >> UInt128(count)) | (high << UInt128(128 - count))
  }
}
