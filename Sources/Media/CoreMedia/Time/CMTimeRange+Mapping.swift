/// Moves a time from one range into another: starts meet starts, ends meet ends, the rest lies in proportion.
///
/// - Returns: Invalid when a range is empty or invalid, or when `t` has another epoch than `fromRange.start`. Between
///   two endless ranges the time is moved without scaling.
public func CMTimeMapTimeFromRangeToRange(_ t: CMTime, fromRange: CMTimeRange, toRange: CMTimeRange) -> CMTime
{
  guard fromRange.isValid, toRange.isValid, !fromRange.isEmpty, !toRange.isEmpty else { return .invalid }
  guard t.isNumeric, fromRange.start.isNumeric else {
    return t.isNumeric ? .invalid : t
  }
  guard t.epoch == fromRange.start.epoch else { return .invalid }
  let offset = CMTimeSubtract(t, fromRange.start)
  if fromRange.duration.isPositiveInfinity, toRange.duration.isPositiveInfinity {
    return CMTimeAdd(offset, toRange.start)
  }
  return CMTimeAdd(proportion(offset, of: fromRange.duration, in: toRange.duration), toRange.start)
}

/// Stretches a duration as one range must be stretched to be as long as the other.
///
/// - Returns: Invalid when the duration has an epoch or `fromRange` is empty.
public func CMTimeMapDurationFromRangeToRange(_ dur: CMTime, fromRange: CMTimeRange, toRange: CMTimeRange)
  -> CMTime
{
  guard fromRange.isValid, toRange.isValid, !fromRange.isEmpty, dur.epoch == 0 else { return .invalid }
  guard dur.isNumeric else { return dur }
  if fromRange.duration.isPositiveInfinity, toRange.duration.isPositiveInfinity { return dur }
  return proportion(dur, of: fromRange.duration, in: toRange.duration)
}

/// Gives the time inside a range that is nearest to `time`.
///
/// - Returns: Invalid when the range is empty or invalid or the time is invalid.
public func CMTimeClampToRange(_ time: CMTime, range: CMTimeRange) -> CMTime {
  guard time.isValid, range.isValid, !range.isEmpty else { return .invalid }
  return CMTimeMinimum(CMTimeMaximum(time, range.start), range.end)
}

/// Gives the time that a loop over a range shows at `time`: `start + (time - start) mod duration`.
///
/// - Returns: Invalid when the range is empty, invalid or not of numbers, or when the epochs differ. The times of an
///   endless range come back as they are.
public func CMTimeFoldIntoRange(_ time: CMTime, foldRange: CMTimeRange) -> CMTime {
  guard time.isNumeric, foldRange.isValid, !foldRange.isEmpty, foldRange.start.isNumeric else {
    return .invalid
  }
  let offset = CMTimeSubtract(time, foldRange.start)
  guard offset.isNumeric, time.epoch == foldRange.start.epoch else { return .invalid }
  let duration = foldRange.duration
  guard duration.isNumeric else { return duration.isPositiveInfinity && offset.value >= 0 ? time : .invalid }

  let common =
    Int128(offset.timescale) / greatestCommonDivisor(Int128(offset.timescale), Int128(duration.timescale))
    * Int128(duration.timescale)
  let length = Int128(duration.value) * (common / Int128(duration.timescale))
  var rest = Int128(offset.value) * (common / Int128(offset.timescale)) % length
  if rest < 0 { rest += length }
  let folded = fitting(
    rest, over: common, timescale: Int32(min(common, Int128(Int32.max))), isRounded: offset.hasBeenRounded,
    epoch: 0)
  return CMTimeAdd(foldRange.start, folded)
}

/// `time × to / from`, exactly where the timescale of `time` or of `to` allows it, else in the finest that fits.
private func proportion(_ time: CMTime, of from: CMTime, in to: CMTime) -> CMTime {
  guard from.isNumeric, to.isNumeric, time.isNumeric else {
    // A finite time is nothing in an endless range, and an endless one is reached at once.
    if time.isNumeric, to.isNumeric, from.isPositiveInfinity { return .zero }
    if time.isNumeric, from.isNumeric, to.isPositiveInfinity {
      return time.value == 0 ? .zero : time.value > 0 ? .positiveInfinity : .negativeInfinity
    }
    return .invalid
  }
  guard time.timescale > 0, from.timescale > 0, to.timescale > 0, from.value > 0 else { return .invalid }
  let numerator = Int128(to.value) * Int128(from.timescale)
  let denominator = Int128(to.timescale) * Int128(from.value)
  let divisor = greatestCommonDivisor(numerator, denominator)
  let ratio = (numerator: (numerator / divisor).magnitude, denominator: (denominator / divisor).magnitude)
  let isNegative = time.value < 0
  let isRounded = time.hasBeenRounded || from.hasBeenRounded || to.hasBeenRounded

  var finest = Int32.max
  var candidates = [time.timescale, to.timescale]
  while true {
    let scale = candidates.isEmpty ? finest : candidates.removeFirst()
    let isFinest = candidates.isEmpty && scale == finest
    // 94 × 94 bits over 125 bits.
    let wide = (UInt128(time.value.magnitude) * UInt128(scale)).multipliedFullWidth(by: ratio.numerator)
    let below = UInt128(time.timescale) * ratio.denominator
    if wide.high < below {
      let (whole, rest) = below.dividingFullWidth(wide)
      let rounded = rest != 0 && rest >= below - rest ? whole + 1 : whole
      if let value = Int64(exactly: rounded), rest == 0 || isFinest {
        return CMTime(
          value: isNegative ? -value : value, timescale: scale,
          flags: rest == 0 && !isRounded ? .valid : [.valid, .hasBeenRounded], epoch: 0)
      }
    }
    guard isFinest else { continue }
    guard finest > 1 else { return isNegative ? .negativeInfinity : .positiveInfinity }
    finest /= 2
  }
}
