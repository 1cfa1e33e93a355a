/// The fields of a time stamp that hold something.
///
/// Apple: `AudioTimeStampFlags`.
public struct AudioTimeStampFlags: OptionSet, Sendable, Hashable, BitwiseCopyable {
  /// The bits, as Apple numbers them.
  public let rawValue: UInt32

  /// Takes the bits as they are.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The count of samples.
  public static let sampleTimeValid = AudioTimeStampFlags(rawValue: 1 << 0)
  /// The host's time.
  public static let hostTimeValid = AudioTimeStampFlags(rawValue: 1 << 1)
  /// The ratio of the actual to the nominal rate.
  public static let rateScalarValid = AudioTimeStampFlags(rawValue: 1 << 2)
}

/// A moment of audio: a count of samples, a time of the host clock, or both.
///
/// Apple: `AudioTimeStamp`.
/// - Note: Unlike Apple's, without word clock and SMPTE time, which nothing here has.
public struct AudioTimeStamp: Sendable, BitwiseCopyable {
  /// Samples of a channel since the stream's beginning.
  public var mSampleTime: Double
  /// Nanoseconds of the host clock.
  public var mHostTime: UInt64
  /// How many host seconds a second of samples takes.
  public var mRateScalar: Double
  /// Which fields hold something.
  public var mFlags: AudioTimeStampFlags

  /// Nothing.
  public init() {
    (mSampleTime, mHostTime, mRateScalar, mFlags) = (0, 0, 0, [])
  }
}
