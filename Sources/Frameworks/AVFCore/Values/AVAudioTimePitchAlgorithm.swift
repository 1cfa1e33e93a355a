internal import FoundationExtras

/// The algorithm that plays audio at other rates than 1, and where a composition's track is made slower or faster.
///
/// Rates from 1/32 to 32; ``varispeed`` takes every rate at which the audio is still heard. At another rate a scaled edit is silent.
///
/// Apple: `AVAudioTimePitchAlgorithm`.
public struct AVAudioTimePitchAlgorithm: RawRepresentable, Hashable, Sendable {
  /// Apple's name.
  public let rawValue: String

  /// An algorithm with a name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Keeps the pitch of scaled edits at the rates 1/2, 2/3, 4/5, 1, 5/4, 3/2 and 2; at another one the pitch is off by as much as the
  /// nearest of these is.
  ///
  /// Deprecated since iOS 15 in favour of ``timeDomain``, and absent on macOS. A player that plays at another rate than 1 takes it for
  /// ``timeDomain``.
  ///
  /// Apple: `AVAudioTimePitchAlgorithm.lowQualityZeroLatency`.
  public static let lowQualityZeroLatency = AVAudioTimePitchAlgorithm(rawValue: "LowQualityZeroLatency")
  /// Keeps the pitch, by repeating and leaving out pieces of the waveform: for voices.
  ///
  /// Apple: `AVAudioTimePitchAlgorithm.timeDomain`.
  public static let timeDomain = AVAudioTimePitchAlgorithm(rawValue: "TimeDomain")
  /// Keeps the pitch, by the sound's spectrum: for music; takes the most time.
  ///
  /// - Note: Unlike AVFoundation, a player that plays at another rate than 1 takes it for ``timeDomain``.
  ///
  /// Apple: `AVAudioTimePitchAlgorithm.spectral`.
  public static let spectral = AVAudioTimePitchAlgorithm(rawValue: "Spectral")
  /// Lets the pitch follow the rate, as a tape does.
  ///
  /// Apple: `AVAudioTimePitchAlgorithm.varispeed`.
  public static let varispeed = AVAudioTimePitchAlgorithm(rawValue: "Varispeed")

  /// Whether it is one of the constants; another one is reported as a mistake.
  func isKnown(for name: String) -> Bool {
    let isKnown = [.lowQualityZeroLatency, .timeDomain, .spectral, .varispeed].contains(self)
    if !isKnown {
      ProgrammingMistake.report(
        rule: "\(name): '\(rawValue)' is none of AVAudioTimePitchAlgorithm's constants, and is not set.")
    }
    return isKnown
  }
}
