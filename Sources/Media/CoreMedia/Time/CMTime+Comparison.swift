/// Gives the order of two times: -1, 0 or 1.
///
/// Every time has a place: minus infinity, numbers, indefinite, plus infinity, invalid. Numbers of a later epoch are
/// later whatever their value; within one epoch the exact fractions are compared.
public func CMTimeCompare(_ time1: CMTime, _ time2: CMTime) -> Int32 {
  let (rank1, rank2) = (rank(time1), rank(time2))
  guard rank1 == rank2 else { return rank1 < rank2 ? -1 : 1 }
  guard rank1 == .number else { return 0 }
  guard time1.epoch == time2.epoch else { return time1.epoch < time2.epoch ? -1 : 1 }
  if time1.timescale == time2.timescale {
    return time1.value == time2.value ? 0 : time1.value < time2.value ? -1 : 1
  }
  let left = Int128(time1.value) * Int128(time2.timescale)
  let right = Int128(time2.value) * Int128(time1.timescale)
  return left == right ? 0 : left < right ? -1 : 1
}

/// Gives the lesser of two times in the order of ``CMTimeCompare(_:_:)``; the first when they are equal.
public func CMTimeMinimum(_ time1: CMTime, _ time2: CMTime) -> CMTime {
  CMTimeCompare(time1, time2) <= 0 ? time1 : time2
}

/// Gives the greater of two times in the order of ``CMTimeCompare(_:_:)``; the first when they are equal.
public func CMTimeMaximum(_ time1: CMTime, _ time2: CMTime) -> CMTime {
  CMTimeCompare(time1, time2) >= 0 ? time1 : time2
}

extension CMTime: Equatable, Comparable, Hashable {
  /// Whether the left time comes before the right one.
  public static func < (time1: CMTime, time2: CMTime) -> Bool { CMTimeCompare(time1, time2) < 0 }
  /// Whether the left time does not come after the right one.
  public static func <= (time1: CMTime, time2: CMTime) -> Bool { CMTimeCompare(time1, time2) <= 0 }
  /// Whether the left time comes after the right one.
  public static func > (time1: CMTime, time2: CMTime) -> Bool { CMTimeCompare(time1, time2) > 0 }
  /// Whether the left time does not come before the right one.
  public static func >= (time1: CMTime, time2: CMTime) -> Bool { CMTimeCompare(time1, time2) >= 0 }
  /// Whether both are the same moment, in whatever timescale.
  public static func == (time1: CMTime, time2: CMTime) -> Bool { CMTimeCompare(time1, time2) == 0 }
  /// Whether the two are different moments.
  public static func != (time1: CMTime, time2: CMTime) -> Bool { CMTimeCompare(time1, time2) != 0 }

  /// Feeds the fraction in lowest terms, so that equal times have equal hashes.
  public func hash(into hasher: inout Hasher) {
    let rank = rank(self)
    hasher.combine(rank)
    guard rank == .number else { return }
    let divisor = greatestCommonDivisor(Int128(value), Int128(timescale))
    hasher.combine(Int128(value) / divisor)
    hasher.combine(Int128(timescale) / divisor)
    hasher.combine(epoch)
  }
}

/// The places of times that have no number.
private enum Rank: Int, Comparable {
  case negativeInfinity, number, indefinite, positiveInfinity, invalid

  static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
}

private func rank(_ time: CMTime) -> Rank {
  // A number without a usable timescale has no place among the others.
  if time.isNumeric { return time.timescale > 0 ? .number : .invalid }
  if !time.isValid { return .invalid }
  if time.flags.contains(.positiveInfinity) { return .positiveInfinity }
  return time.flags.contains(.negativeInfinity) ? .negativeInfinity : .indefinite
}
