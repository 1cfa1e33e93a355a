/// Gives the sum of two times.
///
/// The timescale of the result is the least common multiple of both, or the largest timescale where that has no room;
/// it is halved as long as the value overflows, and at 1 becomes an infinity. The sum is rounded once, at the end, and
/// says so in `hasBeenRounded`.
///
/// - Returns: Invalid when one is invalid, when opposite infinities meet, or when both have epochs, and different ones.
///   Two times of one epoch give a duration, epoch 0.
public func CMTimeAdd(_ lhs: CMTime, _ rhs: CMTime) -> CMTime {
  guard lhs.isNumeric, rhs.isNumeric else { return sumOfNonNumeric(lhs, rhs) }
  return sum(lhs, rhs, Int128(rhs.value))
}

/// Gives the difference of two times, under the rules of ``CMTimeAdd(_:_:)``.
///
/// - Returns: Invalid when one is invalid, when equal infinities meet, or when both have epochs, and different ones.
public func CMTimeSubtract(_ lhs: CMTime, _ rhs: CMTime) -> CMTime {
  guard lhs.isNumeric, rhs.isNumeric else { return sumOfNonNumeric(lhs, negated(rhs)) }
  return sum(lhs, rhs, -Int128(rhs.value))
}

/// Gives a time taken `multiplier` times.
///
/// The timescale stays, unless the value overflows: then it is halved until it fits, and at 1 the result is infinite.
public func CMTimeMultiply(_ time: CMTime, multiplier: Int32) -> CMTime {
  guard time.isNumeric else { return multiplier < 0 ? negated(time) : time }
  guard time.timescale > 0 else { return .invalid }
  return fitting(
    Int128(time.value) * Int128(multiplier), over: Int128(time.timescale), timescale: time.timescale,
    isRounded: time.hasBeenRounded, epoch: time.epoch)
}

/// Gives a time multiplied with one integer and divided by another, exactly where a timescale for that exists.
///
/// Otherwise the largest timescale in which the value fits, rounded to the nearest.
///
/// - Returns: Infinite when only `divisor` is zero; invalid when it is and the time or the multiplier is too.
public func CMTimeMultiplyByRatio(_ time: CMTime, multiplier: Int32, divisor: Int32) -> CMTime {
  guard time.isNumeric else { return (multiplier < 0) != (divisor < 0) ? negated(time) : time }
  guard time.timescale > 0 else { return .invalid }
  let product = Int128(time.value) * Int128(multiplier) * (divisor < 0 ? -1 : 1)
  guard divisor != 0 else {
    return product == 0 ? .invalid : product > 0 ? .positiveInfinity : .negativeInfinity
  }
  return nearest(
    product, over: Int128(time.timescale) * Int128(divisor.magnitude), keeping: time.timescale,
    isRounded: time.hasBeenRounded, epoch: time.epoch)
}

/// Gives the magnitude of a time.
public func CMTimeAbsoluteValue(_ time: CMTime) -> CMTime {
  if time.isNegativeInfinity { return .positiveInfinity }
  guard time.isNumeric, time.value < 0 else { return time }
  guard time.value == .min else {
    return CMTime(value: -time.value, timescale: time.timescale, flags: time.flags, epoch: time.epoch)
  }
  return fitting(
    -Int128(time.value), over: Int128(time.timescale), timescale: time.timescale,
    isRounded: time.hasBeenRounded, epoch: time.epoch)
}

extension CMTime {
  /// The sum; see ``CMTimeAdd(_:_:)``.
  public static func + (addend1: CMTime, addend2: CMTime) -> CMTime { CMTimeAdd(addend1, addend2) }

  /// The difference; see ``CMTimeSubtract(_:_:)``.
  public static func - (minuend: CMTime, subtrahend: CMTime) -> CMTime { CMTimeSubtract(minuend, subtrahend) }
}

private func negated(_ time: CMTime) -> CMTime {
  if time.isPositiveInfinity { return .negativeInfinity }
  if time.isNegativeInfinity { return .positiveInfinity }
  return time
}

/// At least one of the two is no number.
private func sumOfNonNumeric(_ lhs: CMTime, _ rhs: CMTime) -> CMTime {
  guard lhs.isValid, rhs.isValid else { return .invalid }
  let isPositive = lhs.isPositiveInfinity || rhs.isPositiveInfinity
  let isNegative = lhs.isNegativeInfinity || rhs.isNegativeInfinity
  if isPositive { return isNegative ? .invalid : .positiveInfinity }
  return isNegative ? .negativeInfinity : .indefinite
}

private func sum(_ lhs: CMTime, _ rhs: CMTime, _ signedRight: Int128) -> CMTime {
  guard lhs.timescale > 0, rhs.timescale > 0 else { return .invalid }
  guard lhs.epoch == rhs.epoch || lhs.epoch == 0 || rhs.epoch == 0 else { return .invalid }
  let epoch = lhs.epoch == rhs.epoch ? 0 : lhs.epoch + rhs.epoch
  let isRounded = lhs.hasBeenRounded || rhs.hasBeenRounded
  // What a camera does all day: one timescale, far from overflow.
  if lhs.timescale == rhs.timescale, let value = Int64(exactly: Int128(lhs.value) + signedRight) {
    return CMTime(
      value: value, timescale: lhs.timescale, flags: isRounded ? [.valid, .hasBeenRounded] : .valid,
      epoch: epoch)
  }
  let left = Int128(lhs.timescale)
  let right = Int128(rhs.timescale)
  let common = left / greatestCommonDivisor(left, right) * right
  // 63 + 31 bits each: no overflow.
  let numerator = Int128(lhs.value) * (common / left) + signedRight * (common / right)
  return fitting(
    numerator, over: common, timescale: Int32(min(common, Int128(Int32.max))), isRounded: isRounded,
    epoch: epoch)
}

/// The time `numerator / denominator` in `timescale`, halved until the value fits.
///
/// The numerator must have below 96 bits, so that it can be multiplied with a timescale.
func fitting(
  _ numerator: Int128, over denominator: Int128, timescale: Int32, isRounded: Bool, epoch: Int64
) -> CMTime {
  var timescale = timescale
  while true {
    let scaled = ExactQuotient(numerator * Int128(timescale), denominator)
    if let value = Int64(exactly: scaled.rounded()) {
      let isExact = scaled.isWhole && !isRounded
      return CMTime(
        value: value, timescale: timescale, flags: isExact ? .valid : [.valid, .hasBeenRounded], epoch: epoch)
    }
    guard timescale > 1 else { return numerator > 0 ? .positiveInfinity : .negativeInfinity }
    timescale /= 2
  }
}

/// The time `numerator / denominator`, exactly in the smallest multiple of `timescale` where there is one.
func nearest(
  _ numerator: Int128, over denominator: Int128, keeping timescale: Int32, isRounded: Bool, epoch: Int64
) -> CMTime {
  let divisor = greatestCommonDivisor(numerator, denominator)
  let lowest = (numerator: numerator / divisor, denominator: denominator / divisor)
  let flags: CMTimeFlags = isRounded ? [.valid, .hasBeenRounded] : .valid
  let kept = Int128(timescale)
  let multiple = kept / greatestCommonDivisor(kept, lowest.denominator) * lowest.denominator
  for candidate in [multiple, lowest.denominator] {
    if let scale = Int32(exactly: candidate),
      let value = Int64(exactly: lowest.numerator * (candidate / lowest.denominator))
    {
      return CMTime(value: value, timescale: scale, flags: flags, epoch: epoch)
    }
  }
  // The largest timescale whose value still fits has the smallest rounding error that can be promised.
  let room = Int128(Int64.max) * denominator / max(1, Int128(numerator.magnitude))
  let scale = Int32(max(1, min(room, Int128(Int32.max))))
  return fitting(numerator, over: denominator, timescale: scale, isRounded: true, epoch: epoch)
}

/// Euclid's; the result is above zero when one argument is not zero.
func greatestCommonDivisor(_ a: Int128, _ b: Int128) -> Int128 {
  var (a, b) = (a.magnitude, b.magnitude)
  while b != 0 { (a, b) = (b, a % b) }
  return Int128(a)
}
