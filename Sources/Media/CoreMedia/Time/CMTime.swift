/// The numerator of a ``CMTime``.
public typealias CMTimeValue = Int64

/// The denominator of a ``CMTime``: how many units make one second.
///
/// Must be above zero.
public typealias CMTimeScale = Int32

/// The number of the timeline a ``CMTime`` belongs to, for instance the round of a loop.
public typealias CMTimeEpoch = Int64

/// The largest timescale.
public let kCMTimeMaxTimescale: Int = 0x7fff_ffff

/// Flags of a ``CMTime``: valid or not, a number or not, and exact or rounded.
public struct CMTimeFlags: OptionSet, Sendable, Hashable, BitwiseCopyable {
  /// The bits, as Apple numbers them.
  public let rawValue: UInt32

  /// Takes the bits as they are.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Must be set, or the time is invalid whatever else is set.
  public static let valid = CMTimeFlags(rawValue: 1 << 0)
  /// The number was rounded, or comes from one that was.
  public static let hasBeenRounded = CMTimeFlags(rawValue: 1 << 1)
  /// Later than every number; the other fields mean nothing.
  public static let positiveInfinity = CMTimeFlags(rawValue: 1 << 2)
  /// Earlier than every number; the other fields mean nothing.
  public static let negativeInfinity = CMTimeFlags(rawValue: 1 << 3)
  /// Not known, as the duration of a live broadcast; the other fields mean nothing.
  public static let indefinite = CMTimeFlags(rawValue: 1 << 4)
  /// Every flag that makes the other fields mean nothing.
  public static let impliedValueFlagsMask: CMTimeFlags = [.positiveInfinity, .negativeInfinity, .indefinite]
}

/// A time or a duration as an exact fraction of seconds: `value / timescale`.
///
/// Cameras count in 1/30 or 1001/30000 seconds; a fraction keeps that where a decimal drifts. Beside numbers there are
/// plus and minus infinity, "indefinite" and "invalid" (all fields zero).
///
/// A time whose epoch is 0 may be a duration and can be added to a time of any epoch. Times of different epochs can
/// be compared, not subtracted.
///
/// Apple: `CMTime`.
public struct CMTime: Sendable, BitwiseCopyable {
  /// The numerator.
  public var value: CMTimeValue
  /// The denominator, in units a second.
  public var timescale: CMTimeScale
  /// Whether this is a number, and whether it was rounded.
  public var flags: CMTimeFlags
  /// Which timeline this is on.
  public var epoch: CMTimeEpoch

  /// An invalid time.
  public init() {
    self.init(value: 0, timescale: 0, flags: [], epoch: 0)
  }

  /// Takes the fields as they are.
  @inline(__always)
  public init(value: CMTimeValue, timescale: CMTimeScale, flags: CMTimeFlags, epoch: CMTimeEpoch) {
    self.value = value
    self.timescale = timescale
    self.flags = flags
    self.epoch = epoch
  }

  /// The time `value / timescale` in epoch 0; invalid when the timescale is not above zero.
  public init(value: CMTimeValue, timescale: CMTimeScale) {
    self = CMTimeMakeWithEpoch(value: value, timescale: timescale, epoch: 0)
  }

  /// The time nearest zero's side of `seconds` that the timescale can express; see ``CMTimeMakeWithSeconds(_:preferredTimescale:)``.
  public init(seconds: Double, preferredTimescale: CMTimeScale) {
    self = CMTimeMakeWithSeconds(seconds, preferredTimescale: preferredTimescale)
  }

  /// Zero seconds.
  public static let zero = CMTime(value: 0, timescale: 1, flags: .valid, epoch: 0)
  /// No time at all.
  public static let invalid = CMTime()
  /// A time that is not known.
  public static let indefinite = CMTime(value: 0, timescale: 0, flags: [.valid, .indefinite], epoch: 0)
  /// Later than every number.
  public static let positiveInfinity = CMTime(
    value: 0, timescale: 0, flags: [.valid, .positiveInfinity], epoch: 0)
  /// Earlier than every number.
  public static let negativeInfinity = CMTime(
    value: 0, timescale: 0, flags: [.valid, .negativeInfinity], epoch: 0)
}

extension CMTime {
  /// Whether this is a time: a number, an infinity or indefinite.
  public var isValid: Bool { flags.contains(.valid) }
  /// Whether this is later than every number.
  public var isPositiveInfinity: Bool { isValid && flags.contains(.positiveInfinity) }
  /// Whether this is earlier than every number.
  public var isNegativeInfinity: Bool { isValid && flags.contains(.negativeInfinity) }
  /// Whether this is a time that is not known.
  public var isIndefinite: Bool { isValid && flags.contains(.indefinite) }
  /// Whether value, timescale and epoch mean something.
  public var isNumeric: Bool { flags.intersection([.valid, .impliedValueFlagsMask]) == .valid }
  /// Whether this is a number that was rounded, or comes from one that was.
  public var hasBeenRounded: Bool { isNumeric && flags.contains(.hasBeenRounded) }
  /// The time in seconds; see ``CMTimeGetSeconds(_:)``.
  public var seconds: Double { CMTimeGetSeconds(self) }

  /// The same time in another timescale; see ``CMTimeConvertScale(_:timescale:method:)``.
  public func convertScale(_ newTimescale: Int32, method: CMTimeRoundingMethod) -> CMTime {
    CMTimeConvertScale(self, timescale: newTimescale, method: method)
  }
}

/// Makes the time `value / timescale` in epoch 0; invalid when the timescale is not above zero.
public func CMTimeMake(value: Int64, timescale: Int32) -> CMTime {
  CMTimeMakeWithEpoch(value: value, timescale: timescale, epoch: 0)
}

/// Makes the time `value / timescale` in an epoch; invalid when the timescale is not above zero.
public func CMTimeMakeWithEpoch(value: Int64, timescale: Int32, epoch: Int64) -> CMTime {
  guard timescale > 0 else { return .invalid }
  return CMTime(value: value, timescale: timescale, flags: .valid, epoch: epoch)
}

/// Makes a time from seconds, cutting off what the timescale cannot express.
///
/// When the value would overflow, the timescale is halved until it fits; if it does not fit at 1 either, the result is
/// infinite. `hasBeenRounded` means that converting back does not give `seconds` exactly.
///
/// - Returns: Invalid when the timescale is not above zero or `seconds` is not a number.
public func CMTimeMakeWithSeconds(_ seconds: Float64, preferredTimescale: Int32) -> CMTime {
  guard preferredTimescale > 0, !seconds.isNaN else { return .invalid }
  guard seconds.isFinite else { return seconds > 0 ? .positiveInfinity : .negativeInfinity }
  var timescale = preferredTimescale
  while true {
    if let value = Int64(exactly: (seconds * Double(timescale)).rounded(.towardZero)) {
      let isExact = Double(value) / Double(timescale) == seconds
      return CMTime(
        value: value, timescale: timescale, flags: isExact ? .valid : [.valid, .hasBeenRounded], epoch: 0)
    }
    guard timescale > 1 else { return seconds > 0 ? .positiveInfinity : .negativeInfinity }
    timescale /= 2
  }
}

/// Gives a time in seconds, as near as a `Double` comes; the epoch does not count.
///
/// - Returns: Not-a-number for invalid and indefinite times, an infinity for infinite ones.
public func CMTimeGetSeconds(_ time: CMTime) -> Float64 {
  if time.isNumeric { return Double(time.value) / Double(time.timescale) }
  if time.isPositiveInfinity { return .infinity }
  if time.isNegativeInfinity { return -.infinity }
  return .nan
}
