/// The way in which a rate converter primes its filter, which looks beyond both ends of the audio.
///
/// Apple: `AVAudioConverterPrimeMethod`.
public enum AVAudioConverterPrimeMethod: Int, Sendable {
  /// The first frames are only looked at: what comes out begins behind them.
  case pre = 0
  /// Silence lies before the beginning: what comes out begins with the beginning.
  case normal = 1
  /// Silence lies before the beginning, and what comes out is late, as no frames behind a moment are waited for.
  case none = 2
}

/// The numbers of frames that the filter of a rate converter looks at around a moment.
///
/// Apple: `AVAudioConverterPrimeInfo`.
public struct AVAudioConverterPrimeInfo: Sendable, Hashable {
  /// Before it.
  public var leadingFrames: AVAudioFrameCount
  /// Behind it.
  public var trailingFrames: AVAudioFrameCount

  /// None.
  public init() {
    self.init(leadingFrames: 0, trailingFrames: 0)
  }

  /// So many.
  public init(leadingFrames: AVAudioFrameCount, trailingFrames: AVAudioFrameCount) {
    self.leadingFrames = leadingFrames
    self.trailingFrames = trailingFrames
  }
}

/// The status that a converter's input block reports with its buffer.
///
/// Apple: `AVAudioConverterInputStatus`.
public enum AVAudioConverterInputStatus: Int, Sendable {
  /// It gives a buffer.
  case haveData = 0
  /// It has none now.
  case noDataNow = 1
  /// Nothing comes any more.
  case endOfStream = 2
}

/// The outcome of a conversion.
///
/// Apple: `AVAudioConverterOutputStatus`.
public enum AVAudioConverterOutputStatus: Int, Sendable {
  /// Audio: all that was asked for, or the rest.
  case haveData = 0
  /// The audio that there was, less than was asked for.
  case inputRanDry = 1
  /// Nothing: the end was reached before.
  case endOfStream = 2
  /// An error.
  case error = 3
}

/// Gives a converter audio: how many packets it would take, and where to say what is given.
///
/// Apple: `AVAudioConverterInputBlock`.
public typealias AVAudioConverterInputBlock = (
  AVAudioPacketCount, UnsafeMutablePointer<AVAudioConverterInputStatus>
) -> AVAudioBuffer?
