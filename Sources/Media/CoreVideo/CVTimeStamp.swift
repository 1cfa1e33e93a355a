internal import Linux

/// A time as a number of parts of a second.
public struct CVTime: Sendable {
  /// The number of parts.
  public var timeValue: Int64
  /// How many parts make a second.
  public var timeScale: Int32
  /// `CVTimeFlags`: 1 where the time has no value.
  public var flags: Int32

  /// A time of 0 parts.
  public init() { self.init(timeValue: 0, timeScale: 0, flags: 0) }

  /// A time of so many parts.
  public init(timeValue: Int64, timeScale: Int32, flags: Int32) {
    (self.timeValue, self.timeScale, self.flags) = (timeValue, timeScale, flags)
  }
}

/// A moment as films count frames: hours, minutes, seconds and frames.
public struct CVSMPTETime: Sendable {
  /// Parts of a frame that have passed.
  public var subframes: Int16 = 0
  /// How many parts a frame has.
  public var subframeDivisor: Int16 = 0
  /// Frames since the count began.
  public var counter: UInt32 = 0
  /// `CVSMPTETimeType`: how many frames a second has.
  public var type: UInt32 = 0
  /// `CVSMPTETimeFlags`: 1 where the time is there, 2 while it passes.
  public var flags: UInt32 = 0
  /// Hours.
  public var hours: Int16 = 0
  /// Minutes.
  public var minutes: Int16 = 0
  /// Seconds.
  public var seconds: Int16 = 0
  /// Frames of the second.
  public var frames: Int16 = 0

  /// A time of zeros.
  public init() {}
}

/// A moment of a display: in its own units, and on the host's clock.
public struct CVTimeStamp: Sendable {
  /// 0, the only version.
  public var version: UInt32 = 0
  /// How many units of ``videoTime`` make a second.
  public var videoTimeScale: Int32 = 0
  /// The moment since the link's start, in units of ``videoTimeScale``.
  public var videoTime: Int64 = 0
  /// The moment on the host's clock, in nanoseconds; under a simulated clock on that.
  public var hostTime: UInt64 = 0
  /// How fast the display's time passes beside the host's: 1.
  public var rateScalar: Double = 0
  /// The time from one picture to the next, in units of ``videoTimeScale``.
  public var videoRefreshPeriod: Int64 = 0
  /// The moment as films count frames; all 0, as a display counts none.
  public var smpteTime = CVSMPTETime()
  /// The ``CVTimeStampFlags`` that say which of the values are there.
  public var flags: UInt64 = 0
  /// 0.
  public var reserved: UInt64 = 0

  /// A stamp without values.
  public init() {}

  init(videoTime: Int64, hostTime: MonotonicInstant) {
    videoTimeScale = CVDisplayLink.timeScale
    self.videoTime = videoTime
    self.hostTime = UInt64(max(hostTime.nanoseconds, 0))
    rateScalar = 1
    videoRefreshPeriod = CVDisplayLink.refreshPeriod
    let valid: CVTimeStampFlags = [
      .videoTimeValid, .hostTimeValid, .videoRefreshPeriodValid, .rateScalarValid,
    ]
    flags = valid.rawValue
  }
}

/// The values that a ``CVTimeStamp`` has, with Apple's numbers.
public struct CVTimeStampFlags: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt64

  /// Flags of bits.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The time in the display's units is there.
  public static let videoTimeValid = CVTimeStampFlags(rawValue: 1 << 0)
  /// The time of the host's clock is there.
  public static let hostTimeValid = CVTimeStampFlags(rawValue: 1 << 1)
  /// The time from one picture to the next is there.
  public static let videoRefreshPeriodValid = CVTimeStampFlags(rawValue: 1 << 3)
  /// How fast the display's time passes is there.
  public static let rateScalarValid = CVTimeStampFlags(rawValue: 1 << 4)
  /// Both times are there.
  public static let videoHostTimeValid: CVTimeStampFlags = [.videoTimeValid, .hostTimeValid]
}
