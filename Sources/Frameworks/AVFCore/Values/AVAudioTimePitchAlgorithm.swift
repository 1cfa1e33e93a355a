/// The algorithm that plays audio at other rates than 1.
///
/// Apple: `AVAudioTimePitchAlgorithm`.
public struct AVAudioTimePitchAlgorithm: RawRepresentable, Hashable, Sendable {
  /// Apple's name.
  public let rawValue: String

  /// An algorithm with a name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Keeps the pitch, by repeating and leaving out pieces of the waveform.
  ///
  /// Apple: `AVAudioTimePitchAlgorithm.timeDomain`.
  public static let timeDomain = AVAudioTimePitchAlgorithm(rawValue: "TimeDomain")
  /// Lets the pitch follow the rate, as a tape does.
  ///
  /// Apple: `AVAudioTimePitchAlgorithm.varispeed`.
  public static let varispeed = AVAudioTimePitchAlgorithm(rawValue: "Varispeed")
}
