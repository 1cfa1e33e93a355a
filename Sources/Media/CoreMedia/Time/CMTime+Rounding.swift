/// The method of rounding a time to a timescale that cannot express it exactly.
public enum CMTimeRoundingMethod: UInt32, Sendable, Hashable {
  /// To the nearest; halves go away from zero.
  case roundHalfAwayFromZero = 1
  /// Drops the fraction.
  case roundTowardZero = 2
  /// Any fraction counts as a whole.
  case roundAwayFromZero = 3
  /// Towards zero into a coarser timescale, away from zero into a finer one; a negative time never becomes 0.
  case quickTime = 4
  /// To the next later value.
  case roundTowardPositiveInfinity = 5
  /// To the next earlier value.
  case roundTowardNegativeInfinity = 6

  /// Halves away from zero.
  public static var `default`: CMTimeRoundingMethod { .roundHalfAwayFromZero }
}

/// Gives the same time in another timescale, rounded as asked.
///
/// `hasBeenRounded` is set when something was lost, and stays when it was set before. Times that are not numbers come
/// back as they are.
///
/// - Returns: An infinity when the new value has no room in 64 bits; invalid when either timescale is not above zero.
public func CMTimeConvertScale(_ time: CMTime, timescale newTimescale: Int32, method: CMTimeRoundingMethod)
  -> CMTime
{
  guard time.isNumeric else { return time }
  guard newTimescale > 0, time.timescale > 0 else { return .invalid }
  guard newTimescale != time.timescale else { return time }
  let scaled = ExactQuotient(Int128(time.value) * Int128(newTimescale), Int128(time.timescale))
  var value = scaled.rounded(method, intoFinerScale: newTimescale > time.timescale)
  if method == .quickTime, value == 0, time.value < 0 { value = -1 }
  guard let fitting = Int64(exactly: value) else {
    return time.value > 0 ? .positiveInfinity : .negativeInfinity
  }
  var flags = time.flags
  if !scaled.isWhole { flags.insert(.hasBeenRounded) }
  return CMTime(value: fitting, timescale: newTimescale, flags: flags, epoch: time.epoch)
}

/// A whole number and what is left over, of a division that lost nothing yet.
struct ExactQuotient {
  /// Towards zero.
  private let whole: Int128
  /// Has the sign of the dividend.
  private let remainder: Int128
  private let divisor: Int128

  /// `divisor` must be above zero.
  init(_ dividend: Int128, _ divisor: Int128) {
    (whole, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
    self.divisor = divisor
  }

  var isWhole: Bool { remainder == 0 }

  func rounded(_ method: CMTimeRoundingMethod = .default, intoFinerScale: Bool = false) -> Int128 {
    guard remainder != 0 else { return whole }
    let awayFromZero = remainder > 0 ? whole + 1 : whole - 1
    switch method {
    case .roundHalfAwayFromZero:
      // The remainder is compared with its complement, because doubling it could overflow.
      let distance = Int128(remainder.magnitude)
      return distance >= divisor - distance ? awayFromZero : whole
    case .roundTowardZero:
      return whole
    case .roundAwayFromZero:
      return awayFromZero
    case .quickTime:
      return intoFinerScale ? awayFromZero : whole
    case .roundTowardPositiveInfinity:
      return remainder > 0 ? awayFromZero : whole
    case .roundTowardNegativeInfinity:
      return remainder < 0 ? awayFromZero : whole
    }
  }
}
